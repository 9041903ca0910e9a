// One action, several workers: claim, run, settle, extend, release, reap, cancel (src/store/*/{claim,fence,settle,control}.ts,
// src/core/settle.ts; the loop around them is the engine's). Workers crash anywhere, sleep past their lease and wake, lose
// the reply to a claim or a settlement and read back; the database crashes and forgets a claim it had not synced; a
// backup is restored. The receiver counts effects and the keys they came with. Of at_most_once no backup is restored:
// what a backup has forgotten, no protocol can know.

import type { Delivery } from '../../src/core/action.ts'
import type { Step } from './checker.ts'
import {
  type Claim,
  claimOf,
  claimRow,
  FENCE,
  type Fence,
  hasEnded,
  hasResult,
  holds,
  isTheirs,
  type OutcomeName,
  QUEUED,
  type Row,
  settleRow,
  unclaimRow,
} from './claimed-row.ts'

export interface Rules extends Fence {
  /** One statement finds the row and takes it. Else: it is read, and taken by its id later. */
  readonly claimsAtOnce: boolean
  /** Under at_most_once the claim is on disk before anyone hears of it. */
  readonly syncsMarker: boolean
  /** A claim runs out by itself. Else: it is for ever. */
  readonly leases: boolean
  readonly fencesReap: boolean
  readonly reapsOnlyExpired: boolean
  /** After maxReaps the action is dead. Else: it is queued again, however often it took its worker down. */
  readonly limitsReaps: boolean
  /** A cancel needs a row that is queued or running. */
  readonly checksCancel: boolean
  /** A restore begins a new epoch: no claim made before fits, every lease has run out. */
  readonly changesEpoch: boolean
  readonly keepsKey: boolean
  readonly writesResultWithSettlement: boolean
}

export const REAL: Rules = {
  ...FENCE,
  claimsAtOnce: true,
  syncsMarker: true,
  leases: true,
  fencesReap: true,
  reapsOnlyExpired: true,
  limitsReaps: true,
  checksCancel: true,
  changesEpoch: true,
  keepsKey: true,
  writesResultWithSettlement: true,
}

export interface Setting {
  readonly delivery: Delivery
  readonly workers: number
  /** Expiries that are still allowed when the story begins. */
  readonly reaps: number
  readonly cancels: number
  readonly drains: number
  /** The database may crash before a claim is on disk (PostgreSQL; SQLite syncs every commit). */
  readonly forgets: boolean
  /** A settlement may be held up on its way. */
  readonly delays: boolean
  readonly restores: boolean
}

interface Worker {
  /** `looking` only where a claim is not one statement; `asking` and `unsure`: the reply to a commit was lost. */
  readonly at: 'idle' | 'looking' | 'asking' | 'holding' | 'ended' | 'unsure' | 'owing'
  readonly claim: Claim
  readonly outcome?: OutcomeName
}

/** What a backup holds. */
interface Stored {
  readonly row: Row
  /** Result events written. */
  readonly results: number
  /** The counter of actions that have not ended. */
  readonly open: number
}

export interface State extends Stored {
  readonly workers: readonly Worker[]
  /** What the reaper read and has not settled yet. */
  readonly reaping: Claim | null
  /** A settlement still under way, though its sender has given up waiting: it may arrive after the reading back. */
  readonly late: { readonly claim: Claim; readonly outcome: OutcomeName } | null
  /** At the receiver: how often it happened, counted as far as it matters, and under which keys. */
  readonly performed: number
  readonly keys: readonly number[]
  readonly backup: Stored | null
  readonly epoch: number
  readonly nonces: number
  readonly cancels: number
  readonly drains: number
  /** Someone changed a claimed row who did not hold it. */
  readonly isUsurped: boolean
}

const NOBODY: Claim = claimOf(QUEUED)
export const IDLE: Worker = { at: 'idle', claim: NOBODY }

const withWorker = (state: State, index: number, worker: Worker): State => ({
  ...state,
  workers: state.workers.with(index, worker),
})

/** A settlement that was let through: row, result event and counter in one transaction. */
const settled = (state: State, row: Row, isTheirs: boolean, writesResult: boolean): State => ({
  ...state,
  row,
  results: state.results + (writesResult && hasResult(row) ? 1 : 0),
  open: state.open - (hasEnded(row) ? 1 : 0),
  isUsurped: state.isUsurped || !isTheirs,
})

const claimSteps = (state: State, index: number, rules: Rules, setting: Setting): Step<State>[] => {
  const who = `w${index + 1}`
  const worker = state.workers[index]!
  const isLooking = worker.at === 'looking'
  if (worker.at === 'asking') {
    const isFound = state.row.status === 'running' && state.row.nonce === worker.claim.nonce
    const read: Worker = isFound ? { at: 'holding', claim: claimOf(state.row) } : IDLE
    return [{ says: `${who} looks for its nonce`, to: withWorker(state, index, read) }]
  }
  if (!isLooking && state.row.status !== 'queued') return []
  if (!isLooking && !rules.claimsAtOnce)
    return [{ says: `${who} reads the queued row`, to: withWorker(state, index, { ...IDLE, at: 'looking' }) }]
  const nonce = state.nonces + 1
  const isMarker = setting.delivery === 'at_most_once' && rules.syncsMarker
  const claimed = claimRow(state.row, nonce, isMarker || !setting.forgets)
  const row: Row = rules.leases ? claimed : { ...claimed, lease: 'none' }
  const taken = { ...state, row, nonces: nonce }
  const holding: Worker = { at: 'holding', claim: claimOf(row) }
  const asking: Worker = { at: 'asking', claim: { ...NOBODY, nonce } }
  return [
    { says: `${who} claims`, to: withWorker(taken, index, holding) },
    { says: `${who} claims, the reply is lost`, to: withWorker(taken, index, asking), isFault: true },
  ]
}

const performed = (state: State, claim: Claim, rules: Rules, { delivery }: Setting): State => {
  const most = delivery === 'at_most_once' ? 2 : 1
  const key = rules.keepsKey ? 0 : claim.attempt + 1
  const keys = state.keys.includes(key) ? state.keys : [...state.keys, key].sort((a, b) => a - b)
  return { ...state, performed: Math.min(most, state.performed + 1), keys }
}

const runSteps = (state: State, index: number, rules: Rules, setting: Setting): Step<State>[] => {
  const who = `w${index + 1}`
  const { claim } = state.workers[index]!
  const end = (from: State, outcome: OutcomeName): State =>
    withWorker(from, index, { at: 'ended', claim, outcome })
  const effect = performed(state, claim, rules, setting)
  const steps: Step<State>[] = [
    { says: `${who} sends, it is done`, to: end(effect, 'done') },
    { says: `${who} sends, it is refused`, to: end(state, 'refused'), isFault: true },
    { says: `${who} sends, it is done, the answer is lost`, to: end(effect, 'silent'), isFault: true },
  ]
  if (claim.cancelRequested) steps.push({ says: `${who} stops as asked`, to: end(state, 'stopped') })
  if (state.drains > 0) {
    const drained = { ...state, drains: state.drains - 1 }
    const cut = { ...effect, drains: state.drains - 1 }
    steps.push(
      { says: `${who} shuts down and hands it back`, to: end(drained, 'handed back'), isFault: true },
      { says: `${who} shuts down while sending, it is done`, to: end(cut, 'cut off'), isFault: true },
    )
  }
  return [...steps, extendStep(state, index, rules)]
}

const extendStep = (state: State, index: number, rules: Rules): Step<State> => {
  const { claim } = state.workers[index]!
  const { row } = state
  if (!holds(row, claim, rules))
    return { says: `w${index + 1} cannot extend and gives up`, to: withWorker(state, index, IDLE) }
  const extended: State = {
    ...state,
    row: { ...row, lease: 'held' },
    isUsurped: state.isUsurped || !isTheirs(row, claim),
  }
  const told: Worker = { at: 'holding', claim: { ...claim, cancelRequested: row.cancelRequested } }
  return { says: `w${index + 1} extends`, to: withWorker(extended, index, told) }
}

const settleSteps = (state: State, index: number, rules: Rules, setting: Setting): Step<State>[] => {
  const worker = state.workers[index]!
  const who = `w${index + 1}`
  const { claim, outcome } = worker
  const isHeld = holds(state.row, claim, rules)
  const unsure: Worker = { ...worker, at: 'unsure' }
  const heldUp: Step<State>[] =
    setting.delays && state.late === null
      ? [
          {
            says: `${who} settles, it is held up on its way`,
            to: withWorker({ ...state, late: { claim, outcome: outcome! } }, index, unsure),
            isFault: true,
          },
        ]
      : []
  if (!isHeld)
    return [{ says: `${who} settles and is fenced`, to: withWorker(state, index, IDLE) }, ...heldUp]
  const row = settleRow(state.row, claim, outcome!, setting.delivery)
  const to = settled(state, row, isTheirs(state.row, claim), rules.writesResultWithSettlement)
  const isOwing = !rules.writesResultWithSettlement && hasResult(row)
  const says = `${who} settles as ${row.status}`
  return [
    { says, to: withWorker(to, index, isOwing ? { ...worker, at: 'owing' } : IDLE) },
    { says: `${says}, the reply is lost`, to: withWorker(to, index, unsure), isFault: true },
    ...heldUp,
  ]
}

const workerSteps = (state: State, index: number, rules: Rules, setting: Setting): Step<State>[] => {
  const worker = state.workers[index]!
  const who = `w${index + 1}`
  const idle = withWorker(state, index, IDLE)
  const crash: Step<State> = { says: `${who} crashes`, to: idle, isFault: true }
  switch (worker.at) {
    case 'idle':
      return claimSteps(state, index, rules, setting)
    case 'looking':
    case 'asking':
      return [...claimSteps(state, index, rules, setting), crash]
    case 'holding':
      return [...runSteps(state, index, rules, setting), crash]
    case 'ended':
      return [...settleSteps(state, index, rules, setting), crash]
    case 'unsure': {
      const again = withWorker(state, index, { ...worker, at: 'ended' })
      const isHeld = holds(state.row, worker.claim, rules)
      return [{ says: `${who} reads back`, to: isHeld ? again : idle }, crash]
    }
    case 'owing':
      return [{ says: `${who} writes the result event`, to: { ...idle, results: state.results + 1 } }, crash]
  }
}

const lateSteps = (state: State, rules: Rules, { delivery }: Setting): Step<State>[] => {
  const { row, late } = state
  if (late === null) return []
  const gone: State = { ...state, late: null }
  const lost: Step<State> = { says: 'the late settlement is lost', to: gone, isFault: true }
  if (!holds(row, late.claim, rules)) return [{ says: 'the late settlement is fenced', to: gone }, lost]
  const ended = settleRow(row, late.claim, late.outcome, delivery)
  const to = settled(gone, ended, isTheirs(row, late.claim), true)
  return [{ says: `the late settlement arrives: ${ended.status}`, to }, lost]
}

const reapSteps = (state: State, rules: Rules, { delivery }: Setting): Step<State>[] => {
  const { row, reaping } = state
  if (reaping === null)
    return row.status === 'running' && row.lease === 'out'
      ? [{ says: 'the reaper reads the expired row', to: { ...state, reaping: claimOf(row) } }]
      : []
  const isExpired = row.lease === 'out' || !rules.reapsOnlyExpired
  const left: State = { ...state, reaping: null }
  if (rules.fencesReap && !(holds(row, reaping, rules) && isExpired))
    return [{ says: 'the reaper is fenced', to: left }]
  const isRight = row.status === 'running' && row.lease === 'out'
  const decided = settleRow(row, reaping, 'expired', delivery)
  const reaped: Row = rules.limitsReaps ? decided : { ...decided, status: 'queued' }
  return [
    { says: `the reaper settles it as ${reaped.status}`, to: settled(left, reaped, isRight, true) },
    { says: 'the reaper crashes', to: left, isFault: true },
  ]
}

const cancelSteps = (state: State, rules: Rules): Step<State>[] => {
  const { row } = state
  if (state.cancels === 0 || (rules.checksCancel && hasEnded(row))) return []
  const asked: State = { ...state, cancels: state.cancels - 1 }
  if (row.status === 'running') {
    const to = { ...asked, row: { ...row, cancelRequested: true, isSynced: true } }
    return [{ says: 'a person asks the holder to stop', to, isFault: true }]
  }
  const cancelled: Row = { ...row, status: 'cancelled' }
  return [{ says: 'a person cancels it', to: settled(asked, cancelled, true, true), isFault: true }]
}

const restored = (state: State, { row, results, open }: Stored, rules: Rules): State => {
  const isFenced = rules.changesEpoch && row.status === 'running'
  const nonce = state.nonces + 1
  const fenced: Row = isFenced ? { ...row, nonce, lease: 'out' } : row
  return {
    ...state,
    row: { ...fenced, holder: 0, isSynced: true },
    results,
    open,
    nonces: nonce,
    backup: null,
    epoch: state.epoch + 1,
  }
}

const databaseSteps = (state: State, rules: Rules, { restores }: Setting): Step<State>[] => {
  const { row, results, open, backup } = state
  const steps: Step<State>[] = []
  if (row.lease === 'held')
    steps.push({ says: 'the lease runs out', to: { ...state, row: { ...row, lease: 'out' } } })
  if (!row.isSynced)
    steps.push(
      { says: 'the claim reaches the disk', to: { ...state, row: { ...row, isSynced: true } } },
      {
        says: 'the database crashes and forgets the claim',
        to: { ...state, row: unclaimRow(row) },
        isFault: true,
      },
    )
  if (restores && backup === null && state.epoch === 0)
    steps.push({ says: 'a backup is taken', to: { ...state, backup: { row, results, open } }, isFault: true })
  if (backup !== null)
    steps.push({ says: 'the backup is restored', to: restored(state, backup, rules), isFault: true })
  return steps
}

export const stepsOf = (state: State, rules: Rules, setting: Setting): readonly Step<State>[] => [
  ...state.workers.flatMap((_, index) => workerSteps(state, index, rules, setting)),
  ...lateSteps(state, rules, setting),
  ...reapSteps(state, rules, setting),
  ...cancelSteps(state, rules),
  ...databaseSteps(state, rules, setting),
]
