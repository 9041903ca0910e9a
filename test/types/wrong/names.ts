// Names that do not exist: states, events, runners, keys. Each is reported at the name, with those that do exist.

import { z } from 'zod'
import { machine } from '../../../src/index.ts'
import { email, notify } from '../runners.ts'

const base = {
  id: 'x',
  variables: z.object({ days: z.number() }),
  events: { go: z.object({ days: z.number() }), stopped: z.object({}) },
}

machine({
  ...base,
  initial: 'a',
  states: {
    a: {
      on: {
        go: 'c', // TS2322 at go: Type '"c"' is not assignable to type … "a" | "b"
      },
    },
    b: {},
  },
})

machine({
  ...base,
  initial: 'a',
  states: {
    a: {
      on: {
        go: {
          to: 'c', // TS2322 at to: Type '"c"' is not assignable to type '"a" | "b"'.
          when: ({ event }) => event.payload.days > 1,
        },
        stopped: [
          { to: 'b' },
          {
            to: 'A', // TS2820 at to: Type '"A"' is not assignable to type … Did you mean '"a"'?
          },
        ],
      },
    },
    b: {},
  },
})

machine({
  ...base,
  initial: 'z', // TS2322 at initial: Type '"z"' is not assignable to type '"a" | "b"'.
  states: { a: {}, b: {} },
})

machine({
  ...base,
  initial: 'a',
  states: {
    a: {
      on: {
        stop: 'a', // TS2353 at stop: 'stop' does not exist in type 'On<" … "go" … "stopped"
      },
    },
  },
})

machine({
  ...base,
  initial: 'a',
  states: {
    a: {
      on: {
        'action.suceeded': 'a', // TS2353 at 'action.suceeded': does not exist in type 'On<" … "action.succeeded"
      },
    },
  },
})

// Its runner is not in `uses`.
machine({
  ...base,
  uses: [notify],
  initial: 'a',
  states: {
    a: {
      enter: () => email({ to: 'a@b.co', template: 'x' }),
      on: {
        notified: 'a',
        email_sent: 'a', // TS2353 at email_sent: 'email_sent' does not exist in type 'On<" … "notified"
      },
    },
  },
})

// Events of the engine that lead nowhere by name: `after` is for time, `enter` of the initial state for the start.
machine({
  ...base,
  initial: 'a',
  states: {
    a: {
      on: {
        'timer.fired': 'a', // TS2353 at 'timer.fired': does not exist in type 'On<
      },
    },
  },
})

machine({
  id: 'x',
  events: {
    'action.failed': z.object({}), // TS2375 at 'action.failed': is not assignable to type '"an event of the engine cannot be declared"'
  },
  initial: 'a',
  states: { a: {} },
})

machine({
  ...base,
  initial: 'a',
  states: {
    a: {
      after: {
        '30d': 'b',
        '1mo': 'b', // TS2353 at '1mo': ''1mo'' does not exist in type 'After<
      },
    },
    b: {},
  },
})

machine({
  ...base,
  initial: 'a',
  states: {
    a: {
      after: {
        '14d': 'c', // TS2322 at '14d': Type '"c"' is not assignable to type … "a" | "b"
      },
    },
    b: {},
  },
})

machine({
  ...base,
  initial: 'a',
  uses: [
    { type: 'notify' }, // TS2739 at {: is missing the following properties from type 'AnyRunner
  ],
  states: { a: {} },
})
