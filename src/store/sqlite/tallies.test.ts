import { expect, it } from 'vitest'
import { type Bed, open } from '../../../test/sqlite/bed.ts'
import { action, NOW, OF } from '../../../test/sqlite/members.ts'
import { MOST_TALLIES } from './tallies.ts'

const KEEP_ALL = { doneBefore: 0, eventsBefore: 0, inboxBefore: 0, dedupBefore: 0 }

let drawn = 0

/** One action of each of so many tenants, in one transaction. */
const enqueue = ({ store }: Bed, tenants: number) =>
  store.commit(
    Array.from({ length: tenants }, (_, n) => {
      drawn += 1
      return { ...OF, tenant: `t${n}`, at: NOW, enqueue: [action(`act_${drawn}`)] }
    }),
  )

const rows = ({ connection }: Bed, table: string): number =>
  Number(connection.prepare(`select count(*) as n from ${table}`).get()!['n'])

const queued = async ({ reader }: Bed, tenant: string): Promise<number> =>
  (await reader.counts({ ...OF, tenant })).actions.queued

it('counts of a few are added to the counters, counts of many are one row beside them', async () => {
  const bed = await open()
  await enqueue(bed, 7)
  expect([rows(bed, 'tallies'), rows(bed, 'counters')]).toEqual([0, 7])
  await enqueue(bed, 8)
  expect([rows(bed, 'tallies'), rows(bed, 'counters')]).toEqual([1, 7])
  expect([await queued(bed, 't0'), await queued(bed, 't7'), await queued(bed, 't8')]).toEqual([2, 1, 0])
})

it('A2: they are added up by who writes one too many, and counted once all the while', async () => {
  const bed = await open()
  for (let n = 1; n <= MOST_TALLIES + 2; n++) {
    await enqueue(bed, 9)
    expect(await queued(bed, 't8')).toBe(n)
  }
  expect([rows(bed, 'tallies'), rows(bed, 'counters')]).toEqual([2, 9])
})

it('a tenant whose name has half a character is found in a tally as it is in the counters', async () => {
  const bed = await open()
  const odd = { ...OF, tenant: 'half \ud800' }
  const others = Array.from({ length: 9 }, (_, n) => ({ ...OF, tenant: `t${n}` }))
  await bed.store.commit([odd, ...others].map((of, n) => ({ ...of, at: NOW, enqueue: [action(`odd_${n}`)] })))
  expect([rows(bed, 'tallies'), await queued(bed, odd.tenant)]).toEqual([1, 1])
  while (await bed.keeper.prune(KEEP_ALL, 10));
  expect([rows(bed, 'tallies'), await queued(bed, odd.tenant)]).toEqual([0, 1])
})

it('retention adds them up', async () => {
  const bed = await open()
  await enqueue(bed, 9)
  while (await bed.keeper.prune(KEEP_ALL, 10));
  expect([rows(bed, 'tallies'), rows(bed, 'counters'), await queued(bed, 't8')]).toEqual([0, 9, 1])
})

it('whoever inspects finds them, and tenants that are in no counter yet', async () => {
  const bed = await open()
  await enqueue(bed, 2)
  await enqueue(bed, 9)
  const found = await bed.inspector.counters([], 20)
  expect(found.map(({ tenant, counted }) => [tenant, counted['actions.open']])).toEqual(
    Array.from({ length: 9 }, (_, n) => [`t${n}`, n < 2 ? 2 : 1]),
  )
  expect(found.every(({ isFolded }) => !isFolded)).toBe(true)
})

it('A3: one that is damaged is refused by who reads it and who would add it up, and nothing is written', async () => {
  const bed = await open()
  await enqueue(bed, 9)
  bed.connection.exec(`update tallies set counts = replace(counts, '"t8"', '"t9"')`)
  const damaged = { code: 'store_corrupt' }
  await expect(queued(bed, 't8')).rejects.toMatchObject(damaged)
  await expect(bed.inspector.counters([], 20)).rejects.toMatchObject(damaged)
  await expect(bed.keeper.prune(KEEP_ALL, 10)).rejects.toMatchObject(damaged)
  expect([rows(bed, 'tallies'), rows(bed, 'counters')]).toEqual([1, 0])
})
