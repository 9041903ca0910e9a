import { expect, it } from 'vitest'
import type { ActionPlan } from '../core/action.ts'
import { planOfStored, type StoredPlan, storedPlan } from './stored-plan.ts'

const usual: ActionPlan = {
  name: 'email',
  type: 'email',
  stepKey: 'act_1',
  status: 'queued',
  config: { to: 'ada' },
  secrets: [],
  dueAt: 1000,
  priority: 50,
  retryPolicy: {
    maxAttempts: 3,
    backoffStrategy: 'exponential',
    baseDelay: 1000,
    multiplier: 2,
    maxDelay: 300_000,
    jitter: true,
  },
  timeoutMs: 30_000,
  delivery: 'at_least_once',
  cancelOnExit: false,
  tags: [],
  metadata: {},
}

/** As the queue's own door writes it. */
const row = { id: 'act_1', createdAt: 1000 }

const OTHERS: readonly Partial<ActionPlan>[] = [
  { name: 'send' },
  { stepKey: 'lease_1/active/send' },
  { dueAt: 1001 },
  { status: 'dead', error: { type: 'unknown_error', message: 'no', retryable: false } },
  { status: 'skipped' },
  { secrets: [{ path: ['to'], name: 'token' } as never] },
  { priority: 0 },
  { retryPolicy: { ...usual.retryPolicy, maxAttempts: 4 } },
  { retryPolicy: { ...usual.retryPolicy, backoffStrategy: 'fixed' } },
  { retryPolicy: { ...usual.retryPolicy, baseDelay: 0 } },
  { retryPolicy: { ...usual.retryPolicy, multiplier: 3 } },
  { retryPolicy: { ...usual.retryPolicy, maxDelay: 1 } },
  { retryPolicy: { ...usual.retryPolicy, jitter: 0.1 } },
  { retryPolicy: { ...usual.retryPolicy, retryableErrors: [] } },
  { retryPolicy: { ...usual.retryPolicy, nonRetryableErrors: ['timeout'] } },
  { retryPolicy: { maxAttempts: 3, backoffStrategy: 'exponential' } },
  { timeoutMs: 0 },
  { delivery: 'at_most_once' },
  { cancelOnExit: true },
  { tags: ['a'] },
  { metadata: { a: null } },
  { summary: 's', dedup: { key: 'k' }, expiresAt: 5, runner: 'r' },
]

it('U1: what every plan says is left out, and what its row says, and what is left out is this', () => {
  expect(storedPlan(usual, row)).toEqual({ type: 'email', config: { to: 'ada' } })
  expect(planOfStored(storedPlan(usual, row), row)).toEqual(usual)
})

it.each(OTHERS)('what is not usual is written and read again: %j', (other) => {
  const plan = { ...usual, ...other }
  const written: StoredPlan = JSON.parse(JSON.stringify(storedPlan(plan, row)))
  expect(Object.keys(written)).toEqual(expect.arrayContaining(Object.keys(other)))
  expect(planOfStored(written, row)).toEqual(plan)
})

it('a row that says all of it is read as it is', () => {
  expect(planOfStored(JSON.parse(JSON.stringify(usual)), { id: 'act_2', createdAt: 5 })).toEqual(usual)
})

/** Does not compile when a plan has a part that is not here. */
const ALL: Required<ActionPlan> = {
  ...usual,
  error: { type: 'unknown_error', message: 'no', retryable: false },
  summary: 's',
  dedup: { key: 'k', forMs: 5 },
  gather: { kind: 'debounce', ms: 1 } as never,
  limit: { key: 'l', concurrency: 1 } as never,
  window: 'office',
  expiresAt: 5,
  runner: 'r',
}

it('every part that a plan may have is written and read again', () => {
  expect(planOfStored(JSON.parse(JSON.stringify(storedPlan(ALL, row))), row)).toEqual(ALL)
})
