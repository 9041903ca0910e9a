// Configs, options and results of runners.

import { z } from 'zod'
import { runner } from '../../../src/index.ts'
import { email, notify } from '../runners.ts'

email({ to: 'a@b.co' }) // TS2345 at {: Property 'template' is missing in type '{ to: string; }'
email({ to: 'a@b.co', template: 7 }) // TS2322 at template: Type 'number' is not assignable to type 'string'.
email({ to: 'a@b.co', template: 'hi', bcc: [] }) // TS2353 at bcc: 'bcc' does not exist in type
email() // TS2554 at email: Expected 1-2 arguments, but got 0.
notify({ to: null, text: 'hi' }) // TS2322 at to: Type 'null' is not assignable to type 'string'.

email(
  { to: 'a@b.co', template: 'hi' },
  {
    retryPolicy: {
      maxAttempts: 2,
      backoffStrategy: 'random', // TS2322 at backoffStrategy: Type '"random"' is not assignable to type … "fixed" … "exponential"
      baseDelay: '1mo', // TS2322 at baseDelay: Type '"1mo"' is not assignable to type 'number | DurationText
    },
    delay: '5 minutes', // TS2322 at delay: Type '"5 minutes"' is not assignable to type 'number | DurationText
    priority: 'high', // TS2322 at priority: Type 'string' is not assignable to type 'number'.
    delivery: 'exactly_once', // TS2322 at delivery: Type '"exactly_once"' is not assignable to type 'Delivery | undefined'.
    dedup: { key: 'x', while: 'alive' }, // TS2322 at while: Type '"alive"' is not assignable to type '"active"'.
  },
)

email({ to: 'a@b.co', template: 'hi' }, { retries: 3 }) // TS2353 at retries: 'retries' does not exist in type 'ActionOptions'.

const base = { type: 'x', config: z.object({ to: z.string() }), result: z.object({ id: z.string() }) }

runner({
  ...base,
  execute: async () => ({ messageId: 'm1' }), // TS2322 at ({: Property 'id' is missing in type '{ messageId: string; }'
})
runner({
  ...base,
  execute: async () => ({ id: 7 }), // TS2322 at ({: Type 'number' is not assignable to type 'string'.
})
runner({
  ...base,
  execute: async ({ config }) => ({ id: config.too }), // TS2339 at too: Property 'too' does not exist on type '{ to: string; }'.
})
runner({
  ...base,
  execute: async ({ ctx }) => ({ id: ctx.secret('MAIL_KEY') }), // TS2322 at ({: Type 'Promise<string>' is not assignable to type 'string'.
})
runner({
  ...base,
  cost: ({ result }) => result.price, // TS2339 at price: Property 'price' does not exist on type '{ id: string; }'.
  permissions: [{ kind: 'network', value: '*' }], // TS2322 at kind: Type '"network"' is not assignable to type … "egress"
  execute: async () => ({ id: 'm1' }),
})
runner({
  type: 'x',
  config: { to: 'string' }, // TS2353 at to: 'to' does not exist in type 'Schema<unknown, unknown>'.
  execute: () => null,
})
runner({ type: 'x', config: z.object({}) }) // TS2345 at {: Property 'execute' is missing in type
