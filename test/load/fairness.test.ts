// Who is served when there is more than can be: other tenants despite a flood, high priority despite a long queue.

import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { realTimers } from '../../src/engine/clock.ts'
import { Pawl } from '../../src/index.ts'
import { spy } from '../engine/spies.ts'
import { groundOf, STORES, waitFor } from './bed.ts'
import { flood } from './flood.ts'

/** As large as a claim: what one claim has taken may start before what comes after it. */
const BATCH = 50
const TENANTS = 60

// Processes start, die and wait for leases here: a limit only against waiting for ever.
vi.setConfig({ testTimeout: 300_000 })

describe.each(STORES)('under load, on %s', (store) => {
  it('G15: a tenant floods from two processes; every other is served after at most a batch of it', async () => {
    const figures = await flood({ ...(await groundOf(store)), count: TENANTS }, waitFor)
    expect(figures).toMatchObject({ tenants: TENANTS, served: TENANTS })
    expect(figures.floodStarts).toBeGreaterThan(BATCH)
    expect(figures.mostBetween).toBeLessThanOrEqual(BATCH)
  })

  it('G15: what has priority 100 starts before more than one batch of what has none', async () => {
    const started: number[] = []
    const work = spy('work', async ({ config }) => {
      started.push((config as { priority: number }).priority)
      await realTimers.sleep(20)
    })
    const pawl = await Pawl.open({ store: (await groundOf(store)).store, runners: [work] })
    onTestFinished(() => pawl.close())
    const add = (priority: number) => pawl.dispatch(work({ priority }), { priority })
    await Promise.all(Array.from({ length: 600 }, () => add(0)))
    await pawl.work({ batch: BATCH })
    const overtaken: number[] = []
    for (let count = 1; count <= 5; count++) {
      await waitFor(() => started.length >= count * 60)
      await add(100)
      const before = started.length
      const urgent = (): number => started.filter((priority) => priority === 100).length
      await waitFor(() => urgent() >= count)
      overtaken.push(started.slice(before).indexOf(100))
    }
    expect(Math.max(...overtaken)).toBeLessThanOrEqual(BATCH)
  })
})
