import { expect, it } from 'vitest'
import { z } from 'zod'
import { machine } from '../../src/index.ts'
import { DAY, NOW, onEachShared, onEachStore } from './bed.ts'
import { historyOf, spy } from './spies.ts'

const mail = spy('mail')
const wedding = machine({
  id: 'wedding',
  variables: z.object({ couple: z.string() }),
  uses: [mail],
  initial: 'planning',
  states: {
    planning: {
      enter: ({ variables }) => mail(`save the date, ${variables.couple}`),
      after: { '28d': 'timeline' },
    },
    timeline: { enter: () => mail('send us your timeline', { delay: '3d' }), after: { '1w': 'last_week' } },
    last_week: { enter: () => mail('one week'), after: { '7d': 'over' } },
    over: { final: true },
  },
})

onEachStore('42 days', (bed) => {
  it('pass in milliseconds, and everything happens at its instant', async () => {
    mail.calls.length = 0
    const pawl = await bed.open({ definitions: [wedding], runners: [mail] })
    await pawl.start(wedding, { id: 'w', variables: { couple: 'ada & grace' } })
    const began = performance.now()
    await pawl.advance({ by: '42d' })
    console.log(`42 days in ${Math.round(performance.now() - began)} ms`)
    expect(pawl.now()).toBe(NOW + 42 * DAY)
    expect(mail.calls.map((call) => [(call.at - NOW) / DAY, call.config])).toEqual([
      [0, 'save the date, ada & grace'],
      [31, 'send us your timeline'],
      [35, 'one week'],
    ])
    expect(await pawl.executions.get('w')).toMatchObject({ status: 'completed', state: 'over' })
  })

  it('a machine that waits an hour at a time is not jumped over', async () => {
    const hours: number[] = []
    const clock = machine({
      id: 'clock',
      initial: 'tick',
      states: { tick: { enter: ({ now }) => void hours.push(now), after: { '1h': 'tick' } } },
    })
    const pawl = await bed.open({ definitions: [clock] })
    await pawl.start(clock, { id: 'c', variables: {} })
    await pawl.advance({ by: '2d' })
    expect(hours.map((at) => (at - NOW) / 3_600_000)).toEqual(Array.from({ length: 49 }, (_, hour) => hour))
    expect(await historyOf(pawl, 'c')).toHaveLength(49)
  })
})

onEachShared('a virtual clock', (bed) => {
  it('KERNEL §7: stands where it stood when the store is opened again', async () => {
    const first = await bed.open()
    await first.advance({ by: '10d' })
    await first.close()
    const second = await bed.open()
    expect(second.now()).toBe(NOW + 10 * DAY)
  })
})
