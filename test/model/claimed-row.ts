// Owns the store's half of a claim, shared by the models of it: a row, the fence, and what a settlement writes. It is
// src/store/sqlite/{claim,fence,settle}.ts without SQL, and calls the real src/core/settle.ts. One thing is weaker here on
// purpose: a settled row keeps its nonce and its place (the stores clear the one and move the other), so that the fence
// is checked to be enough by itself. Time is a lease that is held or has run out.

import type { ActionStatus, Delivery } from '../../src/core/action.ts'
import type { RetryPolicy } from '../../src/core/retry.ts'
import { type Outcome, type Settlement, settle } from '../../src/core/settle.ts'

/** What a claim returns: the proof, and what settling needs to know. */
export interface Claim {
  readonly token: number
  readonly nonce: number
  readonly attempt: number
  readonly lost: number
  readonly reaps: number
  readonly cancelRequested: boolean
}

export interface Row extends Claim {
  readonly status: ActionStatus
  readonly lease: 'none' | 'held' | 'out'
  /** False while a claim is not on disk yet: a crash of the database takes it back. */
  readonly isSynced: boolean
  /** Known to nobody in the protocol: the nonce of the claim that really holds the row, 0 when none does. */
  readonly holder: number
}

/** What the fence looks at. The real one looks at all of it. */
export interface Fence {
  readonly checksStatus: boolean
  readonly checksToken: boolean
  readonly checksNonce: boolean
}

export const FENCE: Fence = { checksStatus: true, checksToken: true, checksNonce: true }

export const QUEUED: Row = {
  status: 'queued',
  token: 0,
  nonce: 0,
  attempt: 0,
  lost: 0,
  reaps: 0,
  cancelRequested: false,
  lease: 'none',
  isSynced: true,
  holder: 0,
}

export const hasEnded = ({ status }: Row): boolean => status !== 'queued' && status !== 'running'

/** Ends that the execution hears of, by a result event. */
export const hasResult = ({ status }: Row): boolean =>
  status === 'succeeded' || status === 'dead' || status === 'review'

export const claimOf = ({ token, nonce, attempt, lost, reaps, cancelRequested }: Row): Claim => ({
  token,
  nonce,
  attempt,
  lost,
  reaps,
  cancelRequested,
})

export const claimRow = (row: Row, nonce: number, isSynced: boolean): Row => ({
  ...row,
  status: 'running',
  token: row.token + 1,
  nonce,
  lease: 'held',
  isSynced,
  holder: nonce,
})

/** The database comes back without the claim it had not synced: also the token's counter is where it was. */
export const unclaimRow = (row: Row): Row => ({
  ...row,
  status: 'queued',
  token: row.token - 1,
  nonce: 0,
  lease: 'none',
  isSynced: true,
  holder: 0,
})

export const holds = (row: Row, claim: Claim, fence: Fence): boolean =>
  (row.status === 'running' || !fence.checksStatus) &&
  (row.token === claim.token || !fence.checksToken) &&
  (row.nonce === claim.nonce || !fence.checksNonce)

/** Is it theirs in truth, whatever the fence said? */
export const isTheirs = (row: Row, claim: Claim): boolean =>
  row.status === 'running' && row.holder === claim.nonce

export const MAX_ATTEMPTS = 2
const POLICY: RetryPolicy = { maxAttempts: MAX_ATTEMPTS, backoffStrategy: 'fixed' }

const REFUSED: Outcome = {
  kind: 'failed',
  failure: { error: { type: 'rate_limit', message: 'not now', retryable: true }, effect: 'none' },
}

/** How an attempt ends, as the one who settles it sees it. */
export const OUTCOMES = {
  done: { kind: 'succeeded', result: null, event: { type: 'sent', payload: {} } },
  refused: REFUSED,
  silent: { kind: 'timed_out', timeoutMs: 30_000 },
  stopped: { kind: 'cancelled' },
  'handed back': { kind: 'lost', cause: 'shutdown', started: false },
  'cut off': { kind: 'lost', cause: 'shutdown', started: true },
  expired: { kind: 'lost', cause: 'lease_expired', started: true },
} as const satisfies Record<string, Outcome>

export type OutcomeName = keyof typeof OUTCOMES

const remembered = new Map<string, Settlement>()

const settlementOf = (claim: Claim, name: OutcomeName, attempt: number, delivery: Delivery): Settlement => {
  const { lost, reaps, cancelRequested } = claim
  const key = [name, attempt, lost, reaps, cancelRequested, delivery].join()
  const known = remembered.get(key)
  if (known !== undefined) return known
  const action = {
    status: 'running',
    stepKey: 'step',
    attempt,
    lost,
    reaps,
    delivery,
    retryPolicy: POLICY,
    cancelRequested,
  } as const
  const settlement = settle(action, OUTCOMES[name], 0)!
  remembered.set(key, settlement)
  return settlement
}

/** The row after a settlement that the fence let through. */
export const settleRow = (row: Row, claim: Claim, outcome: OutcomeName, delivery: Delivery): Row => {
  const attempt = outcome === 'handed back' ? claim.attempt : claim.attempt + 1
  const { status, lost, reaps } = settlementOf(claim, outcome, attempt, delivery)
  return {
    ...row,
    status,
    attempt: Math.max(row.attempt, attempt),
    lost,
    reaps,
    lease: 'none',
    isSynced: true,
    holder: 0,
  }
}
