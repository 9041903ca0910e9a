// A lease ends: a real store, a real receiver, a worker, and a view of the walk as it happens. Run it with `npm start`;
// stop it with Ctrl-C wherever you like and start it again: nothing is lost, nothing is sent twice.

import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { machine, Pawl, permanent, retryable, runner } from '../src/index.ts'
import { startProvider } from './provider.ts'
import { createView } from './view.ts'

/** Where it keeps its store: beside the repository's files, or where the first argument says. */
const FOLDER = process.argv[2] ?? fileURLToPath(new URL('../.pawl/', import.meta.url))
const provider = await startProvider(join(FOLDER, 'lease-calls.jsonl'))

// #region program
const notify = runner({
  type: 'notify',
  config: z.object({ to: z.string(), text: z.string() }),
  result: z.object({ id: z.string() }),
  event: 'notified',
  async execute({ config, ctx }) {
    const headers = { 'Idempotency-Key': ctx.idempotencyKey }
    const res = await ctx.fetch(`${provider.url}/send`, { method: 'POST', headers, json: config })
    if (res.status === 429) throw retryable('rate_limit', 'throttled', { after: '1s' })
    if (!res.ok) throw permanent('malformed_request', await res.text())
    return { id: (await res.json()).id }
  },
})

const lease = machine({
  id: 'lease',
  variables: z.object({ landlord: z.string() }),
  events: { 'notice.received': z.object({ until: z.iso.date() }) },
  uses: [notify], // its result events may be named in `on`; anything else does not compile
  initial: 'active',
  states: {
    active: { on: { 'notice.received': 'notice_received' } },
    notice_received: {
      enter: ({ variables, event }) =>
        event.type === 'notice.received' &&
        notify({ to: variables.landlord, text: `until ${event.payload.until}` }),
      on: { notified: 'terminating', 'action.failed': 'stuck' },
      after: { '30d': 'terminated' },
    },
    terminating: { after: { '2s': 'terminated' } }, // thirty days, for those who have them
    stuck: {},
    terminated: { final: true },
  },
})
// #endregion

const pawl = await Pawl.open({
  store: `sqlite:${join(FOLDER, 'lease.db')}`,
  migrate: true, // its own file: a newer Pawl may bring it up to date
  definitions: [lease],
  runners: [notify],
  egress: { allow: ['127.0.0.1'] }, // private addresses are closed to runners unless they are named
  leaseMs: 3000, // what a killed worker was doing goes on elsewhere after this; 30 s unless given
})
const view = createView(pawl, provider)
const unfinished = (await pawl.executions.list({ status: 'active' })).data
const number = (await pawl.counts()).executions.completed + unfinished.length + 1
view.open(unfinished)

const stop = await pawl.work({ slots: 8 })
const leave = async (): Promise<void> => {
  await stop()
  await pawl.close()
  await provider.close()
}
process.once('SIGINT', () => {
  view.interrupted()
  void leave()
})

// Those that were under way when the last run ended go on by themselves; a new one begins.
const run = await pawl.start(lease, {
  id: `l_${String(number).padStart(3, '0')}`,
  variables: { landlord: 'ada' },
})
const followed = [...unfinished.map(({ id }) => id), run.id].map((id) => view.follow(id))
await run.send('notice.received', { until: '2026-12-31' }, { id: 'evt_1' }) // an id is applied once
await run.send('notice.received', { until: '2026-12-31' }, { id: 'evt_1' }) // so this one changes nothing

if (await view.ended(followed)) {
  await leave()
  view.close()
}
