import { expect, it } from 'vitest'
import { onEachStore } from '../engine/bed.ts'
import { gate, spy, until } from '../engine/spies.ts'

onEachStore('a bulkhead', (bed) => {
  it('F42: what hangs takes its own part of the slots and no more: all the others are served', async () => {
    const door = gate()
    const slow = spy('slow', door.pass)
    const fast = spy('fast')
    const pawl = await bed.open({ runners: [slow, fast], clock: 'real', limits: { slow: { bulkhead: 2 } } })
    for (let n = 0; n < 20; n++) await pawl.dispatch(slow({ n }))
    const stop = await pawl.work({ slots: 4 })
    await until(() => slow.calls.length === 2)
    for (let n = 0; n < 100; n++) await pawl.dispatch(fast({ n }))
    await until(() => fast.calls.length === 100)
    expect(slow.calls).toHaveLength(2)
    door.open()
    await until(async () => (await pawl.counts()).actions.succeeded === 120)
    await stop()
  })

  it('without one it takes them all', async () => {
    const door = gate()
    const slow = spy('slow', door.pass)
    const pawl = await bed.open({ runners: [slow], clock: 'real' })
    for (let n = 0; n < 8; n++) await pawl.dispatch(slow({ n }))
    const stop = await pawl.work({ slots: 4 })
    await until(() => slow.calls.length === 4)
    door.open()
    await stop()
  })
})
