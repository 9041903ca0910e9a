// A scheduler of the attack on recurrences: opens the store where its virtual clock stands, and moves it on, hour by hour, to
// the end. Others do the same at the same time; any of them may be killed at any instant.
// argv: the part, as JSON.

import { flushCompileCache } from 'node:module'
import { z } from 'zod'
import { Pawl, runner } from '../../src/index.ts'

export interface SchedulerPart {
  readonly store: string
  readonly start: number
  readonly end: number
  readonly leaseMs: number
}

const HOUR = 3_600_000

const note = runner({
  type: 'note',
  config: z.object({}),
  result: z.object({}),
  execute: async () => ({}),
})

const run = async ({ store, start, end, leaseMs }: SchedulerPart): Promise<void> => {
  const clock = `virtual:${new Date(start).toISOString()}`
  const pawl = await Pawl.open({
    store,
    clock,
    leaseMs,
    runners: [note],
    builtIns: false,
    log: () => undefined,
  })
  flushCompileCache()
  for (let now = pawl.now(); now < end; now = pawl.now())
    await pawl.advance({ to: Math.min(end, now + HOUR) })
  await pawl.close()
}

// Whoever started it is gone: nobody would end it.
process.on('disconnect', () => process.exit())
void run(JSON.parse(process.argv[2]!)).then(() => process.disconnect())
