// Dispatch and eager claim (src/store/store.ts NewAction.claim, src/store/*/actions.ts): one request becomes one action, inserted
// already claimed by the process that will run it. The reply to the insert may be lost: the process reads back by the id,
// which was drawn before, and by the nonce; it runs nothing that is not known to be stored. A process that crashed is
// asked again by its caller, with the same id. Another worker takes over when the lease has run out.

import type { Delivery } from '../../src/core/action.ts'
import type { Model, Step } from './checker.ts'
import {
  type Claim,
  claimOf,
  claimRow,
  FENCE,
  hasEnded,
  holds,
  isTheirs,
  QUEUED,
  type Row,
  settleRow,
} from './claimed-row.ts'
import { type Suite, scenario, weaker } from './suite.ts'

interface Rules {
  /** An action inserted as claimed carries a nonce like any other. Else: its holder settles by id and status. */
  readonly fencesEager: boolean
  /** Nothing runs before its insert is known to be stored. */
  readonly waitsForCommit: boolean
  /** An unknown commit is read back. Else: it is made again, as a new action. */
  readonly readsBack: boolean
}

const REAL: Rules = { fencesEager: true, waitsForCommit: true, readsBack: true }

interface Process {
  readonly at: 'idle' | 'unsure' | 'holding' | 'sent'
  /** The row it has to do with, by the id drawn for it; 0 when none. */
  readonly id: number
  readonly claim: Claim
  readonly isEager: boolean
}

interface State {
  /** Actions by id, from 1. The request should become one. */
  readonly rows: readonly (Row | undefined)[]
  readonly processes: readonly Process[]
  /** The counter of actions that have not ended. */
  readonly open: number
  /** What the receiver saw: ids, which make the keys; and how often it happened, counted up to two. */
  readonly keys: readonly number[]
  readonly performed: number
  readonly isAcknowledged: boolean
  /** An insert still under way, though its sender has given up waiting. */
  readonly late: { readonly id: number; readonly row: Row } | null
  readonly nonces: number
  readonly isUsurped: boolean
}

const IDLE: Process = { at: 'idle', id: 0, claim: claimOf(QUEUED), isEager: false }

const withProcess = (state: State, index: number, process: Process): State => ({
  ...state,
  processes: state.processes.with(index, process),
})

const withRow = (state: State, id: number, row: Row): State => ({
  ...state,
  rows: state.rows.with(id - 1, row),
})

const insertSteps = (state: State, index: number, id: number, rules: Rules): Step<State>[] => {
  const who = `p${index + 1}`
  const free = withProcess(state, index, IDLE)
  if (state.rows[id - 1] !== undefined)
    return [{ says: `${who} inserts again: duplicate`, to: { ...free, isAcknowledged: true } }]
  const nonce = state.nonces + 1
  const row = claimRow(QUEUED, nonce, true)
  const process: Process = { at: 'holding', id, claim: claimOf(row), isEager: true }
  const drawn = { ...state, nonces: nonce }
  const inserted = withRow({ ...drawn, open: state.open + 1 }, id, row)
  const unknown: Process = { ...process, at: rules.waitsForCommit ? 'unsure' : 'holding' }
  const steps: Step<State>[] = [
    {
      says: `${who} inserts as claimed`,
      to: withProcess({ ...inserted, isAcknowledged: true }, index, process),
    },
    { says: `${who} inserts, the reply is lost`, to: withProcess(inserted, index, unknown), isFault: true },
  ]
  if (state.late !== null) return steps
  const to = withProcess({ ...drawn, late: { id, row } }, index, unknown)
  return [...steps, { says: `${who} inserts, it is held up on its way`, to, isFault: true }]
}

const lateSteps = (state: State): Step<State>[] => {
  const { late, rows } = state
  if (late === null) return []
  const gone: State = { ...state, late: null }
  const lost: Step<State> = { says: 'the late insert is lost', to: gone, isFault: true }
  if (rows[late.id - 1] !== undefined) return [{ says: 'the late insert is a duplicate', to: gone }, lost]
  const to = withRow({ ...gone, open: state.open + 1 }, late.id, late.row)
  return [{ says: 'the late insert arrives', to }, lost]
}

const unsureSteps = (state: State, index: number, rules: Rules): Step<State>[] => {
  const process = state.processes[index]!
  const row = state.rows[process.id - 1]
  if (!rules.readsBack) return insertSteps(state, index, Math.min(process.id + 1, 2), rules)
  if (row === undefined) return insertSteps(state, index, process.id, rules)
  const found = { ...state, isAcknowledged: true }
  const read = holds(row, process.claim, FENCE) ? { ...process, at: 'holding' as const } : IDLE
  return [{ says: `p${index + 1} reads back`, to: withProcess(found, index, read) }]
}

const idleSteps = (state: State, index: number, rules: Rules): Step<State>[] => {
  const claims = state.rows.flatMap((row, at): Step<State>[] => {
    if (row?.status !== 'queued') return []
    const nonce = state.nonces + 1
    const taken = claimRow(row, nonce, true)
    const process: Process = { at: 'holding', id: at + 1, claim: claimOf(taken), isEager: false }
    const to = withProcess(withRow({ ...state, nonces: nonce }, at + 1, taken), index, process)
    return [{ says: `p${index + 1} claims`, to }]
  })
  return state.isAcknowledged ? claims : [...claims, ...insertSteps(state, index, 1, rules)]
}

const settleSteps = (state: State, index: number, rules: Rules, delivery: Delivery): Step<State>[] => {
  const { id, claim, isEager } = state.processes[index]!
  const who = `p${index + 1}`
  const row = state.rows[id - 1]
  const free = withProcess(state, index, IDLE)
  const fence = isEager && !rules.fencesEager ? { ...FENCE, checksToken: false, checksNonce: false } : FENCE
  if (row === undefined || !holds(row, claim, fence))
    return [{ says: `${who} settles and is fenced`, to: free }]
  const ended = settleRow(row, claim, 'done', delivery)
  const isUsurped = state.isUsurped || !isTheirs(row, claim)
  return [
    {
      says: `${who} settles as ${ended.status}`,
      to: withRow({ ...free, open: state.open - 1, isUsurped }, id, ended),
    },
  ]
}

const processSteps = (state: State, index: number, rules: Rules, delivery: Delivery): Step<State>[] => {
  const process = state.processes[index]!
  const who = `p${index + 1}`
  const crash: Step<State> = { says: `${who} crashes`, to: withProcess(state, index, IDLE), isFault: true }
  switch (process.at) {
    case 'idle':
      return idleSteps(state, index, rules)
    case 'unsure':
      return [...unsureSteps(state, index, rules), crash]
    case 'holding': {
      const keys = [...new Set([...state.keys, process.id])].sort((a, b) => a - b)
      const effect = { ...state, keys, performed: Math.min(2, state.performed + 1) }
      return [{ says: `${who} sends`, to: withProcess(effect, index, { ...process, at: 'sent' }) }, crash]
    }
    case 'sent':
      return [...settleSteps(state, index, rules, delivery), crash]
  }
}

const leaseSteps = (state: State, delivery: Delivery): Step<State>[] =>
  state.rows.flatMap((row, at): Step<State>[] => {
    if (row?.lease === 'held')
      return [{ says: 'the lease runs out', to: withRow(state, at + 1, { ...row, lease: 'out' }) }]
    if (row?.lease !== 'out') return []
    const reaped = settleRow(row, claimOf(row), 'expired', delivery)
    const open = state.open - (hasEnded(reaped) ? 1 : 0)
    return [
      { says: `the reaper settles it as ${reaped.status}`, to: withRow({ ...state, open }, at + 1, reaped) },
    ]
  })

const invariantsOf = (delivery: Delivery): Model<State>['invariants'] => ({
  I2: ({ rows }, before) =>
    before.rows.every((row, at) => row === undefined || !hasEnded(row) || rows[at]!.status === row.status),
  I3: ({ rows, keys }) => rows.filter((row) => row !== undefined).length <= 1 && keys.length <= 1,
  I4: ({ rows, keys }) =>
    keys.every((id) => rows[id - 1] !== undefined) &&
    rows.every((row, at) => row?.status !== 'succeeded' || keys.includes(at + 1)),
  I6: ({ rows, open, isAcknowledged }) =>
    open === rows.filter((row) => row !== undefined && !hasEnded(row)).length &&
    (!isAcknowledged || rows.some((row) => row !== undefined)),
  S3: ({ performed }) => delivery !== 'at_most_once' || performed <= 1,
  P3: ({ isUsurped }) => !isUsurped,
})

const keyOf = (state: State, rules: Rules): string => {
  const { rows, processes, late, nonces: _, ...rest } = state
  const seen = (id: number, claim: Claim): string => {
    const row = rows[id - 1] ?? (late?.id === id ? late.row : undefined)
    const isStale = row !== undefined && row.nonce !== claim.nonce
    return isStale && rules.fencesEager ? 'zombie' : `${isStale} ${JSON.stringify({ ...claim, nonce: 0 })}`
  }
  const keys = processes.map(
    ({ at, id, claim, isEager }) => `${at} ${id} ${isEager} ${at === 'idle' ? '' : seen(id, claim)}`,
  )
  const stored = rows.map((row) => row && { ...row, nonce: 0, holder: row.holder === row.nonce })
  return `${JSON.stringify([stored, late?.id, rest])} ${keys.sort().join('|')}`
}

const modelOf = (delivery: Delivery, processes: number, rules: Partial<Rules> = {}): Model<State> => {
  const all = { ...REAL, ...rules }
  return {
    initial: {
      rows: [undefined, undefined],
      processes: Array.from({ length: processes }, () => IDLE),
      open: 0,
      keys: [],
      performed: 0,
      isAcknowledged: false,
      late: null,
      nonces: 0,
      isUsurped: false,
    },
    steps: (state) => [
      ...state.processes.flatMap((_, index) => processSteps(state, index, all, delivery)),
      ...lateSteps(state),
      ...leaseSteps(state, delivery),
    ],
    invariants: invariantsOf(delivery),
    isEnd: ({ rows, processes, isAcknowledged, late }) =>
      isAcknowledged &&
      late === null &&
      processes.every(({ at }) => at === 'idle') &&
      rows.every((row) => row === undefined || hasEnded(row)),
    key: (state) => keyOf(state, all),
  }
}

export const eager: Suite = {
  name: 'eager',
  real: [
    scenario('at_least_once', (size) => modelOf('at_least_once', size === 'commit' ? 2 : 3)),
    scenario('at_most_once', (size) => modelOf('at_most_once', size === 'commit' ? 2 : 3)),
  ],
  spare: [],
  weaker: [
    weaker('eager without fence', 'P3', modelOf('at_least_once', 2, { fencesEager: false })),
    weaker(
      'eager that runs before its commit is known',
      'I4',
      modelOf('at_least_once', 2, { waitsForCommit: false }),
    ),
    weaker(
      'recovery that blindly retries after an unknown commit',
      'I3',
      modelOf('at_least_once', 2, { readsBack: false }),
    ),
  ],
}
