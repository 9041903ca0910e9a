// Keys and values of the definition itself.

import { z } from 'zod'
import { machine } from '../../../src/index.ts'

const base = { id: 'x', events: { go: z.object({}) } }

machine({
  ...base,
  context: z.object({}), // TS2353 at context: 'context' does not exist in type 'MachineDefinition<
  initial: 'a',
  states: { a: {} },
})

machine({
  ...base,
  initial: 'a',
  states: {
    a: {
      entr: () => null, // TS2561 at entr: 'entr' does not exist in type 'State<
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
          too: 'a', // TS2353 at too: 'too' does not exist in type 'Internal<
        },
      },
    },
  },
})

// A transition leads somewhere, or is internal; not both, not neither.
machine({
  ...base,
  initial: 'a',
  states: {
    a: {
      on: {
        go: { when: () => true }, // TS2322 at go: Property 'to' is missing in type '{ when: () => true; }' but required in type 'Transition<"a"
      },
    },
    b: {
      on: {
        go: {
          internal: true,
          to: 'a', // TS2353 at to: 'to' does not exist in type 'Internal<
        },
      },
    },
    c: {
      on: {
        go: [
          'a', // TS2322 at 'a': Type 'string' is not assignable to type 'Internal<
        ],
      },
    },
  },
})

machine({
  ...base,
  versions: 'pinned', // TS2322 at versions: Type '"pinned"' is not assignable to type … "follow"
  onActionDead: 'ignore', // TS2322 at onActionDead: Type '"ignore"' is not assignable to type … "continue"
  initial: 'a',
  states: { a: {} },
})

machine({
  ...base,
  variables: z.string(), // TS2322 at variables: Type 'string' is not assignable to type 'object'.
  initial: 'a',
  states: { a: {} },
})

machine({
  id: 'x',
  events: {
    go: { until: 'string' }, // TS2353 at until: 'until' does not exist in type 'Schema<
  },
  initial: 'a',
  states: { a: {} },
})

machine({ ...base, initial: 'a' }) // TS2345 at {: Property 'states' is missing in type
