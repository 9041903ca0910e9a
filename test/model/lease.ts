// The protocol of one claim, checked: what must hold of lease-steps.ts in every state, which states are alike, and the rules
// without which it breaks.

import { MAX_REAPS } from '../../src/core/settle.ts'
import type { Model } from './checker.ts'
import { type Claim, hasEnded, hasResult, MAX_ATTEMPTS, QUEUED, type Row } from './claimed-row.ts'
import { IDLE, REAL, type Rules, type Setting, type State, stepsOf } from './lease-steps.ts'
import { type Suite, scenario, weaker } from './suite.ts'

/** Lost often before, so that a few steps lead to the last expiry that is allowed. */
const initial = ({ workers, reaps, cancels, drains }: Setting): State => {
  const before = MAX_REAPS - reaps
  return {
    row: { ...QUEUED, attempt: before, lost: before, reaps: before },
    results: 0,
    open: 1,
    workers: Array.from({ length: workers }, () => IDLE),
    reaping: null,
    late: null,
    performed: 0,
    keys: [],
    backup: null,
    epoch: 0,
    nonces: 0,
    cancels,
    drains,
    isUsurped: false,
  }
}

const invariantsOf = ({ delivery }: Setting): Model<State>['invariants'] => ({
  I2: ({ row, epoch }, before) =>
    !hasEnded(before.row) || epoch !== before.epoch || row.status === before.row.status,
  I3: ({ keys }) => keys.length <= 1,
  I4: ({ row, performed }) => row.status !== 'succeeded' || (performed > 0 && row.attempt > 0),
  I5: ({ row, results }) => results === (hasResult(row) ? 1 : 0),
  I6: ({ row, open }) => open === (hasEnded(row) ? 0 : 1),
  I10: ({ row }) =>
    row.attempt - row.lost <= MAX_ATTEMPTS &&
    row.reaps <= MAX_REAPS &&
    (row.reaps < MAX_REAPS || hasEnded(row)),
  S3: ({ performed }) => delivery !== 'at_most_once' || performed <= 1,
  P3: ({ isUsurped }) => !isUsurped,
})

/**
 * Workers have no order, and neither a nonce nor a token has a meaning but to be the row's or not. A claim whose nonce
 * fits nothing that is stored can change nothing: all such zombies are alike, unless the rules forget to look.
 */
const keyOf = (state: State, rules: Rules): string => {
  const { row, reaping, late, backup } = state
  const stored = [row.nonce, row.holder, reaping?.nonce ?? 0, backup?.row.nonce ?? 0]
  const told = (claim: Claim, outcome: string): string => {
    const nonce = claim.nonce === 0 ? -2 : stored.indexOf(claim.nonce)
    if (nonce === -1 && rules.checksNonce && rules.keepsKey) return 'zombie'
    const { token, attempt, lost, reaps, cancelRequested } = claim
    return `${outcome},${nonce},${token - row.token},${attempt},${lost},${reaps},${cancelRequested}`
  }
  const rowKey = (one: Row): string =>
    `${one.status},${one.lease},${one.isSynced},${stored.indexOf(one.holder)},${told(one, '')}`
  const workers = state.workers.map(({ at, claim, outcome = '' }) =>
    at === 'idle' ? '' : `${at},${told(claim, outcome)}`,
  )
  return [
    rowKey(row),
    state.results,
    state.open,
    workers.sort().join(' '),
    reaping === null ? '' : told(reaping, ''),
    late === null ? '' : told(late.claim, late.outcome),
    state.performed,
    state.keys,
    backup === null ? '' : `${rowKey(backup.row)},${backup.results},${backup.open}`,
    state.epoch,
    state.cancels,
    state.drains,
    state.isUsurped,
  ].join('|')
}

const modelOf = (setting: Setting, rules: Rules): Model<State> => ({
  initial: initial(setting),
  steps: (state) => stepsOf(state, rules, setting),
  invariants: invariantsOf(setting),
  isEnd: ({ row, workers }) => hasEnded(row) && workers.every(({ at }) => at === 'idle'),
  key: (state) => keyOf(state, rules),
})

const ALL: Setting = {
  delivery: 'at_least_once',
  workers: 2,
  reaps: 2,
  cancels: 1,
  drains: 1,
  forgets: true,
  delays: true,
  restores: false,
}
const PLAIN: Setting = { ...ALL, cancels: 0, drains: 0, delays: false }
const THREE: Setting = { ...PLAIN, workers: 3 }
const STOPPED: Setting = { ...PLAIN, cancels: 1, drains: 1, forgets: false }
const DELAYED: Setting = { ...PLAIN, delays: true }
const AT_MOST: Setting = { ...ALL, delivery: 'at_most_once' }
const RESTORED: Setting = { ...PLAIN, forgets: false, restores: true }

const without = (setting: Setting, rules: Partial<Rules>): Model<State> =>
  modelOf(setting, { ...REAL, ...rules })

export const lease: Suite = {
  name: 'lease',
  real: [
    scenario('three workers', (size) => modelOf(size === 'commit' ? THREE : { ...THREE, cancels: 1 }, REAL)),
    scenario('a cancel and a shutdown', (size) =>
      modelOf(size === 'commit' ? STOPPED : { ...STOPPED, drains: 2, forgets: true }, REAL),
    ),
    scenario('a settlement that is late', (size) =>
      modelOf(size === 'commit' ? DELAYED : { ...ALL, workers: 3, reaps: 1 }, REAL),
    ),
    scenario('at_most_once', (size) =>
      modelOf(size === 'commit' ? AT_MOST : { ...AT_MOST, workers: 3, drains: 2 }, REAL),
    ),
    scenario('a backup is restored', (size) =>
      modelOf(size === 'commit' ? RESTORED : { ...RESTORED, forgets: true, delays: true, reaps: 1 }, REAL),
    ),
  ],
  spare: [scenario('without the token: the nonce is enough', () => without(PLAIN, { checksToken: false }))],
  weaker: [
    weaker('token without nonce', 'P3', without(PLAIN, { checksNonce: false })),
    weaker(
      'lease without fence',
      'P3',
      without({ ...PLAIN, forgets: false }, { checksNonce: false, checksToken: false }),
    ),
    weaker('settle without status check', 'I5', without(PLAIN, { checksStatus: false })),
    weaker('reap by id only', 'I2', without(PLAIN, { fencesReap: false })),
    weaker('reap that does not check expiry', 'P3', without(PLAIN, { reapsOnlyExpired: false })),
    weaker('reap without limit', 'I10', without(PLAIN, { limitsReaps: false })),
    weaker('claim without a lease', 'I7', without(PLAIN, { leases: false })),
    weaker('cancel by id only', 'I2', without(STOPPED, { checksCancel: false })),
    weaker('read-then-write claim', 'S3', without(AT_MOST, { claimsAtOnce: false })),
    weaker('at_most_once claim without fsync', 'S3', without(AT_MOST, { syncsMarker: false })),
    weaker('idempotency key per attempt', 'I3', without(PLAIN, { keepsKey: false })),
    weaker('epoch not checked', 'P3', without(RESTORED, { changesEpoch: false })),
    weaker(
      'settlement and result event in two transactions',
      'I5',
      without(PLAIN, {
        writesResultWithSettlement: false,
      }),
    ),
  ],
}
