import { expect, it } from 'vitest'
import { open } from '../../../test/sqlite/bed.ts'
import { action, NOW, OF } from '../../../test/sqlite/members.ts'

const clocks = { now: NOW, lease: NOW }

it('counts what is due up to a bound of the lane, and up to one of all where lanes are many', async () => {
  const bed = await open()
  const enqueue = (ids: readonly string[], type: string) =>
    bed.store.commit([{ ...OF, at: NOW, enqueue: ids.map((id) => action(id, { type })) }])
  await enqueue(
    Array.from({ length: 250 }, (_, n) => `act_${n}`),
    'busy',
  )
  const dueOf = async (type: string) =>
    (await bed.store.heads(clocks)).find((head) => head.type === type)!.due
  expect([await dueOf('busy'), await dueOf('busy')]).toEqual([200, 200])
  for (let lane = 0; lane < 399; lane++) await enqueue([`act_of_${lane}`], `type ${lane}`)
  expect(await dueOf('busy')).toBe(200)
  expect([await dueOf('busy'), await dueOf('type 7')]).toEqual([50, 1])
})
