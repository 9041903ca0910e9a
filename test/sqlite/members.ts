// The smallest members that mean something, for tests of the stores.

import type { ActionPlan } from '../../src/core/action.ts'
import type { Execution } from '../../src/core/execution.ts'
import { chainStart } from '../../src/core/history.ts'
import type { Settlement } from '../../src/core/settle.ts'
import type { Advance, NewAction, Settle } from '../../src/store/store.ts'

export const OF = { namespace: 'default', tenant: 'acme' }
export const NOW = 1_800_000_000_000

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

export const execution = (id: string, over: Partial<Execution> = {}): Execution => ({
  ...OF,
  id,
  kind: 'machine',
  definition: 'lease',
  definitionHash: 'h1',
  status: 'active',
  state: 'active',
  variables: { landlord: 'ada' },
  visits: { active: 1 },
  pending: { timers: [], actions: [] },
  ...over,
})

export const advance = (id: string, over: Partial<Advance> & { execution?: Execution } = {}): Advance => ({
  execution: execution(id),
  expected: 0,
  chain: chainStart(OF.namespace, OF.tenant, id),
  consume: [],
  actions: [],
  timers: [],
  cancel: { timers: [], actions: [] },
  history: [],
  ...over,
})

export const settled = (
  claim: Settle['claim'],
  over: Partial<Settlement> = {},
  more: Partial<Settle> = {},
): Settle => ({
  claim: { id: claim.id, token: claim.token, nonce: claim.nonce },
  settlement: { status: 'succeeded', outcome: 'succeeded', reason: 'done', lost: 0, reaps: 0, ...over },
  worker: 'w1',
  attempt: 1,
  startedAt: NOW,
  endedAt: NOW + 5,
  ...more,
})
