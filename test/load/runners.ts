// The runners of the load tests. `slow` takes 20 ms, as the issue of this trade is told: starts are written down in a file
// that all processes append to. `bomb` ends its process, `large` only has a lot
// to carry.

import { appendFileSync } from 'node:fs'
import { z } from 'zod'
import { realTimers } from '../../src/engine/clock.ts'
import { runner } from '../../src/index.ts'

const RUNS_MS = 20

/** With who says so. Appending is atomic: lines of several processes never mix. */
export const tell = (log: string, line: string): void => appendFileSync(log, `${line} ${process.pid}\n`)

export const slow = runner({
  type: 'slow',
  config: z.object({ log: z.string(), name: z.string() }),
  execute: async ({ config }) => {
    tell(config.log, `start ${config.name}`)
    await realTimers.sleep(RUNS_MS)
    return null
  },
})

export const bomb = runner({
  type: 'bomb',
  config: z.object({ explodes: z.boolean() }),
  execute: ({ config }) => (config.explodes ? process.exit(1) : null),
})

export const large = runner({
  type: 'large',
  config: z.object({ text: z.string() }),
  execute: async () => null,
})
