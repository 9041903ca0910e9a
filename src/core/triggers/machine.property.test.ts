// decide is total, deterministic and leaves its input alone: over generated machines, events and times.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { MachineData, StateData, TransitionData } from '../definition.ts'
import type { Event } from '../event.ts'
import { blankExecution, type Execution } from '../execution.ts'
import { fold } from '../fold.ts'
import { canonical, type Json, type JsonObject } from '../json.ts'
import { decideMachine, type Machine } from './machine.ts'
import { compileMachine } from './machine-data.ts'

const NAMES = ['a', 'b', 'constructor', '__proto__', 'toString'] as const
const EVENTS = ['go', 'stop', 'email_sent', 'action.succeeded', 'action.failed', 'hasOwnProperty'] as const
const name = fc.constantFrom(...NAMES)
const eventName = fc.constantFrom(...EVENTS)

const template = fc.constantFrom<Json>(
  'text',
  '{{variables.n}}',
  '{{variables.missing}}',
  '{{event.payload.n | default: 1}}',
  '{{constructor.constructor}}',
  { deep: ['{{now}}', '{{execution.id}}'] },
)
const condition = fc.constantFrom<Json>(
  true,
  false,
  { '>': [{ var: 'event.payload.n' }, 5] },
  { '==': [{ var: 'variables.n' }, null] },
)
const transition: fc.Arbitrary<TransitionData> = fc.record(
  {
    to: name,
    condition,
    of: fc.constantFrom('x', 'y'),
    set: fc.record({ n: fc.constantFrom(1, '{{now}}') }),
  },
  { requiredKeys: ['to'] },
)
const action = fc.record(
  {
    type: fc.constantFrom('email', 'constructor'),
    config: fc.record({ to: template }),
    condition,
    delay: fc.constantFrom('5m', 0),
    cancelOnExit: fc.boolean(),
  },
  { requiredKeys: ['type', 'config'] },
)
const state: fc.Arbitrary<StateData> = fc.record(
  {
    enter: fc.array(action, { maxLength: 3 }),
    on: fc.dictionary(eventName, fc.array(transition, { minLength: 1, maxLength: 3 })),
    after: fc.dictionary(fc.constantFrom('30d', '1h'), transition),
    final: fc.boolean(),
  },
  { requiredKeys: [] },
)
const machine: fc.Arbitrary<Machine> = fc
  .record({ initial: name, onActionDead: fc.constantFrom('continue' as const, 'fail' as const) })
  .chain((head) =>
    fc.tuple(...NAMES.map(() => state)).map((states) => {
      const data: MachineData = {
        kind: 'machine',
        id: 'm',
        ...head,
        states: Object.fromEntries(NAMES.map((key, index) => [key, states[index]!])),
      }
      return compileMachine(data, (variables) => variables)
    }),
  )
const external: fc.Arbitrary<Event> = fc.record(
  {
    id: fc.string(),
    type: eventName,
    payload: fc.oneof(fc.record({ n: fc.integer() }), fc.jsonValue() as fc.Arbitrary<Json>),
    at: fc.nat(),
    action: fc.record({
      id: fc.constant('act_1'),
      name: fc.constantFrom('x', 'y'),
      ended: fc.constantFrom('succeeded' as const, 'dead' as const, 'review' as const),
    }),
  },
  { requiredKeys: ['id', 'type', 'payload', 'at'] },
)

const freeze = <T>(value: T): T => {
  if (typeof value === 'object' && value !== null) {
    Object.freeze(value)
    for (const part of Object.values(value)) freeze(part)
  }
  return value
}

/** Runs a life: the start, then events and whatever timers are armed, as the engine would deliver them. */
const live = (
  built: Machine,
  events: readonly Event[],
  see: (execution: Execution, event: Event) => void,
): void => {
  const blank = blankExecution({
    id: 'x',
    namespace: 'n',
    tenant: 't',
    kind: 'machine',
    definition: 'm',
    definitionHash: built.hash,
  })
  const input: JsonObject = { n: 1 }
  let execution: Execution = blank
  let now = 1_700_000_000_000
  const queue: Event[] = [{ id: 'x/started', type: 'execution.started', payload: input, at: now }, ...events]
  for (let step = 0; step < 40 && queue.length > 0; step++) {
    const event = queue.shift()!
    see(execution, event)
    const decision = decideMachine(built)(freeze(execution), freeze(event), now)
    execution = decision.execution
    now += 1000
    queue.push(...decision.raised, ...decision.timers.map((timer) => timer.event))
  }
}

const times = 300

describe('decide', () => {
  it('is total, and deterministic: equal input, equal decision', () => {
    fc.assert(
      fc.property(machine, fc.array(external, { maxLength: 8 }), (built, events) => {
        live(built, events, (execution, event) => {
          const [one, other] = [1, 2].map(() => decideMachine(built)(execution, event, 1_700_000_000_000))
          expect(canonical(one)).toBe(canonical(other))
        })
      }),
      { numRuns: times },
    )
  })

  it('never mutates its input (every input is frozen to the bottom)', () => {
    fc.assert(
      fc.property(machine, fc.array(external, { maxLength: 8 }), (built, events) => {
        const pristine = canonical(Object.getOwnPropertyNames(Object.prototype))
        live(built, events, () => {})
        expect(canonical(Object.getOwnPropertyNames(Object.prototype))).toBe(pristine)
      }),
      { numRuns: times },
    )
  })

  it('I3: no two actions of one life share a step key, no two timers a key', () => {
    fc.assert(
      fc.property(machine, fc.array(external, { maxLength: 8 }), (built, events) => {
        const keys: string[] = []
        live(built, events, (execution, event) => {
          const { actions, timers } = decideMachine(built)(execution, event, 1_700_000_000_000)
          keys.push(
            ...actions.map((planned) => planned.stepKey),
            ...timers.map((timer) => `timer ${timer.key}`),
          )
        })
        expect(new Set(keys).size).toBe(keys.length)
      }),
      { numRuns: times },
    )
  })

  it('a line that says that its names are in order has canonical text as it is, with the ids of its actions', () => {
    fc.assert(
      fc.property(machine, fc.array(external, { maxLength: 8 }), (built, events) => {
        live(built, events, (execution, event) => {
          const { steps } = fold(decideMachine(built), execution, [event], {
            now: 1_700_000_000_000,
            draw: () => 'act_1',
          })
          for (const { history } of steps)
            if (history.isOrdered) expect(JSON.stringify(history.data)).toBe(canonical(history.data))
        })
      }),
      { numRuns: times },
    )
  })

  it('an event that is not applied leaves the execution as it was, the very same object', () => {
    fc.assert(
      fc.property(machine, fc.array(external, { maxLength: 8 }), (built, events) => {
        live(built, events, (execution, event) => {
          const decision = decideMachine(built)(execution, event, 1_700_000_000_000)
          if (!decision.applied) expect(decision.execution).toBe(execution)
          expect(decision.reason === undefined).toBe(decision.applied)
        })
      }),
      { numRuns: times },
    )
  })
})
