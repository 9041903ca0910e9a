import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Failure } from './action-error.ts'
import type { RetryPolicy } from './retry.ts'
import { MAX_REAPS, type Outcome, type Settlement, type Settling, settle } from './settle.ts'

const NOW = Date.UTC(2026, 0, 5, 12)
const policy: RetryPolicy = { maxAttempts: 3, backoffStrategy: 'exponential', baseDelay: 1000 }
const running: Settling = {
  status: 'running',
  stepKey: 'l_882/notice_received/notify',
  attempt: 1,
  lost: 0,
  reaps: 0,
  delivery: 'at_least_once',
  retryPolicy: policy,
  cancelRequested: false,
}
const failure = (type: string, effect: Failure['effect'], more: Partial<Failure> = {}): Failure => ({
  error: { type, message: type, retryable: true },
  effect,
  ...more,
})
const failed = (type: string, effect: Failure['effect'] = 'none', more: Partial<Failure> = {}): Outcome => ({
  kind: 'failed',
  failure: failure(type, effect, more),
})
const succeeded: Outcome = {
  kind: 'succeeded',
  result: { id: 'm1' },
  event: { type: 'notified', payload: { id: 'm1' } },
}
const crashed: Outcome = { kind: 'lost', cause: 'lease_expired', started: true }
const drained: Outcome = { kind: 'lost', cause: 'shutdown', started: true }
const untouched: Outcome = { kind: 'lost', cause: 'shutdown', started: false }
const once = { delivery: 'at_most_once' } as const

interface Row {
  readonly name: string
  readonly action?: Partial<Settling>
  readonly outcome: Outcome
  readonly is: Partial<Settlement>
}

const rows: readonly Row[] = [
  { name: 'success', outcome: succeeded, is: { status: 'succeeded', outcome: 'succeeded', reason: 'done' } },
  {
    name: 'S2: success after a cancel was asked is success (cancel_too_late)',
    action: { cancelRequested: true },
    outcome: succeeded,
    is: { status: 'succeeded', reason: 'done', result: { id: 'm1' } },
  },
  {
    name: 'a failed attempt with attempts left is queued again after the backoff',
    outcome: failed('rate_limit'),
    is: { status: 'queued', outcome: 'failed', reason: 'retry', dueAt: NOW + 1000, lost: 0, reaps: 0 },
  },
  {
    name: 'the backoff grows with the attempts counted',
    action: { attempt: 2 },
    outcome: failed('rate_limit'),
    is: { status: 'queued', dueAt: NOW + 2000 },
  },
  {
    name: 'S4: a lost start is not counted: attempt 3 of which one was lost is the second',
    action: { attempt: 3, lost: 1 },
    outcome: failed('rate_limit'),
    is: { status: 'queued', dueAt: NOW + 2000, lost: 1 },
  },
  {
    name: 'the last attempt',
    action: { attempt: 3 },
    outcome: failed('rate_limit'),
    is: { status: 'dead', outcome: 'failed', reason: 'attempts_exhausted' },
  },
  {
    name: 'S4: the last attempt counts without the lost ones',
    action: { attempt: 5, lost: 2 },
    outcome: failed('rate_limit'),
    is: { status: 'dead', reason: 'attempts_exhausted' },
  },
  {
    name: 'an error the policy does not retry',
    outcome: failed('authentication_failed', 'none', {
      error: { type: 'authentication_failed', message: 'no', retryable: false },
    }),
    is: {
      status: 'dead',
      reason: 'not_retryable',
      error: { type: 'authentication_failed', message: 'no', retryable: false },
    },
  },
  {
    name: 'X-06: Retry-After beats a shorter backoff',
    outcome: failed('rate_limit', 'none', { retryAfterMs: 7000 }),
    is: { status: 'queued', dueAt: NOW + 7000 },
  },
  {
    name: 'C-008: a timeout is retried and says after how long',
    outcome: { kind: 'timed_out', timeoutMs: 30_000 },
    is: {
      status: 'queued',
      outcome: 'timed_out',
      reason: 'retry',
      error: { type: 'timeout', message: 'timed out after 30s', retryable: true },
    },
  },
  {
    name: 'S3: at_most_once, a timeout leaves the outcome unknown',
    action: once,
    outcome: { kind: 'timed_out', timeoutMs: 30_000 },
    is: { status: 'review', outcome: 'timed_out', reason: 'outcome_unknown' },
  },
  {
    name: 'S3: at_most_once, a failure that may have had its effect goes to review',
    action: { ...once, cancelRequested: true },
    outcome: failed('unknown_error', 'unknown'),
    is: { status: 'review', outcome: 'failed', reason: 'outcome_unknown' },
  },
  {
    name: 'S3: at_most_once, a known refusal is retried by policy',
    action: once,
    outcome: failed('rate_limit'),
    is: { status: 'queued', reason: 'retry' },
  },
  {
    name: 'at_least_once retries an unknown outcome under the same key',
    outcome: failed('network_error', 'unknown'),
    is: { status: 'queued', reason: 'retry' },
  },
  {
    name: 'reconcile retries an unknown outcome: the runner asks first',
    action: { delivery: 'reconcile' },
    outcome: failed('network_error', 'unknown'),
    is: { status: 'queued', reason: 'retry' },
  },
  {
    name: 'a failure after a cancel was asked is the end',
    action: { cancelRequested: true },
    outcome: failed('rate_limit'),
    is: { status: 'cancelled', outcome: 'failed', reason: 'cancelled' },
  },
  {
    name: 'a cancelled attempt',
    outcome: { kind: 'cancelled' },
    is: { status: 'cancelled', outcome: 'cancelled', reason: 'cancelled' },
  },
  {
    name: 'claimed when it was of no more use',
    outcome: { kind: 'expired' },
    is: { status: 'dead', outcome: 'cancelled', reason: 'expired' },
  },
  {
    name: 'dropped by a limit that is reached, with its reason',
    outcome: { kind: 'dropped', cause: 'limit', reason: 'the rate of “k” is used up' },
    is: {
      status: 'skipped',
      outcome: 'cancelled',
      reason: 'dropped',
      error: { type: 'limit_reached', message: 'the rate of “k” is used up', retryable: false },
    },
  },
  {
    name: 'dropped by a closed window, with its reason',
    outcome: { kind: 'dropped', reason: 'closed at night' },
    is: {
      status: 'skipped',
      outcome: 'cancelled',
      reason: 'dropped',
      error: { type: 'window_closed', message: 'closed at night', retryable: false },
    },
  },
  {
    name: 'F04: a crash is reaped, counted apart, due at once',
    action: { attempt: 3 },
    outcome: crashed,
    is: { status: 'queued', outcome: 'lost', reason: 'released', dueAt: NOW, lost: 1, reaps: 1 },
  },
  {
    name: 'F04: a lease that ran out before the runner started costs no attempt',
    outcome: { kind: 'lost', cause: 'lease_expired', started: false },
    is: { status: 'queued', lost: 0, reaps: 1 },
  },
  {
    name: 'F37: a drain gives the attempt back',
    action: { attempt: 2, lost: 1, reaps: 1 },
    outcome: drained,
    is: { status: 'queued', outcome: 'lost', reason: 'released', dueAt: NOW, lost: 2, reaps: 1 },
  },
  {
    name: 'F37: a claim released before it started costs nothing',
    outcome: untouched,
    is: { status: 'queued', lost: 0, reaps: 0 },
  },
  {
    name: 'F05: at_most_once, a crash during the effect is never sent again',
    action: once,
    outcome: crashed,
    is: { status: 'review', outcome: 'lost', reason: 'outcome_unknown', lost: 1, reaps: 1 },
  },
  {
    name: 'at_most_once, a crash before the effect is queued again',
    action: once,
    outcome: { kind: 'lost', cause: 'lease_expired', started: false },
    is: { status: 'queued', reaps: 1 },
  },
  {
    name: 'a crash after a cancel was asked',
    action: { cancelRequested: true },
    outcome: crashed,
    is: { status: 'cancelled', outcome: 'lost', reason: 'cancelled' },
  },
  {
    name: 'F35: one expiry below the limit lives',
    action: { reaps: MAX_REAPS - 2 },
    outcome: crashed,
    is: { status: 'queued', reaps: MAX_REAPS - 1 },
  },
  {
    name: 'F35: the fifth expiry is poison',
    action: { reaps: MAX_REAPS - 1 },
    outcome: crashed,
    is: { status: 'dead', outcome: 'lost', reason: 'poison', reaps: MAX_REAPS },
  },
  {
    name: 'expiresAfter: a retry that would come too late is dead, with the error that caused it',
    action: { expiresAt: NOW + 1000 },
    outcome: failed('rate_limit'),
    is: {
      status: 'dead',
      outcome: 'failed',
      reason: 'expired',
      error: { type: 'rate_limit', message: 'rate_limit', retryable: true },
    },
  },
  {
    name: 'expiresAfter: a retry one millisecond in time is queued',
    action: { expiresAt: NOW + 1001 },
    outcome: failed('rate_limit'),
    is: { status: 'queued', dueAt: NOW + 1000 },
  },
]

describe('settle', () => {
  it.each(rows)('$name', ({ action, outcome, is }) => {
    expect(settle({ ...running, ...action }, outcome, NOW)).toMatchObject(is)
  })

  it('says in words why a worker lost too often, an unknown outcome and an expiry ended it', () => {
    const error = (action: Partial<Settling>, outcome: Outcome) =>
      settle({ ...running, ...action }, outcome, NOW)?.error
    expect(error({ reaps: MAX_REAPS - 1 }, crashed)).toEqual({
      type: 'poison',
      message: 'the worker was lost 5 times while running this action',
      retryable: false,
    })
    expect(error(once, crashed)).toEqual({
      type: 'outcome_unknown',
      message: 'the worker was lost while the effect was under way; it may or may not have happened',
      retryable: false,
    })
    expect(error({ expiresAt: NOW }, drained)).toEqual({
      type: 'expired',
      message: 'the action was of no more use when it could have run again (expiresAfter)',
      retryable: false,
    })
  })

  it('carries the runner event of a success, and nothing due', () => {
    const settlement = settle(running, succeeded, NOW)
    expect(settlement).toEqual({
      status: 'succeeded',
      outcome: 'succeeded',
      reason: 'done',
      lost: 0,
      reaps: 0,
      result: { id: 'm1' },
      event: { type: 'notified', payload: { id: 'm1' } },
    })
  })
})

const anyOutcome: fc.Arbitrary<Outcome> = fc.oneof(
  fc.constant(succeeded),
  fc.record({ kind: fc.constant('cancelled' as const) }),
  fc.record({ kind: fc.constant('timed_out' as const), timeoutMs: fc.integer({ min: 1, max: 300_000 }) }),
  fc
    .tuple(fc.constantFrom('rate_limit', 'authentication_failed', 'x'), fc.constantFrom('none', 'unknown'))
    .map(([type, effect]) => failed(type, effect as Failure['effect'])),
  fc.record({
    kind: fc.constant('lost' as const),
    cause: fc.constantFrom('lease_expired' as const, 'shutdown' as const),
    started: fc.boolean(),
  }),
)
const anyAction = fc.record({
  delivery: fc.constantFrom('at_least_once' as const, 'at_most_once' as const, 'reconcile' as const),
  cancelRequested: fc.boolean(),
  maxAttempts: fc.integer({ min: 1, max: 6 }),
})

/** The life of an action as the store keeps it: a claim starts an attempt, a settlement ends it. */
const live = (
  start: { delivery: Settling['delivery']; cancelRequested: boolean; maxAttempts: number },
  outcomes: readonly Outcome[],
) => {
  let action: Settling = {
    ...running,
    ...start,
    status: 'queued',
    attempt: 0,
    retryPolicy: { ...policy, maxAttempts: start.maxAttempts },
  }
  const endings: Settlement[] = []
  for (const outcome of outcomes) {
    if (action.status === 'queued') {
      const starts = outcome.kind !== 'lost' || outcome.started
      action = { ...action, status: 'running', attempt: action.attempt + (starts ? 1 : 0) }
    }
    const settlement = settle(action, outcome, NOW)
    if (!settlement) continue
    const { status, lost, reaps } = settlement
    action = { ...action, status, lost, reaps }
    if (status !== 'queued') endings.push(settlement)
  }
  return { action, endings }
}

describe('settle, over whole lives', () => {
  it('an action never has two settlements that end it', () => {
    fc.assert(
      fc.property(anyAction, fc.array(anyOutcome, { maxLength: 40 }), (start, outcomes) => {
        expect(live(start, outcomes).endings.length).toBeLessThanOrEqual(1)
      }),
    )
  })

  it('S1: what is not running does not settle', () => {
    const statuses = ['queued', 'succeeded', 'dead', 'review', 'cancelled', 'skipped'] as const
    fc.assert(
      fc.property(fc.constantFrom(...statuses), anyOutcome, (status, outcome) => {
        expect(settle({ ...running, status }, outcome, NOW)).toBeUndefined()
      }),
    )
  })

  it('I10: attempts counted stay within maxAttempts, expiries within maxReaps', () => {
    fc.assert(
      fc.property(anyAction, fc.array(anyOutcome, { maxLength: 60 }), (start, outcomes) => {
        const { action } = live(start, outcomes)
        expect(action.attempt - action.lost).toBeLessThanOrEqual(start.maxAttempts)
        expect(action.reaps).toBeLessThanOrEqual(MAX_REAPS)
        expect(action.lost).toBeLessThanOrEqual(action.attempt)
      }),
    )
  })

  it('at_most_once: once an effect may have happened, no attempt follows', () => {
    fc.assert(
      fc.property(fc.array(anyOutcome, { maxLength: 40 }), (outcomes) => {
        const { action, endings } = live(
          { delivery: 'at_most_once', cancelRequested: false, maxAttempts: 6 },
          outcomes,
        )
        if (endings[0]?.status === 'review') expect(action.status).toBe('review')
      }),
    )
  })

  it('is deterministic and never mutates', () => {
    fc.assert(
      fc.property(anyAction, anyOutcome, (start, outcome) => {
        const action = Object.freeze({ ...running, ...start })
        expect(settle(action, outcome, NOW)).toEqual(settle(action, outcome, NOW))
      }),
    )
  })
})
