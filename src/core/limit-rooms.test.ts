import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { planWithin, type RoomsOf } from './limit-rooms.ts'
import { indexLanes, type Lane, PLANNER_START, type PlanInput, plan } from './planner.ts'

const NOW = 1_800_000_000_000
const lane = (id: number, type: string, tenant = 't'): Lane => ({
  id,
  namespace: 'n',
  tenant,
  type,
  priority: 50,
})

const input = (lanes: readonly Lane[], due: Readonly<Record<number, number>>, slots: number): PlanInput => ({
  lanes: indexLanes(lanes),
  heads: new Map(Object.entries(due).map(([id, n]) => [Number(id), { dueAt: NOW - 1000, due: n }])),
  inFlight: new Map(),
  now: NOW,
  slots,
  state: PLANNER_START,
})

const roomy: RoomsOf = () => []
const byType =
  (rooms: Readonly<Record<string, number>>): RoomsOf =>
  ({ type }) =>
    type in rooms ? [{ key: type, room: rooms[type]! }] : []

const given = (planned: ReturnType<typeof planWithin>): Readonly<Record<number, number>> =>
  Object.fromEntries(planned.shares.map(({ lane: id, n }) => [id, n]))

describe('planWithin', () => {
  it('is the plan where there is room for all', () => {
    const asked = input([lane(1, 'a'), lane(2, 'b', 'u')], { 1: 100, 2: 100 }, 10)
    expect(planWithin(asked, undefined)).toEqual(plan(asked))
    expect(planWithin(asked, roomy)).toEqual(plan(asked))
  })

  it('F42: what a full type may not have goes to the others', () => {
    const asked = input([lane(1, 'slow'), lane(2, 'fast', 'u')], { 1: 100, 2: 100 }, 64)
    expect(given(planWithin(asked, byType({ slow: 8 })))).toEqual({ 1: 8, 2: 56 })
    expect(given(planWithin(asked, byType({ slow: 0 })))).toEqual({ 2: 64 })
    expect(given(planWithin(asked, byType({ slow: -3 })))).toEqual({ 2: 64 })
  })

  it('lanes of one type share its room, and a lane appears once', () => {
    const lanes = [lane(1, 'slow'), lane(2, 'slow', 'u'), lane(3, 'fast', 'v')]
    const planned = planWithin(input(lanes, { 1: 50, 2: 50, 3: 50 }, 40), byType({ slow: 6 }))
    const shares = given(planned)
    expect([shares[1], shares[2]]).toEqual([3, 3])
    expect(shares[3]).toBe(34)
    expect(planned.shares).toHaveLength(3)
  })

  it('with several rooms the least one counts', () => {
    const rooms: RoomsOf = () => [
      { key: 'bulkhead', room: 9 },
      { key: 'breaker', room: 1 },
    ]
    expect(given(planWithin(input([lane(1, 'a')], { 1: 50 }, 40), rooms))).toEqual({ 1: 1 })
  })

  it('a head of a lane nobody knows, and no slots at all, give nothing', () => {
    expect(planWithin(input([], { 7: 1 }, 5), byType({ a: 1 })).shares).toEqual([])
    expect(planWithin(input([lane(1, 'a')], { 1: 9 }, 0), roomy).shares).toEqual([])
  })

  it('no room is overdrawn, and no slot stays free while a lane with room is due', () => {
    const types = ['a', 'b', 'c']
    const world = fc.record({
      due: fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 9 }),
      rooms: fc.record({ a: fc.nat(10), b: fc.nat(10), c: fc.nat(10) }, { requiredKeys: [] }),
      slots: fc.integer({ min: 1, max: 64 }),
    })
    fc.assert(
      fc.property(world, ({ due, rooms, slots }) => {
        const lanes = due.map((_, index) => lane(index + 1, types[index % 3]!, `t${index}`))
        const known = rooms as Readonly<Record<string, number>>
        const asked = input(lanes, Object.fromEntries(due.map((n, index) => [index + 1, n])), slots)
        const shares = planWithin(asked, byType(known)).shares
        const taken = (type: string): number =>
          shares
            .filter((share) => asked.lanes.get(share.lane)!.type === type)
            .reduce((sum, { n }) => sum + n, 0)
        for (const type of types)
          expect(taken(type)).toBeLessThanOrEqual(known[type] ?? Number.POSITIVE_INFINITY)
        const total = shares.reduce((sum, { n }) => sum + n, 0)
        const isDue = (type: string): boolean => lanes.some((each) => each.type === type)
        const open = types.some(
          (type) => isDue(type) && (known[type] === undefined || taken(type) < known[type]),
        )
        expect(total === slots || !open).toBe(true)
      }),
    )
  })
})
