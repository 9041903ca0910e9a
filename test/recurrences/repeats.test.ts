// F-034 through the engine, on each store: an action of a machine that repeats by a cron.

import { expect, it } from 'vitest'
import { at, DAY, HOUR, MINUTE, NOW, onEachStore } from '../engine/bed.ts'
import { spy } from '../engine/spies.ts'

const ORDER = {
  kind: 'machine',
  id: 'order',
  initial: 'unpaid',
  states: { unpaid: { on: { paid: 'packing' } }, packing: { on: { sent: 'done' } }, done: { final: true } },
  actions: [
    {
      actionId: 'remind',
      type: 'note',
      triggerState: 'unpaid',
      schedule: '0 9-17 * * MON-FRI',
      timezone: 'Europe/London',
      config: { text: '{{variables.name}} {{execution_time}}' },
    },
    { actionId: 'audit', type: 'audit', schedule: '30 12 * * *', timezone: 'UTC', config: {} },
  ],
}

onEachStore('actions with a schedule', (bed) => {
  it('repeat while in their state, or all the time; moving on and ending take them away', async () => {
    const [note, audit] = [spy('note'), spy('audit')]
    const pawl = await bed.open({ runners: [note, audit] })
    expect((await pawl.define(ORDER)).warnings).toEqual([])
    const run = await pawl.start('order', { id: 'o_1', variables: { name: 'ada' } })
    await pawl.advance({ by: 2 * HOUR })
    expect(note.calls.map(({ config, at: when }) => [config, when])).toEqual(
      [HOUR, 2 * HOUR].map((ms) => [{ text: `ada ${at(ms)}` }, NOW + ms]),
    )
    await run.send('paid', {})
    await pawl.advance({ by: DAY })
    expect(note.calls).toHaveLength(2)
    expect(audit.calls).toHaveLength(1)
    await run.send('sent', {})
    await pawl.advance({ by: DAY })
    expect(audit.calls).toHaveLength(1)
    expect((await pawl.agenda({})).data).toEqual([])
    expect((await pawl.verify()).findings).toEqual([])
  })

  it('stand still while the execution is paused, and tell what was missed', async () => {
    const note = spy('note')
    const pawl = await bed.open({ runners: [note, spy('audit')] })
    await pawl.define(ORDER)
    await pawl.start('order', { id: 'o_1', variables: { name: 'ada' } })
    await pawl.executions.pause('o_1')
    await pawl.advance({ by: 2 * HOUR + 30 * MINUTE })
    await pawl.executions.resume('o_1')
    await pawl.advance({ by: 30 * MINUTE })
    expect(note.calls.map((call) => call.at)).toEqual([NOW + 3 * HOUR])
    const told = (await pawl.executions.history('o_1')).data.find(({ data }) => data['every'] === 'remind')
    expect(told?.data['occurrences']).toEqual(
      [1, 2].map((n) => ({ at: NOW + n * HOUR, fate: 'skipped', reason: 'missed' })),
    )
  })
})
