// Owns what an attempt's end means for its action: (action, outcome, now) → settlement. Pure and total.
// S1  Only a running action settles; anything else is late evidence and settles nothing.
// S2  An effect that succeeded is never sent again: success settles whatever was asked meanwhile.
// S3  Under at_most_once an attempt whose effect is unknown ends in review; a known refusal is retried by policy.
// S4  An attempt lost to a crash or a shutdown does not count to maxAttempts; expiries are counted apart (maxReaps).

import type { ActionStatus, AttemptOutcome, Delivery } from './action.ts'
import type { ActionError, Failure } from './action-error.ts'
import type { RunnerEvent } from './event.ts'
import type { Json } from './json.ts'
import { nextDelay, type RetryPolicy, shouldRetry } from './retry.ts'
import { printDuration } from './time/duration-words.ts'

export const MAX_REAPS = 5

/** What settling needs to know of an action. */
export interface Settling {
  readonly status: ActionStatus
  readonly stepKey: string
  /** Starts of the runner, this one included. */
  readonly attempt: number
  /** Starts that ended with neither success nor failure: crashes, shutdowns. */
  readonly lost: number
  /** Leases that ran out. */
  readonly reaps: number
  readonly delivery: Delivery
  readonly retryPolicy: RetryPolicy
  readonly expiresAt?: number
  readonly cancelRequested: boolean
}

export type Outcome =
  | { readonly kind: 'succeeded'; readonly result: Json; readonly event: RunnerEvent }
  | { readonly kind: 'failed'; readonly failure: Failure }
  | { readonly kind: 'timed_out'; readonly timeoutMs: number }
  | { readonly kind: 'cancelled' }
  /** Claimed when it was of no more use: never started. */
  | { readonly kind: 'expired' }
  /** Its window is closed or its limit reached, and says that what comes then is dropped: never started. */
  | { readonly kind: 'dropped'; readonly reason: string; readonly cause?: 'limit' }
  | { readonly kind: 'lost'; readonly cause: 'lease_expired' | 'shutdown'; readonly started: boolean }

export type SettleReason =
  | 'done'
  | 'retry'
  | 'released'
  | 'attempts_exhausted'
  | 'not_retryable'
  | 'poison'
  | 'expired'
  | 'dropped'
  | 'outcome_unknown'
  | 'cancelled'

export interface Settlement {
  readonly status: 'succeeded' | 'queued' | 'dead' | 'review' | 'cancelled' | 'skipped'
  readonly outcome: AttemptOutcome
  readonly reason: SettleReason
  readonly lost: number
  readonly reaps: number
  /** When it is due again; only with `queued`. */
  readonly dueAt?: number
  readonly error?: ActionError
  readonly result?: Json
  readonly event?: RunnerEvent
}

export const settle = (action: Settling, outcome: Outcome, now: number): Settlement | undefined => {
  if (action.status !== 'running') return undefined
  switch (outcome.kind) {
    case 'succeeded':
      return {
        ...end(action, 'succeeded', 'succeeded', 'done'),
        result: outcome.result,
        event: outcome.event,
      }
    case 'cancelled':
      return end(action, 'cancelled', 'cancelled', 'cancelled')
    case 'expired':
      return { ...end(action, 'dead', 'cancelled', 'expired'), error: EXPIRED }
    case 'dropped':
      return {
        ...end(action, 'skipped', 'cancelled', 'dropped'),
        error: {
          type: outcome.cause === 'limit' ? 'limit_reached' : 'window_closed',
          message: outcome.reason,
          retryable: false,
        },
      }
    case 'failed':
      return settleFailure(action, 'failed', outcome.failure, now)
    case 'timed_out':
      return settleFailure(action, 'timed_out', timedOut(outcome.timeoutMs), now)
    case 'lost':
      return settleLoss(action, outcome, now)
  }
}

const end = (
  action: Settling,
  status: Settlement['status'],
  outcome: AttemptOutcome,
  reason: SettleReason,
): Settlement => ({ status, outcome, reason, lost: action.lost, reaps: action.reaps })

const timedOut = (timeoutMs: number): Failure => ({
  error: { type: 'timeout', message: `timed out after ${printDuration(timeoutMs)}`, retryable: true },
  effect: 'unknown',
})

const settleFailure = (
  action: Settling,
  outcome: 'failed' | 'timed_out',
  failure: Failure,
  now: number,
): Settlement => {
  const { error } = failure
  const unknown = action.delivery === 'at_most_once' && failure.effect === 'unknown'
  if (unknown) return { ...end(action, 'review', outcome, 'outcome_unknown'), error }
  if (action.cancelRequested) return { ...end(action, 'cancelled', outcome, 'cancelled'), error }
  const counted = action.attempt - action.lost
  if (counted >= action.retryPolicy.maxAttempts)
    return { ...end(action, 'dead', outcome, 'attempts_exhausted'), error }
  if (!shouldRetry(failure, counted, action.retryPolicy))
    return { ...end(action, 'dead', outcome, 'not_retryable'), error }
  const dueAt = now + nextDelay(action.retryPolicy, counted, action.stepKey, failure.retryAfterMs)
  return { ...again(action, outcome, 'retry', dueAt), error }
}

const settleLoss = (
  before: Settling,
  outcome: Extract<Outcome, { kind: 'lost' }>,
  now: number,
): Settlement => {
  const action = {
    ...before,
    lost: before.lost + (outcome.started ? 1 : 0),
    reaps: before.reaps + (outcome.cause === 'lease_expired' ? 1 : 0),
  }
  if (outcome.started && action.delivery === 'at_most_once')
    return { ...end(action, 'review', 'lost', 'outcome_unknown'), error: LOST }
  if (action.cancelRequested) return end(action, 'cancelled', 'lost', 'cancelled')
  if (action.reaps >= MAX_REAPS) return { ...end(action, 'dead', 'lost', 'poison'), error: POISON }
  return again(action, 'lost', 'released', now)
}

/** Back to the queue, unless it would then be past its use. */
const again = (
  action: Settling,
  outcome: AttemptOutcome,
  reason: 'retry' | 'released',
  dueAt: number,
): Settlement =>
  action.expiresAt !== undefined && dueAt >= action.expiresAt
    ? { ...end(action, 'dead', outcome, 'expired'), error: EXPIRED }
    : { ...end(action, 'queued', outcome, reason), dueAt }

const LOST: ActionError = {
  type: 'outcome_unknown',
  message: 'the worker was lost while the effect was under way; it may or may not have happened',
  retryable: false,
}

const EXPIRED: ActionError = {
  type: 'expired',
  message: 'the action was of no more use when it could have run again (expiresAfter)',
  retryable: false,
}

const POISON: ActionError = {
  type: 'poison',
  message: `the worker was lost ${MAX_REAPS} times while running this action`,
  retryable: false,
}
