import { expect, it } from 'vitest'
import { open } from '../../../test/sqlite/bed.ts'
import { advance, NOW, OF } from '../../../test/sqlite/members.ts'

const timer = (key: string) => ({
  key,
  dueAt: NOW,
  event: { id: `${key}@`, type: 'timer.fired', payload: {}, at: NOW, timer: key },
})

it('F36: whoever runs the store is warned of a row that was set aside', async () => {
  const bed = await open()
  await bed.commit({ advance: advance('l', { timers: [timer('t1'), timer('t2')] }) })
  bed.connection.exec(`update timers set event = replace(event, 'fired', 'tired') where key = 't1'`)
  await bed.store.dueTimers(9, { now: NOW })
  await bed.store.dueTimers(9, { now: NOW })
  expect(bed.warnings).toEqual([expect.stringMatching(/a row was set aside: timer t1 .*checksum/)])
})

it('F31: one changed letter is found, and the row is refused by name', async () => {
  const bed = await open()
  await bed.commit({ advance: advance('l') })
  bed.connection.exec(`update executions set variables = replace(variables, 'ada', 'eve')`)
  expect(await bed.store.load([{ ...OF, id: 'l' }])).toEqual([
    {
      ref: { ...OF, id: 'l' },
      unreadable: expect.objectContaining({
        code: 'store_corrupt',
        message: expect.stringContaining('the variables of execution l'),
      }),
    },
  ])
})
