import { expect, it } from 'vitest'
import { claimAll, open } from '../../../test/sqlite/bed.ts'
import { action, advance, NOW, OF } from '../../../test/sqlite/members.ts'

const timer = (key: string) => ({
  key,
  dueAt: NOW,
  event: { id: `${key}@`, type: 'timer.fired', payload: {}, at: NOW, timer: key },
})

it('F36: a claimed row that cannot be read becomes a dead letter, its neighbours run', async () => {
  const bed = await open()
  await bed.commit({ enqueue: [action('act_1'), action('act_2')] })
  bed.connection.exec(`update actions set plan = replace(plan, '"ada"', '"eve"') where id = 'act_1'`)
  expect((await claimAll(bed)).map(({ id }) => id)).toEqual(['act_2'])
  expect((await bed.reader.counts(OF)).actions).toMatchObject({ queued: 0, running: 1, dead: 1 })
  await expect(bed.reader.action(OF, 'act_1')).rejects.toMatchObject({ code: 'store_corrupt' })
})

it('F36: an expired claim that cannot be read becomes a dead letter', async () => {
  const bed = await open()
  await bed.commit({ enqueue: [action('act_1'), action('act_2')] })
  await claimAll(bed)
  bed.connection.exec(`update actions set plan = replace(plan, '"ada"', '"eve"') where id = 'act_1'`)
  const reaped = await bed.store.reap(9, { lease: NOW + 30_000 })
  expect(reaped.map(({ id, token, nonce }) => [id, token, nonce])).toEqual([['act_2', 1, 'nonce']])
  expect((await bed.reader.counts(OF)).actions).toMatchObject({ running: 1, dead: 1 })
  expect(bed.warnings).toEqual([expect.stringContaining('a row was set aside')])
})

it('F36: timers and events that cannot be read are set aside, those behind them come', async () => {
  const bed = await open()
  const event = (id: string) => ({ id, type: 'x', payload: { id }, at: NOW })
  await bed.commit({
    advance: advance('l', { timers: [timer('t1'), timer('t2')] }),
    deliver: ['e1', 'e2'].map((id) => ({ execution: 'l', event: event(id) })),
  })
  bed.connection.exec(`update timers set event = replace(event, 'fired', 'tired') where key = 't1'`)
  bed.connection.exec(`update inbox set event = replace(event, '"x"', '"y"') where event_id = 'e1'`)
  expect((await bed.store.dueTimers(9, { now: NOW })).map((due) => due.timer.key)).toEqual(['t2'])
  expect((await bed.store.inbox(['lease'], 9)).map((waiting) => waiting.event.id)).toEqual(['e2'])
  expect((await bed.store.dueTimers(1, { now: NOW })).map((due) => due.timer.key)).toEqual(['t2'])
  expect((await bed.store.inbox(['lease'], 1)).map((waiting) => waiting.event.id)).toEqual(['e2'])
  expect(bed.warnings).toHaveLength(2)
})

it('an execution that cannot be read is refused by name', async () => {
  const bed = await open()
  await bed.commit({ advance: advance('l') })
  bed.connection.exec(`update executions set variables = replace(variables, 'ada', 'eve')`)
  await expect(bed.store.load([{ ...OF, id: 'l' }])).rejects.toMatchObject({
    code: 'store_corrupt',
    message: expect.stringContaining('the variables of execution l'),
  })
})
