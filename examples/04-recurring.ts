// What happens again and again: a digest on weekdays at nine in London, over a weekend in which the clocks go forward. In
// virtual time. What it prints is kept in 04-recurring.out, and a test compares.

import { z } from 'zod'
import { Pawl, recurring, runner } from '../src/index.ts'

const email = runner({
  type: 'email',
  config: z.object({ to: z.string(), since: z.string().nullable() }),
  execute: ({ config, ctx }) => {
    console.log(`${new Date(ctx.now()).toISOString()}  digest to ${config.to}, since ${config.since}`)
    return {}
  },
})

// #region program
const digest = recurring({
  id: 'weekday-digest',
  cron: '0 9 * * MON-FRI', // shown everywhere as "Weekdays at 09:00 (Europe/London)"
  timezone: 'Europe/London', // required: there is no silent UTC
  overlap: 'skip', // a slow run does not stack up
  catchUp: 'none', // missed while down: told as missed, not replayed
  do: ({ previousAt }) => email({ to: 'team@example.com', since: previousAt?.toISOString() ?? null }),
})
// #endregion

const pawl = await Pawl.open({
  store: 'sqlite::memory:',
  clock: 'virtual:2026-03-26T12:00:00Z',
  definitions: [digest],
  runners: [email],
})
const { words, nextAt } = (await pawl.recurring.get('weekday-digest'))!
console.log(`${words}, next ${nextAt}`)
await pawl.advance({ by: '6d' })
const { data } = await pawl.recurring.history('weekday-digest')
console.log(`${data.length} occurrences: ${data.map(({ fate, outcome }) => `${fate} ${outcome}`).join(', ')}`)
await pawl.close()
