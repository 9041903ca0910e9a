// Owns the runners that the type tests speak of.

import { z } from 'zod'
import { permanent, retryable, runner } from '../../src/index.ts'

export const notify = runner({
  type: 'notify',
  config: z.object({ to: z.string(), text: z.string() }),
  result: z.object({ id: z.string() }),
  event: 'notified',
  async execute({ config, ctx }) {
    const res = await ctx.fetch('https://push.example/send', { method: 'POST', json: config })
    if (res.status === 429) throw retryable('rate_limit', 'throttled', { after: '30s' })
    if (!res.ok) throw permanent('malformed_request', await res.text())
    return { id: (await res.json()).id }
  },
})

export const email = runner({
  type: 'email',
  config: z.object({
    to: z.email(),
    cc: z.array(z.email()).default([]),
    template: z.string(),
    vars: z.record(z.string(), z.unknown()).default({}),
  }),
  result: z.object({ messageId: z.string() }),
  event: 'email_sent',
  defaults: {
    retryPolicy: { maxAttempts: 3, backoffStrategy: 'exponential', baseDelay: '1m', jitter: true },
    timeout: '30s',
  },
  execute: async () => ({ messageId: 'm1' }),
})
