import { expect, it } from 'vitest'
import type { Head, Lane } from '../store/store.ts'
import { realClock } from './clock.ts'
import { createHeads, tenantOf } from './heads.ts'

const NOW = 1_800_000_000_000
const AGE = 30_000

const lane = (id: number, over: Partial<Lane> = {}): Lane => ({
  lane: id,
  namespace: 'n',
  tenant: 't',
  type: 'mail',
  priority: 50,
  ...over,
})
const head = (id: number, over: Partial<Head> = {}): Head => ({
  ...lane(id),
  dueAt: NOW,
  due: 1,
  paused: false,
  ...over,
})

/** What this process believes after one look at a store with these heads. */
const bed = async (rows: readonly Head[]) => {
  let scans = 0
  const heads = createHeads(
    {
      heads: async () => {
        scans += 1
        return rows
      },
    },
    {
      clock: { ...realClock, now: () => NOW },
      isOffered: (type) => type !== 'unknown',
      gate: { refresh: async () => undefined, rooms: () => undefined },
    },
  )
  await heads.refresh()
  return { ...heads, scans: () => scans }
}

it.each<[string, readonly Head[], Partial<Lane>, boolean]>([
  ['nothing is due', [], {}, true],
  ['its type is not offered here', [], { type: 'unknown' }, false],
  ['something of the same priority is due', [head(1)], {}, false],
  [
    'something of higher priority is due, of another type',
    [head(1, { priority: 90, type: 'sms' })],
    {},
    false,
  ],
  ['only what has lower priority is due', [head(1, { priority: 10 })], {}, true],
  ['what has lower priority has waited for long', [head(1, { priority: 10, dueAt: NOW - AGE })], {}, false],
  ['what is queued is due later', [head(1, { dueAt: NOW + 1 })], {}, true],
  ['what is due is paused', [head(1, { paused: true })], {}, true],
  ['what is due can run elsewhere only', [head(1, { type: 'unknown' })], {}, true],
  ['another tenant has something due', [head(1, { tenant: 'u' })], {}, true],
  ['a tenant of that name has, in another namespace', [head(1, { namespace: 'm' })], {}, true],
])('may a new action start at once when %s?', async (_, rows, over, isNext) => {
  const heads = await bed(rows)
  const { lane: __, ...wanted } = lane(9, over)
  expect(heads.isNext(wanted)).toBe(isNext)
})

it('those who wait are the tenants with something due that may be claimed here', async () => {
  const { waiting, hint, claimed } = await bed([
    head(1),
    head(2, { tenant: 'later', dueAt: NOW + 1 }),
    head(3, { tenant: 'paused', paused: true }),
    head(4, { tenant: 'u' }),
    head(5, { tenant: 'elsewhere', type: 'unknown' }),
  ])
  const name = (tenant: string): string => tenantOf({ namespace: 'n', tenant })
  expect([...waiting()]).toEqual([name('t'), name('u')])
  hint([2])
  expect(waiting()).toContain(name('later'))
  claimed([{ lane: 1, n: 2 }], new Map([[1, 1]]))
  expect(waiting()).not.toContain(name('t'))
})

it('a lane that was never queued in is learnt: its tenant has its place, and a hint of it needs no scan', async () => {
  const { learn, hint, refresh, plan, isNext, scans } = await bed([])
  learn(lane(7))
  hint([7])
  await refresh()
  expect(scans()).toBe(1)
  expect(plan(4, new Map())).toEqual([{ lane: 7, n: 4 }])
  expect(isNext(lane(9))).toBe(false)
  hint([8])
  await refresh()
  expect(scans()).toBe(2)
})
