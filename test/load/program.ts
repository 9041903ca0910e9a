// A process of the load tests: works, and where its part names tenants, floods meanwhile. argv: the part, as JSON.

import { flushCompileCache } from 'node:module'
import { Pawl } from '../../src/index.ts'
import type { Part } from './part.ts'
import { bomb, large, slow, tell } from './runners.ts'

/** As much as a flood keeps waiting: far more than all slots, and no more than a disk likes. */
const AHEAD = 500
const WAVE = 100

const { store, log, leaseMs, slots, tenants }: Part = JSON.parse(process.argv[2]!)
// Whoever started it is gone: nobody would end it.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))

const wave = async (flood: Pawl): Promise<void> => {
  const one = slow({ log, name: 'flood' })
  await Promise.all(Array.from({ length: WAVE }, () => flood.dispatch(one)))
}

const keepFlooding = async (flood: Pawl, isOver: () => boolean): Promise<void> => {
  while (!isOver()) {
    const { actions } = await flood.counts()
    if (actions.queued < AHEAD) await wave(flood)
    else await new Promise((resolve) => setImmediate(resolve))
  }
}

const floodBeside = async (pawl: Pawl): Promise<void> => {
  const flood = pawl.tenant('flood')
  let isOver = false
  await wave(flood)
  const flooding = keepFlooding(flood, () => isOver)
  for (const tenant of tenants) {
    await pawl.tenant(tenant).dispatch(slow({ log, name: tenant }))
    tell(log, `commit ${tenant}`)
  }
  isOver = true
  await flooding
}

const begin = async (): Promise<void> => {
  const pawl = await Pawl.open({
    store,
    runners: [slow, bomb, large],
    builtIns: false,
    ...(leaseMs !== undefined && { leaseMs }),
  })
  await pawl.work({ batch: 50, ...(slots !== undefined && { slots }) })
  process.on('message', () => process.send!({ peakMiB: Math.round(process.resourceUsage().maxRSS / 1024) }))
  process.send!('ready')
  // One that is killed would take what it compiled along.
  flushCompileCache()
  if (tenants.length > 0) await floodBeside(pawl)
}

void begin()
