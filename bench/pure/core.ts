// Figures of the pure core (I): decisions of a machine beside xstate's pure transition, templates beside bare JSON, conditions
// beside json-logic-js. No I/O, one thread.

import { compileCondition, evaluate } from '../../src/core/condition.ts'
import type { Event } from '../../src/core/event.ts'
import { blankExecution } from '../../src/core/execution.ts'
import { settle } from '../../src/core/settle.ts'
import { render } from '../../src/core/template/render.ts'
import { scopeOf } from '../../src/core/template/scope.ts'
import { decideMachine } from '../../src/core/triggers/machine.ts'
import { machine } from '../../src/index.ts'
import type { Figure } from '../figure.ts'
import { loadPeer } from '../peers.ts'
import { type Contender, type Effort, rate } from '../rate.ts'

const NOW = Date.UTC(2026, 0, 1)

const repeat =
  (work: (index: number) => unknown) =>
  (n: number): number => {
    let last: unknown
    for (let i = 0; i < n; i++) last = work(i)
    return last === undefined ? 0 : n
  }

/** A peer that is not installed is left out: these figures stand alone too. */
type Load = (make: () => Promise<Contender>) => Promise<readonly Contender[]>

const light = machine({
  id: 'light',
  events: {},
  initial: 'green',
  states: {
    green: { on: { 'action.succeeded': 'red' } },
    red: { on: { 'action.succeeded': 'green' } },
  },
})

const decisions = async (effort: Effort, load: Load): Promise<readonly Figure[]> => {
  const decide = decideMachine(light)
  const of = {
    id: 'x',
    namespace: 'default',
    tenant: 'default',
    kind: 'machine',
    definition: 'light',
  } as const
  const blank = blankExecution({ ...of, definitionHash: light.hash })
  const event: Event = { id: 'e', type: 'action.succeeded', payload: {}, at: NOW }
  let execution: typeof blank = { ...blank, state: 'green', visits: { green: 1 } }
  const peers = await load(async () => {
    const { label, library } = await loadPeer<Xstate>('xstate')
    const states = { green: { on: { next: 'red' } }, red: { on: { next: 'green' } } }
    const logic = library.createMachine({ initial: 'green', states })
    let snapshot = library.initialTransition(logic)[0]
    return {
      label,
      run: repeat(() => {
        snapshot = library.transition(logic, snapshot, { type: 'next' })[0]
        return snapshot
      }),
    }
  })
  const ours = repeat(() => {
    execution = decide(execution, event, NOW).execution
    return execution
  })
  return rate('core: decisions', { ours, peers, effort })
}

interface Xstate {
  readonly createMachine: (config: object) => object
  readonly initialTransition: (logic: object) => readonly [object, ...unknown[]]
  readonly transition: (logic: object, snapshot: object, event: object) => readonly [object, ...unknown[]]
}

const settlements = (effort: Effort): readonly Figure[] => {
  const action = {
    status: 'running',
    stepKey: 'l_882/notice_received/notify',
    delivery: 'at_least_once',
    retryPolicy: {
      maxAttempts: 3,
      backoffStrategy: 'exponential',
      baseDelay: 1000,
      multiplier: 2,
      maxDelay: 300_000,
      jitter: true,
    },
    attempt: 1,
    lost: 0,
    reaps: 0,
    cancelRequested: false,
  } as const
  const failure = {
    error: { type: 'timeout', message: 'no answer', retryable: true },
    effect: 'none',
  } as const
  const ours = repeat((i) => settle(action, { kind: 'failed', failure }, NOW + i))
  return rate('core: settlements with backoff', { ours, peers: [], effort })
}

const TEMPLATE = {
  to: '{{variables.landlord.email}}',
  subject: 'Notice for {{variables.unit}} until {{event.payload.until}}',
  lines: ['{{variables.unit}}', 'as of {{now}}'],
  rent: '{{variables.rent}}',
}
const variables = { landlord: { email: 'ada@example.com' }, unit: 'flat 4', rent: 1200 }
const scope = scopeOf({
  execution: { id: 'l_882', variables },
  event: { id: 'evt_1', type: 'notice.received', payload: { until: '2026-12-31' } },
  now: NOW,
})

const templates = (effort: Effort): readonly Figure[] =>
  rate('core: templates of five placeholders', {
    ours: repeat(() => render(TEMPLATE, scope).value),
    peers: [{ label: 'JSON there and back', run: repeat(() => JSON.parse(JSON.stringify(TEMPLATE))) }],
    effort,
  })

const RULE = {
  and: [
    { '>': [{ var: 'variables.rent' }, 1000] },
    { in: [{ var: 'variables.unit' }, ['flat 3', 'flat 4']] },
  ],
}

const conditions = async (effort: Effort, load: Load): Promise<readonly Figure[]> => {
  const condition = compileCondition(RULE)
  const peers = await load(async () => {
    type Apply = { readonly apply: (rule: object, data: object) => boolean }
    const { label, library } = await loadPeer<Apply & { readonly default?: Apply }>('json-logic-js')
    const { apply } = library.default ?? library
    return { label, run: repeat(() => (apply(RULE, { variables }) ? true : undefined)) }
  })
  return rate('core: conditions', {
    ours: repeat(() => (evaluate(condition, scope) ? true : undefined)),
    peers,
    effort,
  })
}

export const coreFigures = async (effort: Effort, load: Load): Promise<readonly Figure[]> => [
  ...(await decisions(effort, load)),
  ...settlements(effort),
  ...templates(effort),
  ...(await conditions(effort, load)),
]
