// What the compiler knows of a machine: states from the keys of `states`, events by their names, variables by schema.

import { z } from 'zod'
import {
  type ActionError,
  type Event,
  type EventInput,
  type Json,
  machine,
  runner,
  type SendableEvent,
  type StartInput,
  type StateOf,
  type VariablesOf,
} from '../../../src/index.ts'
import { exactly } from '../exactly.ts'
import { email, notify } from '../runners.ts'

type Notified = Event<
  'notified',
  { readonly id: string; readonly actionId: string; readonly result: { id: string } }
>
type Succeeded = Event<'action.succeeded', { readonly actionId: string; readonly result: Json }>
type Failed = Event<'action.failed', { readonly actionId: string; readonly error: ActionError }>
type TimerFired = Event<'timer.fired', { readonly after: string; readonly state: string }>
type Late = Event<'payment.late', { days: number; fee: number }>

export const lease = machine({
  id: 'lease',
  description: 'A lease and its end',
  version: '2',
  versions: 'pin',
  onActionDead: 'fail',
  variables: z.object({ phone: z.string().optional(), daysLate: z.number().default(0) }),
  events: {
    'payment.late': z.object({ days: z.number(), fee: z.number().default(5) }),
    'payment.made': z.object({ amount: z.number() }),
  },
  uses: [notify],
  initial: 'active',
  states: {
    active: {
      on: {
        'payment.late': [
          {
            to: 'overdue',
            when: ({ event, variables, now, execution }) => {
              exactly<Late>()<typeof event>()
              exactly<{ daysLate: number; phone?: string | undefined }>()<typeof variables>()
              exactly<number>()<typeof now>()
              exactly<string>()<typeof execution.id>()
              return event.payload.days > 5
            },
            set: ({ event }) => ({ daysLate: event.payload.days }),
          },
          {
            internal: true,
            condition: { '>': [{ var: 'event.payload.days' }, 0] },
            set: () => ({ daysLate: 1 }),
          },
        ],
      },
    },
    overdue: {
      enter: ({ event, variables }) => {
        exactly<
          | Late
          | Event<'payment.made', { amount: number }>
          | Notified
          | Succeeded
          | Failed
          | TimerFired
          | Event<'execution.started', { phone?: string | undefined; daysLate?: number | undefined }>
        >()<typeof event>()
        if (event.type === 'notified') exactly<string>()<typeof event.payload.id>()
        return variables.phone === undefined ? null : notify({ to: variables.phone, text: 'late' })
      },
      on: {
        notified: {
          to: 'told',
          of: 'notify',
          when: ({ event }) => exactly<Notified>()<typeof event>() === undefined,
        },
        'action.succeeded': {
          to: 'told',
          when: ({ event }) => exactly<Succeeded | Notified>()<typeof event>() === undefined,
        },
        'action.failed': {
          to: 'told',
          when: ({ event }) => {
            exactly<Failed>()<typeof event>()
            return event.payload.error.retryable
          },
        },
        'payment.made': 'active',
      },
      after: {
        '14d': 'told',
        '1h30m': { to: 'told', when: ({ event }) => exactly<TimerFired>()<typeof event>() === undefined },
        '2w': [{ to: 'active', when: ({ now }) => now > 0 }, { to: 'told' }],
      },
    },
    told: { final: true },
  },
})

exactly<'active' | 'overdue' | 'told'>()<StateOf<typeof lease>>()
exactly<{ daysLate: number; phone?: string | undefined }>()<VariablesOf<typeof lease>>()
exactly<{ phone?: string | undefined; daysLate?: number | undefined }>()<StartInput<typeof lease>>()
exactly<'payment.late' | 'payment.made'>()<SendableEvent<typeof lease>>()
exactly<{ days: number; fee?: number | undefined }>()<EventInput<typeof lease, 'payment.late'>>()

// Several requests, some of them perhaps not; none at all.
machine({
  id: 'requests',
  initial: 'a',
  states: {
    a: {
      enter: ({ now }) => [
        notify({ to: 'ops', text: 'hi' }),
        now > 0 && email({ to: 'a@b.co', template: 'x' }),
      ],
      on: { 'action.succeeded': 'b' },
    },
    b: { enter: () => undefined },
  },
})

// Two runners that both say action.succeeded: every result may arrive under that name.
const ping = runner({
  type: 'ping',
  config: z.object({}),
  result: z.object({ ms: z.number() }),
  execute: () => ({ ms: 1 }),
})
machine({
  id: 'two',
  uses: [ping, notify],
  initial: 'a',
  states: {
    a: {
      enter: () => ping({}),
      on: {
        'action.succeeded': { to: 'a', when: ({ event }) => 'ms' in event.payload && event.payload.ms > 1 },
      },
    },
  },
})
