// Owns the moment two transactions meet: one is open and holds rows, the other goes past it or waits for it. The server says
// which; no luck is needed.

import type { Member } from '../../src/store/store.ts'
import type { Bed } from '../../src/testing/store-conformance/bed.ts'
import { same } from '../../src/testing/store-conformance/check.ts'
import { NOW, OF } from '../../src/testing/store-conformance/members.ts'
import type { Arena } from './open-postgres.ts'

export const TIMES = { at: NOW, lease: NOW }

export type Place = Bed & Pick<Arena, 'query' | 'isWaitedFor'>
type Work = () => Promise<unknown>
export type Standoff = (place: Place) => Promise<void>

/** Until the work is over, or waits for the open transaction. */
const meet = async ({ isWaitedFor }: Place, work: Promise<unknown>): Promise<'over' | 'waiting'> => {
  let end: 'over' | undefined
  const over = () => (end = 'over' as const)
  work.then(over, over)
  while (end === undefined) if (await isWaitedFor()) return 'waiting'
  return end
}

/** In an open transaction these rows are held, or this is written; then comes the work. */
const inside = (place: Place, holds: readonly (string | Partial<Member>)[], work: () => Promise<void>) =>
  place.transact(async (commit) => {
    for (const hold of holds)
      if (typeof hold === 'string') await place.query(hold)
      else same((await commit([{ ...OF, ...TIMES, ...hold }]))[0]?.status, 'ok', 'what is written meanwhile')
    await work()
  })

/** None of these waits for what is held. */
export const goesPast = (place: Place, holds: readonly string[], works: Readonly<Record<string, Work>>) =>
  inside(place, holds, async () => {
    for (const [what, work] of Object.entries(works)) {
      const working = work()
      same(await meet(place, working), 'over', what)
      await working
    }
  })

/** It waits for what is held or written, and ends when that is over; meanwhile so many other rows are free, and none is taken. */
export const waitsFor = async (
  place: Place,
  hold: string | Partial<Member>,
  work: Work,
  free: readonly (readonly [rows: string, count: number])[] = [],
  taken?: string,
): Promise<unknown> => {
  let working: Promise<unknown> = Promise.resolve()
  await inside(place, [hold], async () => {
    working = work()
    same(await meet(place, working), 'waiting', 'it waits')
    for (const [rows, count] of free)
      same((await place.query(`select from ${rows} for update skip locked`)).length, count, rows)
    if (taken !== undefined) same((await place.query(taken)).length, 0, 'what it has taken before its turn')
  })
  return working
}
