// A process of the load tests: works, and where its part names tenants, floods meanwhile. argv: the part, as JSON.

import { Pawl } from '../../src/index.ts'
import type { Part } from './part.ts'
import { bomb, large, slow, tell } from './runners.ts'

/** As much as a flood keeps waiting: far more than all slots, and no more than a disk likes. */
const AHEAD = 500
const WAVE = 100

const { store, log, leaseMs, slots, tenants }: Part = JSON.parse(process.argv[2]!)
// Whoever started it is gone: nobody would end it.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))

const pawl = await Pawl.open({
  store,
  runners: [slow, bomb, large],
  ...(leaseMs !== undefined && { leaseMs }),
})
await pawl.work({ batch: 50, ...(slots !== undefined && { slots }) })
process.on('message', () => process.send!({ peakMiB: Math.round(process.resourceUsage().maxRSS / 1024) }))
process.send!('ready')

const flood = pawl.tenant('flood')
let isOver = false

const wave = async (): Promise<void> => {
  const one = slow({ log, name: 'flood' })
  await Promise.all(Array.from({ length: WAVE }, () => flood.dispatch(one)))
}
const keepFlooding = async (): Promise<void> => {
  while (!isOver) {
    const { actions } = await flood.counts()
    if (actions.queued < AHEAD) await wave()
    else await new Promise((resolve) => setImmediate(resolve))
  }
}
if (tenants.length > 0) {
  await wave()
  const flooding = keepFlooding()
  for (const tenant of tenants) {
    await pawl.tenant(tenant).dispatch(slow({ log, name: tenant }))
    tell(log, `commit ${tenant}`)
  }
  isOver = true
  await flooding
}
