// Nothing ran for a while: what each policy makes of what was missed, and two schedulers at once.

import { expect, it } from 'vitest'
import { at, HOUR, MINUTE, NOW, onEachShared, START } from '../engine/bed.ts'
import { spy } from '../engine/spies.ts'

const TEN = [10, 20, 30, 40, 50, 60]
const instants = (...minutes: readonly number[]): readonly string[] => minutes.map((n) => at(n * MINUTE))

onEachShared('recurrences that were missed', (bed) => {
  it.each([
    ['skip', [60], TEN.slice(0, 5).map(() => 'missed')],
    ['latest', [60], TEN.slice(0, 5).map(() => 'missed')],
    ['all', TEN, TEN.slice(0, 5).map(() => 'missed')],
  ] as const)(
    'F12, F24, R-026, X-21: an hour without a process, or a clock that jumped, %s: the exact list',
    async (misfire, fired, reasons) => {
      const note = spy('note')
      const first = await bed.open({ runners: [note] })
      const { id } = await first.recurring.create({
        cron: '*/10 * * * *',
        timezone: 'UTC',
        misfire,
        do: { type: 'note', config: {} },
      })
      await first.close()
      const later = await bed.open({ runners: [note], clock: `virtual:${at(HOUR)}` })
      await later.advance({ by: 0 })
      const { data } = await later.recurring.history(id)
      const told = data.toReversed()
      expect(told.map((row) => row.at)).toEqual(instants(...TEN))
      expect(told.filter(({ fate }) => fate === 'fired').map((row) => row.at)).toEqual(instants(...fired))
      expect(told.flatMap(({ reason }) => reason ?? [])).toEqual(reasons)
      expect(note.calls).toHaveLength(fired.length)
      expect(await later.recurring.get(id)).toMatchObject({ nextAt: at(70 * MINUTE) })
      expect((await later.verify()).findings).toEqual([])
    },
  )

  it('F11, R-022, R-050, X-11: two schedulers on one tick: the loser writes nothing', async () => {
    const note = spy('note')
    const pawls = [await bed.open({ runners: [note] }), await bed.open({ runners: [note] })]
    const made = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        pawls[n % 2]!.recurring.create({
          cron: '* * * * *',
          timezone: 'UTC',
          do: { type: 'note', config: { n } },
        }),
      ),
    )
    for (let minute = 1; minute <= 5; minute++)
      await Promise.all(pawls.map((pawl) => pawl.advance({ to: NOW + minute * MINUTE })))
    expect(note.calls).toHaveLength(100)
    expect(new Set(note.calls.map(({ key }) => key)).size).toBe(100)
    for (const { id } of made) {
      const { data } = await pawls[0]!.recurring.history(id)
      expect(data.map((row) => row.at)).toEqual(instants(5, 4, 3, 2, 1))
      expect(await pawls[1]!.recurring.get(id)).toMatchObject({ executionCount: 5, successCount: 5 })
    }
    expect((await pawls[0]!.verify()).findings).toEqual([])
    expect(START).toBe(at(0))
  })
})
