// What is looked at a second time: a recurrence whose timer is lost or was never fired is found and goes on, and somebody
// is told; and when the rules of time zones change, what was planned by the old ones is planned anew.

import { expect, it, vi } from 'vitest'
import { createMetrics } from '../../src/observe/metrics.ts'
import { at, DAY, HOUR, onEachShared } from '../engine/bed.ts'
import { spy } from '../engine/spies.ts'
import { byHand } from './by-hand.ts'

const DAILY = { cron: '0 12 * * *', timezone: 'Europe/Warsaw', do: { type: 'note', config: {} } }

onEachShared('the watchdog', (bed) => {
  it.each([
    ['is gone', `delete from pawl.timers where execution = 'daily'`],
    ['is held', `update pawl.timers set held = true where execution = 'daily'`],
  ])('a timer %s: found, planned anew, logged, counted, and somebody is told', async (_, plant) => {
    const note = spy('note')
    const metrics = createMetrics({ version: '1', maxSeries: 5 })
    const first = await bed.open({ runners: [note] })
    await first.recurring.create({ id: 'daily', ...DAILY })
    await first.recurring.create({ id: 'other', ...DAILY })
    await byHand(bed, plant)
    await first.close()
    const later = await bed.open({
      runners: [note],
      clock: `virtual:${at(DAY)}`,
      observer: metrics.observer,
    })
    expect(await later.recurring.get('daily')).toMatchObject({ nextAt: at(2 * HOUR) })
    const stop = await later.work()
    const alert = await vi.waitFor(
      async () => {
        const { data } = await later.alerts.list()
        expect(data).toHaveLength(1)
        return data[0]
      },
      { timeout: 30_000, interval: 50 },
    )
    await stop()
    expect(alert).toMatchObject({
      type: 'recurrence_overdue',
      details: {
        name: 'daily',
        error: { type: 'overdue', message: `no timer was armed for ${at(2 * HOUR)}` },
      },
    })
    expect(bed.lines.filter(({ fields }) => fields['event'] === 'recurring.overdue')).toHaveLength(1)
    expect(await metrics.text()).toContain('pawl_alerts_raised_total{type="recurrence_overdue"} 1')
    const { data } = await later.recurring.history('daily')
    expect(data.map((row) => [row.at, row.fate, row.reason])).toEqual([[at(2 * HOUR), 'skipped', 'missed']])
    await later.advance({ by: 3 * HOUR })
    expect(note.calls).toHaveLength(2)
    expect((await later.verify()).findings).toEqual([])
  })
})
