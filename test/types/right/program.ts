// The surface in one program, written as tightly as people write it, as far as it goes without an engine.

import { z } from 'zod'
import { machine, permanent, retryable, runner } from '../../../src/index.ts'

// biome-ignore format: line breaks of one's own must not matter to inference
const notify = runner({
  type: 'notify', config: z.object({ to: z.string(), text: z.string() }), result: z.object({ id: z.string() }),
  event: 'notified',                                            // the result event's name; default 'action.succeeded'
  async execute({ config, ctx }) {                              // ctx: fetch, signal, attempt, idempotencyKey, stepKey, secret(name), log, now
    const res = await ctx.fetch('https://push.example/send', { method: 'POST', json: config })   // the guarded door
    if (res.status === 429) throw retryable('rate_limit', 'throttled', { after: '30s' })
    if (!res.ok) throw permanent('malformed_request', await res.text())
    return { id: (await res.json()).id }
  },
})
// biome-ignore format: line breaks of one's own must not matter to inference
export const lease = machine({
  id: 'lease', variables: z.object({ landlord: z.string() }), events: { 'notice.received': z.object({ until: z.iso.date() }) },
  uses: [notify],                                               // its result events may be named in `on`; anything else does not compile
  initial: 'active',
  states: {
    active: { on: { 'notice.received': 'notice_received' } },
    notice_received: { enter: ({ variables, event }) => event.type === 'notice.received'          // event: the union of all; narrow by type
        && notify({ to: variables.landlord, text: `until ${event.payload.until}` }),
      on: { notified: 'terminating', 'action.failed': 'stuck' }, after: { '30d': 'terminated' } },
    terminating: { after: { '30d': 'terminated' } }, stuck: {}, terminated: { final: true },
  },
})
notify({ to: 'ops', text: 'hi' }, { delay: '5m', priority: 50, dedup: { key: 'hi', while: 'active' } })
