// What functions see and return: events narrowed by name, variables by schema, requests and nothing else.

import { z } from 'zod'
import { machine } from '../../../src/index.ts'
import { email, notify } from '../runners.ts'

const base = {
  id: 'x',
  variables: z.object({ days: z.number(), name: z.string().default('') }),
  events: { go: z.object({ days: z.number() }), paid: z.object({ amount: z.number() }) },
}

machine({
  ...base,
  uses: [notify],
  initial: 'a',
  states: {
    a: {
      on: {
        go: {
          to: 'a',
          when: ({ event }) => event.payload.day > 1, // TS2551 at day: Property 'day' does not exist on type '{ days: number; }'. Did you mean 'days'?
        },
        paid: {
          to: 'a',
          when: ({ event }) => event.payload.days > 1, // TS2339 at days: Property 'days' does not exist on type '{ amount: number; }'.
        },
        notified: {
          to: 'a',
          when: ({ event }) => event.payload.id > 1, // TS2365 at event.payload.id: Operator '>' cannot be applied to types 'string' and 'number'.
        },
        'action.failed': {
          to: 'a',
          when: ({ event }) => event.payload.error.kind === 'rate_limit', // TS2339 at kind: Property 'kind' does not exist on type 'ActionError'.
        },
        'action.succeeded': {
          to: 'a',
          when: ({ event }) => event.payload.id === 'm1', // TS2339 at id: Property 'id' does not exist on type
        },
      },
      after: {
        '1d': {
          to: 'a',
          when: ({ event }) => event.payload.days > 1, // TS2339 at days: Property 'days' does not exist on type '{ readonly after: string; readonly state: string; }'.
        },
      },
    },
  },
})

// `context` and `event.data` are aliases in templates; in code there is one name for each.
machine({
  ...base,
  initial: 'a',
  states: {
    a: {
      enter: ({
        context, // TS2339 at context: Property 'context' does not exist on type 'View<
      }) => notify({ to: context, text: '' }),
      on: {
        go: {
          to: 'a',
          when: ({ event }) => event.data.days > 1, // TS2339 at data: Property 'data' does not exist on type 'Event<"go", { days: number; }>'.
        },
      },
    },
  },
})

// A result is an object with the fields of its schema, not the bare id.
machine({
  ...base,
  uses: [email],
  initial: 'a',
  states: {
    a: {
      on: {
        email_sent: {
          to: 'a',
          set: ({ event }) => ({ name: event.payload.result }), // TS2322 at set: Type '{ messageId: string; }' is not assignable to type 'string'.
        },
      },
    },
  },
})

// `enter` sees every event: without narrowing only what all of them have.
machine({
  ...base,
  initial: 'a',
  states: {
    a: {
      enter: ({ event }) => notify({ to: 'ops', text: event.payload.days }), // TS2339 at days: Property 'days' does not exist on type
    },
    b: {
      enter: ({ event }) => event.type === 'gone' && null, // TS2367 at event.type: and '"gone"' have no overlap.
    },
    c: {
      enter: ({ event }) => event.type === 'paid' && notify({ to: 'ops', text: `${event.payload.days}` }), // TS2339 at days: Property 'days' does not exist on type '{ amount: number; }'.
    },
    d: {
      enter: ({ variables }) => notify({ to: variables.nam, text: '' }), // TS2551 at nam: Property 'nam' does not exist on type '{ days: number; name: string; }'. Did you mean 'name'?
    },
  },
})

machine({
  ...base,
  initial: 'a',
  states: {
    a: {
      enter: () => 'notify', // TS2322 at enter: Type 'string' is not assignable to type 'Maybe<ActionRequest> | readonly Maybe<ActionRequest>[]'.
    },
    b: {
      enter: async () => notify({ to: 'ops', text: '' }), // TS2322 at enter: is not assignable to type 'Maybe<ActionRequest> | readonly Maybe<ActionRequest>[]'.
    },
    c: {
      enter: () => notify, // TS2322 at enter: is not assignable to type 'Maybe<ActionRequest>
    },
  },
})

machine({
  ...base,
  initial: 'a',
  states: {
    a: {
      on: {
        go: {
          to: 'a',
          set: () => ({ day: 1 }), // TS2322 at set: Type '{ day: number; }' has no properties in common with type 'Partial<{ days: number; name: string; }>'.
        },
        paid: {
          to: 'a',
          set: ({ event }) => ({ days: `${event.payload.amount}` }), // TS2322 at set: Type 'string' is not assignable to type 'number'.
        },
        'action.failed': {
          to: 'a',
          when: async () => true, // TS2322 at when: Type 'Promise<boolean>' is not assignable to type 'boolean'.
        },
        'action.succeeded': {
          to: 'a',
          when: ({ variables }) => variables.days, // TS2322 at when: Type 'number' is not assignable to type 'boolean'.
        },
      },
    },
  },
})

// Without a schema an execution has no variables.
machine({
  id: 'x',
  initial: 'a',
  states: {
    a: {
      enter: ({ variables }) => notify({ to: variables.landlord, text: '' }), // TS2339 at landlord: Property 'landlord' does not exist on type
    },
  },
})
