// What recurrences may: quotas, the least interval, the switch; and that each fire passes what any action passes.

import { expect, it } from 'vitest'
import { at, HOUR, MINUTE, NOW, onEachShared, onEachStore } from '../engine/bed.ts'
import { settle, spy } from '../engine/spies.ts'

const EVERY_TEN = { cron: '*/10 * * * *', timezone: 'UTC', do: { type: 'note', config: { text: 'hi' } } }
const DIGEST = { kind: 'recurring', id: 'digest', cron: '* * * * *', timezone: 'UTC', action: EVERY_TEN.do }

onEachStore('what recurrences may', (bed) => {
  it('S33: a tenant has its number of them, and one removed makes room; another tenant has its own', async () => {
    const pawl = await bed.open({ runners: [spy('note')], recurrences: { max: 2 } })
    const { id } = await pawl.recurring.create(EVERY_TEN)
    await pawl.define(DIGEST)
    for (const one of [() => pawl.recurring.create(EVERY_TEN), () => pawl.define({ ...DIGEST, id: 'more' })])
      await expect(one()).rejects.toMatchObject({ code: 'quota_exceeded' })
    await pawl.tenant('other').recurring.create(EVERY_TEN)
    await pawl.recurring.remove(id)
    await pawl.recurring.create(EVERY_TEN)
  })

  it('S33: the least interval holds for what is made, changed and defined', async () => {
    const pawl = await bed.open({ runners: [spy('note')], recurrences: { minInterval: '5m' } })
    const { id } = await pawl.recurring.create(EVERY_TEN)
    for (const one of [
      () => pawl.recurring.create({ ...EVERY_TEN, cron: '* * * * *' }),
      () => pawl.recurring.update(id, { cron: '* * * * *' }),
      () => pawl.define(DIGEST),
    ])
      await expect(one()).rejects.toMatchObject({ code: 'interval_too_short' })
  })

  it('R-006: a fire waits for its window and its limit, and what its runner refuses is a dead letter', async () => {
    const note = spy('note')
    const pawl = await bed.open({ runners: [note] })
    const window = { timezone: 'UTC', from: '10:00', to: '18:00' }
    const limit = { key: 'one', rate: '1/h' }
    await pawl.recurring.create({ ...EVERY_TEN, do: { ...EVERY_TEN.do, window } })
    await pawl.recurring.create({ ...EVERY_TEN, do: { ...EVERY_TEN.do, name: 'limited', limit } })
    await pawl.recurring.create({ ...EVERY_TEN, do: { type: 'webhook', config: { url: 5 } } })
    await pawl.advance({ by: 20 * MINUTE })
    expect(note.calls.map((call) => call.at)).toEqual([NOW + 10 * MINUTE])
    const held = (await pawl.actions.list({ status: 'queued', type: 'note' })).data
    expect(held.map(({ hold }) => hold?.split(':')[0]).sort()).toEqual(['rate', 'window', 'window'])
    expect((await pawl.actions.list({ status: 'dead' })).data).toMatchObject([
      { type: 'webhook', attempt: 1, error: { type: 'invalid_configuration' } },
      { type: 'webhook', attempt: 1, error: { type: 'invalid_configuration' } },
    ])
    await pawl.advance({ to: at(HOUR) })
    expect(note.calls.filter((call) => call.at === NOW + HOUR).length).toBeGreaterThanOrEqual(2)
  })
})

onEachShared('the switch of recurrences', (bed) => {
  it('R-020, X-20: on unless said; a process where it is off fires none and takes none, and others do', async () => {
    const note = spy('note')
    const on = await bed.open({ runners: [note] })
    const { id } = await on.recurring.create(EVERY_TEN)
    await on.close()
    const off = await bed.open({ runners: [note], recurrences: { enabled: false } })
    for (const one of [
      () => off.recurring.create(EVERY_TEN),
      () => off.recurring.pause(id),
      () => off.define(DIGEST),
    ])
      await expect(one()).rejects.toMatchObject({ code: 'recurrence_conflict' })
    await off.advance({ by: 10 * MINUTE })
    expect(note.calls).toEqual([])
    expect(await off.recurring.get(id)).toMatchObject({ executionCount: 0 })
    await off.close()
    const again = await bed.open({ runners: [note] })
    await settle(again)
    expect(note.calls).toHaveLength(1)
    expect(await again.recurring.get(id)).toMatchObject({ executionCount: 1, nextAt: at(20 * MINUTE) })
  })
})
