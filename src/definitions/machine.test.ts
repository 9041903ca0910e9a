// The rules of machines, row by row, through machines written in code: what core does with them is the same as with
// machines from files, so what is tested here is that every part of the code reaches core as it was written.

import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { ActionError } from '../core/action-error.ts'
import type { Decision } from '../core/decision.ts'
import { type Event, failedEvent, startedEvent, succeededEvent } from '../core/event.ts'
import { blankExecution, type Execution } from '../core/execution.ts'
import type { Json, JsonObject } from '../core/json.ts'
import { decideMachine, type Machine } from '../core/triggers/machine.ts'
import { runner } from '../runners/runner.ts'
import { machine } from './machine.ts'

const T0 = Date.UTC(2026, 0, 5, 9)
const DAY = 86_400_000

const notify = runner({
  type: 'notify',
  config: z.object({ to: z.string(), text: z.string() }),
  result: z.object({ id: z.string() }),
  event: 'notified',
  execute: async () => ({ id: 'm1' }),
})
const ping = runner({ type: 'ping', config: z.object({}), execute: () => null })

const lease = machine({
  id: 'lease',
  variables: z.object({ landlord: z.string(), daysLate: z.number().default(0) }),
  events: {
    'notice.received': z.object({ until: z.iso.date() }),
    'payment.late': z.object({ days: z.number() }),
    noted: z.object({}),
  },
  uses: [notify],
  initial: 'active',
  states: {
    active: {
      on: {
        'notice.received': 'notice_received',
        'payment.late': [
          {
            to: 'overdue',
            when: ({ event }) => event.payload.days > 5,
            set: ({ event }) => ({ daysLate: event.payload.days }),
          },
          {
            internal: true,
            condition: { '>': [{ var: 'event.payload.days' }, 0] },
            set: ({ event, variables }) => ({ daysLate: variables.daysLate + event.payload.days }),
          },
        ],
      },
    },
    overdue: {
      enter: ({ variables }) => notify({ to: variables.landlord, text: `${variables.daysLate}` }),
      on: { 'payment.late': 'overdue' },
    },
    notice_received: {
      enter: ({ variables, event }) =>
        event.type === 'notice.received' &&
        notify({ to: variables.landlord, text: `until ${event.payload.until}` }),
      on: { notified: 'terminating', 'action.failed': 'stuck' },
      after: { '30d': 'terminated' },
    },
    terminating: { after: { '30d': 'terminated', '60d': { to: 'stuck', when: () => false } } },
    stuck: {},
    terminated: { final: true },
  },
})

const blank = (of: Machine): Execution =>
  blankExecution({
    id: 'l_1',
    namespace: 'default',
    tenant: 'default',
    kind: 'machine',
    definition: of.id,
    definitionHash: of.hash,
  })
const start = (of: Machine, input: JsonObject = { landlord: 'ada' }): Decision =>
  decideMachine(of)(blank(of), startedEvent('l_1', input, T0), T0)
const event = (type: string, payload: Json = {}): Event => ({ id: `evt_${type}`, type, payload, at: T0 })
const send = (of: Machine, { execution }: Decision, sent: Event, now = T0): Decision =>
  decideMachine(of)(execution, sent, now)
const until = { until: '2026-12-31' }
const noticed = () => send(lease, start(lease), event('notice.received', until))
const notified = succeededEvent(
  { id: 'act_1', name: 'notify', settlement: 1 },
  { id: 'm1' },
  { type: 'notified', payload: { id: 'm1' } },
  T0,
)
const error: ActionError = { type: 'rate_limit', message: 'throttled', retryable: true }

describe('starting', () => {
  it('enters the initial state with the variables as the schema makes them', () => {
    expect(start(lease)).toMatchObject({
      applied: true,
      execution: { state: 'active', variables: { landlord: 'ada', daysLate: 0 }, visits: { active: 1 } },
      actions: [],
    })
  })

  it('refuses variables that do not fit, with their path', () => {
    expect(() => start(lease, { daysLate: 'x' })).toThrow(
      expect.objectContaining({
        code: 'variables_invalid',
        message: expect.stringMatching(/^variables\.landlord: .*, and 1 more$/),
        details: { path: 'variables.landlord' },
      }),
    )
  })

  it('refuses variables above 256 KiB, whatever the schema says', () => {
    expect(() => start(lease, { landlord: 'x'.repeat(300_000) })).toThrow(
      expect.objectContaining({ code: 'payload_too_large' }),
    )
  })

  it('refuses variables that a schema makes into something other than JSON', () => {
    const dated = machine({
      id: 'x',
      variables: z.object({ at: z.coerce.date() }),
      initial: 'a',
      states: { a: {} },
    })
    expect(() => start(dated, { at: '2026-01-05' })).toThrow(
      expect.objectContaining({ code: 'variables_invalid', message: 'variables.at: a Date is not JSON' }),
    )
  })

  it('refuses a schema of variables that makes no object', () => {
    const odd = machine({ id: 'x', variables: z.string() as never, initial: 'a', states: { a: {} } })
    const input = 'text' as unknown as JsonObject
    expect(() => start(odd, input)).toThrow(expect.objectContaining({ code: 'variables_invalid' }))
  })

  it('takes any variables where no schema is given', () => {
    const free = machine({ id: 'x', initial: 'a', states: { a: {} } })
    expect(start(free, { any: [1] }).execution.variables).toEqual({ any: [1] })
  })

  it('asks for the actions of the initial state, and its enter sees execution.started', () => {
    const eager = machine({
      id: 'x',
      initial: 'a',
      states: { a: { enter: ({ event: { type } }) => notify({ to: 'ops', text: type }) } },
    })
    expect(start(eager, {}).actions).toMatchObject([{ config: { to: 'ops', text: 'execution.started' } }])
  })
})

describe('events', () => {
  it('one the state has no transition for is ignored as no_transition', () => {
    expect(send(lease, start(lease), event('noted'))).toMatchObject({
      applied: false,
      reason: 'no_transition',
    })
  })

  it('of several transitions the first whose guard holds is taken, and sets variables', () => {
    expect(send(lease, start(lease), event('payment.late', { days: 6 })).execution).toMatchObject({
      state: 'overdue',
      variables: { landlord: 'ada', daysLate: 6 },
    })
  })

  it('a condition is a guard as data; internal only assigns', () => {
    const decision = send(lease, start(lease), event('payment.late', { days: 2 }))
    expect(decision).toMatchObject({
      applied: true,
      actions: [],
      execution: { state: 'active', visits: { active: 1 } },
    })
    expect(decision.execution.variables).toEqual({ landlord: 'ada', daysLate: 2 })
  })

  it('none of whose guards hold is ignored as guard_false', () => {
    expect(send(lease, start(lease), event('payment.late', { days: 0 }))).toMatchObject({
      applied: false,
      reason: 'guard_false',
    })
  })

  it('with both, when and condition must hold', () => {
    const both = machine({
      id: 'x',
      events: { go: z.object({ a: z.boolean(), b: z.boolean() }) },
      initial: 'a',
      states: {
        a: {
          on: {
            go: {
              to: 'b',
              condition: { var: 'event.payload.a' },
              when: ({ event: { payload } }) => payload.b,
            },
          },
        },
        b: {},
      },
    })
    const states = [
      [true, true],
      [true, false],
      [false, true],
    ].map(([a, b]) => send(both, start(both, {}), event('go', { a: a!, b: b! })).execution.state)
    expect(states).toEqual(['b', 'a', 'a'])
  })

  it('set is checked against the schema', () => {
    const wrong = machine({
      id: 'x',
      variables: z.object({ n: z.number().max(1).default(0) }),
      events: { go: z.object({}) },
      initial: 'a',
      states: { a: { on: { go: { to: 'a', set: () => ({ n: 2 }) } } } },
    })
    expect(() => send(wrong, start(wrong, {}), event('go'))).toThrow(
      expect.objectContaining({ code: 'variables_invalid', details: { path: 'variables.n' } }),
    )
  })

  it('a transition to the same state leaves and enters: the visit is in the key from the second on', () => {
    const first = send(lease, start(lease), event('payment.late', { days: 6 }))
    const second = send(lease, first, event('payment.late', { days: 7 }))
    expect(first.actions.map(({ stepKey }) => stepKey)).toEqual(['l_1/overdue/notify'])
    expect(second.actions.map(({ stepKey }) => stepKey)).toEqual(['l_1/overdue/notify~2'])
  })
})

describe('entering', () => {
  it('asks for what enter returns, as it is: nothing in a config is a template', () => {
    const decision = send(
      lease,
      start(lease, { landlord: '{{secrets.KEY}}' }),
      event('notice.received', until),
    )
    expect(decision.actions).toMatchObject([
      {
        name: 'notify',
        type: 'notify',
        stepKey: 'l_1/notice_received/notify',
        status: 'queued',
        dueAt: T0,
        config: { to: '{{secrets.KEY}}', text: 'until 2026-12-31' },
      },
    ])
  })

  it.each([
    ['false', false, []],
    ['null', null, []],
    ['nothing', undefined, []],
    ['one', ping({}), ['ping']],
    [
      'several, some of them perhaps not',
      [ping({}), false, null, undefined, ping({}), ping({}, { name: 'last' })],
      ['ping', 'ping#2', 'last'],
    ],
  ] as const)('enter may return %s', (_, returned, names) => {
    const entering = machine({ id: 'x', initial: 'a', states: { a: { enter: () => returned } } })
    expect(start(entering, {}).actions.map(({ name }) => name)).toEqual(names)
  })

  it('sees execution and now', () => {
    const seeing = machine({
      id: 'x',
      initial: 'a',
      states: {
        a: { enter: ({ execution, now }) => notify({ to: execution.id, text: `${now} ${execution.state}` }) },
      },
    })
    expect(start(seeing, {}).actions).toMatchObject([{ config: { to: 'l_1', text: `${T0} a` } }])
  })

  it('arms the timers, leaving cancels them, queued actions go on unless cancelOnExit', () => {
    const decision = noticed()
    const key = 'notice_received/after/30d'
    expect(decision.timers).toMatchObject([{ key, dueAt: T0 + 30 * DAY }])
    expect(send(lease, decision, notified).cancel).toEqual({ timers: [key], actions: [] })
    const leaving = machine({
      id: 'x',
      events: { go: z.object({}) },
      initial: 'a',
      states: { a: { enter: () => ping({}, { cancelOnExit: true }), on: { go: 'b' } }, b: {} },
    })
    expect(send(leaving, start(leaving, {}), event('go')).cancel.actions).toEqual(['l_1/a/ping'])
  })
})

describe('results', () => {
  it('of an action arrive as the event of its runner', () => {
    expect(send(lease, noticed(), notified).execution.state).toBe('terminating')
  })

  it('nobody names are offered as action.succeeded', () => {
    const plainly = machine({
      id: 'x',
      uses: [notify],
      initial: 'a',
      states: {
        a: { on: { 'action.succeeded': { to: 'b', when: ({ event: { type } }) => type === 'notified' } } },
        b: {},
      },
    })
    expect(send(plainly, start(plainly, {}), notified).execution.state).toBe('b')
  })

  it('`of` narrows to one action', () => {
    const narrowed = (of: string) =>
      machine({
        id: 'x',
        uses: [notify],
        initial: 'a',
        states: { a: { on: { notified: { to: 'b', of } } }, b: {} },
      })
    const states = ['notify', 'other'].map(
      (of) => send(narrowed(of), start(narrowed(of), {}), notified).execution.state,
    )
    expect(states).toEqual(['b', 'a'])
  })

  it('that are dead or in review arrive as action.failed', () => {
    const failed = failedEvent({ id: 'act_1', name: 'notify', settlement: 1 }, 'dead', error, T0)
    expect(send(lease, noticed(), failed).execution.state).toBe('stuck')
  })

  it('onActionDead: fail fails the execution where nobody listens', () => {
    const failed = failedEvent({ id: 'act_1', name: 'ping', settlement: 1 }, 'dead', error, T0)
    const states = (['continue', 'fail'] as const).map((onActionDead) => {
      const strict = machine({
        id: 'x',
        onActionDead,
        initial: 'a',
        states: { a: { enter: () => ping({}) } },
      })
      return send(strict, start(strict, {}), failed).execution.status
    })
    expect(states).toEqual(['active', 'failed'])
  })
})

describe('time', () => {
  it('a timer that fires takes its transition; a final state completes', () => {
    const decision = noticed()
    const { event: fired, dueAt } = decision.timers[0]!
    expect(send(lease, decision, fired, dueAt)).toMatchObject({
      applied: true,
      execution: { state: 'terminated', status: 'completed' },
    })
  })

  it('each timer has its own transitions and guards', () => {
    const decision = send(lease, noticed(), notified)
    const { event: fired, dueAt } = decision.timers[1]!
    expect(send(lease, decision, fired, dueAt)).toMatchObject({ applied: false, reason: 'guard_false' })
  })

  it('one of a state that was left is stale', () => {
    const { timers } = noticed()
    expect(send(lease, send(lease, noticed(), notified), timers[0]!.event)).toMatchObject({
      reason: 'stale_timer',
    })
  })
})
