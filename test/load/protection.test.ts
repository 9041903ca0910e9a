// What a process protects itself from: payloads that would fill its memory. Messages that end it are test/processes' to try.

import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { Pawl } from '../../src/index.ts'
import { gate, spy } from '../engine/spies.ts'
import { groundOf, STORES, waitFor } from './bed.ts'

const MIB = 1024 * 1024

// Processes start, die and wait for leases here: a limit only against waiting for ever.
vi.setConfig({ testTimeout: 300_000 })

describe.each(STORES)('protection, on %s', (store) => {
  it('F33: however many slots there are, what is under way is bounded in bytes, and all of it is done', async () => {
    const size = 200 * 1024
    const count = 160
    const door = gate()
    let underWay = 0
    let most = 0
    const large = spy('large', async () => {
      underWay += 1
      most = Math.max(most, underWay)
      await door.pass()
      underWay -= 1
    })
    const pawl = await Pawl.open({ store: (await groundOf(store)).store, runners: [large] })
    onTestFinished(() => pawl.close())
    const one = large({ text: 'x'.repeat(size) })
    for (let wave = 0; wave < count / 20; wave++)
      await Promise.all(Array.from({ length: 20 }, () => pawl.dispatch(one)))
    await pawl.work({ slots: 1000 })
    await waitFor(() => underWay * size >= 15 * MIB)
    // More is due, and slots are free: nothing else could be holding it back by now.
    for (let turn = 0; turn < 50; turn++) await pawl.counts()
    expect(most * size).toBeLessThanOrEqual(20 * MIB)
    door.open()
    await waitFor(async () => (await pawl.counts()).actions.succeeded === count)
    expect(most * size).toBeLessThanOrEqual(20 * MIB)
  })
})
