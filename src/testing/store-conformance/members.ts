// The smallest members that mean something, and the two tenants of every case.

import type { ActionPlan } from '../../core/action.ts'
import type { Event } from '../../core/event.ts'
import type { Execution } from '../../core/execution.ts'
import { chainStart } from '../../core/history.ts'
import type { Settlement } from '../../core/settle.ts'
import type { Advance, Claim, NewAction, Settle, Tenancy } from '../../store/store.ts'

export const OF: Tenancy = { namespace: 'default', tenant: 'acme' }
/** The same names in another tenant: whatever leaks is seen. */
export const OTHER: Tenancy = { namespace: 'default', tenant: 'umbrella' }
/** The same tenant's name in another namespace. */
export const ELSEWHERE: Tenancy = { namespace: 'staging', tenant: 'acme' }

export const NOW = 1_800_000_000_000
export const LEASE_MS = 30_000

export const ERROR = { type: 'timeout', message: 'timed out after 30s', retryable: true } as const

const plan = (over: Partial<ActionPlan> = {}): ActionPlan => ({
  name: 'notify',
  type: 'notify',
  stepKey: 'lease/notice/notify',
  status: 'queued',
  config: { to: 'ada', text: 'until Friday' },
  secrets: [],
  dueAt: NOW,
  priority: 50,
  retryPolicy: { maxAttempts: 3, backoffStrategy: 'exponential', baseDelay: 1000 },
  timeoutMs: 30_000,
  delivery: 'at_least_once',
  cancelOnExit: false,
  tags: [],
  metadata: {},
  ...over,
})

export const action = (id: string, over: Partial<ActionPlan> = {}): NewAction => ({
  id,
  plan: plan(over),
  source: { kind: 'direct', id },
})

/** An action of a step: its key is its id, so that a case can cancel it by name. */
export const step = (id: string, over: Partial<ActionPlan> = {}): NewAction => ({
  id,
  plan: plan({ stepKey: id, ...over }),
  source: { kind: 'machine', id: 'lease' },
})

export const execution = (id: string, over: Partial<Execution> = {}): Execution => ({
  ...OF,
  id,
  kind: 'machine',
  definition: 'lease',
  definitionHash: 'h1',
  status: 'active',
  state: 'signed',
  variables: { landlord: 'ada' },
  visits: { signed: 1 },
  pending: { timers: [], actions: [] },
  ...over,
})

export const event = (id: string, over: Partial<Event> = {}): Event => ({
  id,
  type: 'rent.paid',
  payload: { amount: 1200 },
  at: NOW,
  ...over,
})

export const timer = (key: string, dueAt: number = NOW) => ({
  key,
  dueAt,
  event: event(`${key}@${dueAt}`, { type: 'timer.fired', payload: {}, timer: key }),
})

export const entry = (to: string, at: number = NOW) => ({
  type: 'execution.transitioned',
  at,
  data: { to },
})

/** Begins the execution, unless told otherwise. */
export const advance = (id: string, over: Partial<Advance> = {}, of: Tenancy = OF): Advance => ({
  execution: execution(id, of),
  expected: 0,
  chain: chainStart(of.namespace, of.tenant, id),
  consume: [],
  actions: [],
  timers: [],
  cancel: { timers: [], actions: [] },
  history: [],
  ...over,
})

export const settled = (
  { id, token, nonce }: Claim,
  over: Partial<Settlement> = {},
  more: Partial<Settle> = {},
): Settle => ({
  claim: { id, token, nonce },
  settlement: { status: 'succeeded', outcome: 'succeeded', reason: 'done', lost: 0, reaps: 0, ...over },
  worker: 'w1',
  attempt: 1,
  startedAt: NOW,
  endedAt: NOW + 5,
  ...more,
})

const failed = { outcome: 'failed', error: ERROR } as const
export const DEAD: Partial<Settlement> = { status: 'dead', reason: 'attempts_exhausted', ...failed }
export const REVIEW: Partial<Settlement> = { status: 'review', reason: 'outcome_unknown', ...failed }
export const CANCELLED: Partial<Settlement> = {
  status: 'cancelled',
  reason: 'cancelled',
  outcome: 'cancelled',
}
export const RETRY: Partial<Settlement> = {
  status: 'queued',
  reason: 'retry',
  dueAt: NOW + 1000,
  ...failed,
}
