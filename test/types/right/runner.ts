// What the compiler knows of a runner.

import { z } from 'zod'
import { type ActionRequest, type Json, runner } from '../../../src/index.ts'
import { exactly } from '../exactly.ts'
import { email, notify } from '../runners.ts'

exactly<'email'>()<typeof email.type>()
exactly<'email_sent'>()<typeof email.event>()

// Fields with a default are optional for whoever calls, and there for whoever performs.
email({ to: 'a@b.co', template: 'hi' })
email(
  { to: 'a@b.co', template: 'hi', cc: ['c@d.co'] },
  { timeout: 5000, delay: '90s', expiresAfter: '1h30m' },
)
runner({
  type: 'x',
  config: z.object({ to: z.string(), cc: z.array(z.string()).default([]) }),
  execute({ config, ctx }) {
    exactly<{ to: string; cc: string[] }>()<typeof config>()
    exactly<AbortSignal>()<typeof ctx.signal>()
    exactly<number>()<typeof ctx.attempt>()
    exactly<Promise<string>>()<ReturnType<typeof ctx.secret>>()
    exactly<string | undefined>()<typeof ctx.executionId>()
  },
})

// A request is data that any trigger may return.
const request: ActionRequest = notify({ to: 'ada', text: 'hi' })
exactly<true | undefined>()<typeof request.literal>()

// Without an event of its own a runner says action.succeeded; without a schema its result is any JSON.
const ping = runner({ type: 'ping', config: z.object({}), execute: () => undefined })
exactly<'action.succeeded'>()<typeof ping.event>()
exactly<{ readonly actionId: string; readonly result: Json } | undefined>()<(typeof ping)['~payload']>()

// The payload of a result event: the fields flat, the action it came from, the result whole.
exactly<{ readonly id: string; readonly actionId: string; readonly result: { id: string } } | undefined>()<
  (typeof notify)['~payload']
>()

// A runner may say the fields of its event itself; what it derives them from is typed.
const webhook = runner({
  type: 'webhook',
  config: z.object({ url: z.url() }),
  result: z.object({ statusCode: z.number() }),
  event: 'webhook_called',
  delivery: 'reconcile',
  reconcile: async () => undefined,
  eventPayload: ({ config, result, durationMs }) => ({
    url: config.url,
    ...result,
    responseTime: durationMs,
  }),
  cost: ({ result }) => result.statusCode,
  execute: async () => ({ statusCode: 200 }),
})
exactly<
  | {
      readonly url: string
      readonly statusCode: number
      readonly responseTime: number
      readonly actionId: string
      readonly result: { statusCode: number }
    }
  | undefined
>()<(typeof webhook)['~payload']>()

// Other libraries than zod: anything that speaks Standard Schema.
const word = {
  '~standard': {
    version: 1 as const,
    vendor: 'us',
    validate: (value: unknown) => ({ value: String(value) }),
    types: undefined as { input: 'a' | 'b'; output: string } | undefined,
  },
}
const say = runner({
  type: 'say',
  config: word,
  execute: ({ config }) => exactly<string>()<typeof config>(),
})
say('a')
