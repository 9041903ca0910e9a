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

  it('F42: behind a bulkhead of a tenth, the others have nine tenths of the slots while it hangs', async () => {
    const [door, other] = [gate(), gate()]
    const slow = spy('slow', door.pass)
    const fast = spy('fast', other.pass)
    const pawl = await bed.open({ runners: [slow, fast], clock: 'real', limits: { slow: { bulkhead: 6 } } })
    for (let n = 0; n < 80; n++) await pawl.dispatch(n % 2 === 0 ? slow({ n }) : fast({ n }))
    for (let n = 0; n < 40; n++) await pawl.dispatch(fast({ n }))
    const stop = await pawl.work({ slots: 64 })
    await until(() => slow.calls.length + fast.calls.length === 64)
    expect([slow.calls.length, fast.calls.length]).toEqual([6, 58])
    door.open()
    other.open()
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
