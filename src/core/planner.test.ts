import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type Head,
  indexLanes,
  type Lane,
  PLANNER_START,
  type Plan,
  type PlanInput,
  type PlannerState,
  plan,
} from './planner.ts'

const NOW = 1_000_000

/** `a5` is tenant a, priority 5. */
const lane = (id: number, tenant: string, priority: number, more: Partial<Lane> = {}): Lane => ({
  id,
  namespace: 'default',
  tenant,
  type: 'email',
  priority,
  ...more,
})
const fresh = (due: number, dueAt = NOW - 100): Head => ({ dueAt, due })

interface Given {
  readonly lanes: readonly Lane[]
  readonly heads: Readonly<Record<number, Head>>
  readonly inFlight?: Readonly<Record<number, number>>
  readonly slots: number
  readonly state?: Partial<PlannerState>
  readonly now?: number
}

const numbered = <T>(record: Readonly<Record<number, T>>): Map<number, T> =>
  new Map(Object.entries(record).map(([id, value]) => [Number(id), value]))

const inputOf = (given: Given): PlanInput => ({
  lanes: indexLanes(given.lanes),
  heads: numbered(given.heads),
  inFlight: numbered(given.inFlight ?? {}),
  now: given.now ?? NOW,
  slots: given.slots,
  state: { ...PLANNER_START, ...given.state },
})

const planned = (given: Given): Plan => plan(inputOf(given))
const shares = (given: Given): readonly string[] => planned(given).shares.map(({ lane, n }) => `${lane}×${n}`)

const three = [lane(1, 'a', 50), lane(2, 'b', 50), lane(3, 'c', 50)]
const eachDue = (due: number) => ({ 1: fresh(due), 2: fresh(due), 3: fresh(due) })

describe('P1: what is offered', () => {
  const one = [lane(1, 'a', 50)]

  it.each<[string, Given, readonly string[]]>([
    ['nothing known', { lanes: one, heads: {}, slots: 5 }, []],
    ['no lane for a head', { lanes: one, heads: { 7: fresh(3) }, slots: 5 }, []],
    ['due now', { lanes: one, heads: { 1: fresh(3, NOW) }, slots: 3 }, ['1×3']],
    ['due in a millisecond', { lanes: one, heads: { 1: fresh(3, NOW + 1) }, slots: 3 }, []],
    [
      'closed',
      {
        lanes: [lane(1, 'a', 50, { closed: true }), lane(2, 'a', 1)],
        heads: { 1: fresh(9), 2: fresh(1) },
        slots: 1,
      },
      ['2×1'],
    ],
    [
      'not closed',
      { lanes: [lane(1, 'a', 50, { closed: false })], heads: { 1: fresh(1) }, slots: 1 },
      ['1×1'],
    ],
    ['no slot', { lanes: one, heads: { 1: fresh(3) }, slots: 0 }, []],
    ['one slot', { lanes: one, heads: { 1: fresh(3) }, slots: 1 }, ['1×1']],
    ['more due than slots', { lanes: one, heads: { 1: fresh(9) }, slots: 4 }, ['1×4']],
    [
      'an estimate that is too low does not leave slots free',
      { lanes: one, heads: { 1: fresh(1) }, slots: 4 },
      ['1×4'],
    ],
    [
      'a head is due whatever the estimate says',
      { lanes: three, heads: { 1: fresh(0), 2: fresh(-3), 3: fresh(Number.NaN) }, slots: 3 },
      ['1×1', '2×1', '3×1'],
    ],
    [
      'an estimate without end',
      { lanes: three, heads: { 1: fresh(Number.POSITIVE_INFINITY), 2: fresh(1) }, slots: 5 },
      ['1×4', '2×1'],
    ],
  ])('%s', (_, given, expected) => {
    expect(shares(given)).toEqual(expected)
  })

  it('what is left over is dealt again, still to whoever runs least', () => {
    const heads = { 1: fresh(1), 2: fresh(2), 3: fresh(1) }
    expect(shares({ lanes: three, heads, slots: 4 })).toEqual(['1×1', '2×2', '3×1'])
    expect(shares({ lanes: three, heads, slots: 6 })).toEqual(['1×2', '2×2', '3×2'])
    expect(shares({ lanes: three, heads, slots: 8 })).toEqual(['1×3', '2×3', '3×2'])
    const lanes = [lane(1, 'a', 90), lane(2, 'a', 10)]
    expect(shares({ lanes, heads: { 1: fresh(2), 2: fresh(1) }, slots: 5 })).toEqual(['1×4', '2×1'])
  })

  it('what is known to be due goes before what may be', () => {
    expect(shares({ lanes: three, heads: { 1: fresh(4), 2: fresh(2) }, slots: 6 })).toEqual(['1×4', '2×2'])
  })

  it('a plan that gives nothing leaves the state as it is', () => {
    const state = { ...PLANNER_START, since: 7, boostedAt: new Map([[9, 0]]) }
    for (const given of [
      { heads: {}, slots: 5 },
      { heads: { 1: fresh(1) }, slots: 0 },
    ])
      expect(plan({ ...inputOf({ lanes: one, ...given }), state }).state).toBe(state)
  })
})

describe('P2: tenants', () => {
  it('go round', () => {
    expect(shares({ lanes: three, heads: eachDue(9), slots: 7 })).toEqual(['1×3', '2×2', '3×2'])
  })

  it('are a namespace and a name', () => {
    const lanes = [lane(1, 'x', 50), lane(2, 'x', 50, { namespace: 'other' }), lane(3, 'x', 50)]
    expect(shares({ lanes, heads: { ...eachDue(9), 1: fresh(9, NOW - 200) }, slots: 4 })).toEqual([
      '1×2',
      '2×2',
    ])
    const joined = [lane(1, 'bc', 50, { namespace: 'a' }), lane(2, 'c', 50, { namespace: 'ab' })]
    expect(shares({ lanes: joined, heads: { 1: fresh(9), 2: fresh(9) }, slots: 4 })).toEqual(['1×2', '2×2'])
  })

  it('go on where the last plan stopped', () => {
    let state = PLANNER_START
    const served = Array.from({ length: 7 }, () => {
      const next = planned({ lanes: three, heads: eachDue(9), slots: 1, state })
      state = next.state
      return next.shares[0]?.lane
    })
    expect(served).toEqual([1, 2, 3, 1, 2, 3, 1])
    expect(shares({ lanes: three, heads: eachDue(9), slots: 3, state: { last: 2 } })).toEqual([
      '3×1',
      '1×1',
      '2×1',
    ])
  })

  it.each<[string, Record<number, number>, number, readonly string[]]>([
    ['who runs less comes first', { 1: 2, 2: 1 }, 3, ['3×2', '2×1']],
    ['until all run the same', { 1: 2 }, 4, ['2×2', '3×2']],
    ['and then round', { 1: 2 }, 6, ['2×3', '3×2', '1×1']],
    ['lanes of one tenant add up', { 1: 1, 4: 1, 2: 1 }, 3, ['3×2', '2×1']],
    ['closed lanes count', { 5: 3 }, 3, ['2×2', '3×1']],
    ['unknown lanes do not', { 99: 3 }, 3, ['1×1', '2×1', '3×1']],
  ])('%s', (_, inFlight, slots, expected) => {
    const lanes = [...three, lane(4, 'a', 50), lane(5, 'a', 50, { closed: true })]
    expect(shares({ lanes, heads: eachDue(9), inFlight, slots })).toEqual(expected)
  })

  it('keep their place when a lane with a higher id is given first', () => {
    const lanes = [lane(9, 'a', 50), lane(2, 'b', 50), lane(1, 'a', 50)]
    const index = indexLanes(lanes)
    expect([...index].map(([id, { place }]) => [id, place])).toEqual([
      [1, 1],
      [2, 2],
      [9, 1],
    ])
    expect(index.get(9)).toEqual({ ...lanes[0], place: 1 })
  })
})

describe('P3: turns', () => {
  const hog = { lanes: three, heads: eachDue(999), inFlight: { 3: 500 } }

  it('every 50th pick goes to the next tenant in turn, however much it runs', () => {
    expect(shares({ ...hog, slots: 49 })).toEqual(['1×25', '2×24'])
    expect(shares({ ...hog, slots: 50, state: { turn: 2 } })).toEqual(['3×1', '1×25', '2×24'])
    expect(shares({ ...hog, slots: 1, state: { since: 49, turn: 2 } })).toEqual(['3×1'])
    expect(shares({ ...hog, slots: 1, state: { since: 48, turn: 2 } })).toEqual(['1×1'])
  })

  it('remembers whose turn it was, and how long ago', () => {
    const first = planned({ ...hog, slots: 130, state: { last: 1 } })
    expect(first.state).toMatchObject({ turn: 2, since: 30, last: 1 })
    expect(planned({ ...hog, slots: 20, state: first.state }).state).toMatchObject({ turn: 3, since: 0 })
    expect(planned({ ...hog, slots: 19, state: first.state }).state).toMatchObject({ turn: 2, since: 49 })
  })

  it('a turn does not move the round', () => {
    const { state } = planned({ ...hog, slots: 1, state: { since: 49, turn: 2, last: 1 } })
    expect(state).toMatchObject({ last: 1, turn: 3 })
  })

  it('more turns than tenants: one each', () => {
    expect(shares({ lanes: three, heads: eachDue(999), slots: 300 })).toEqual(['1×100', '2×100', '3×100'])
    expect(planned({ ...hog, slots: 300 }).shares).toEqual([
      { lane: 1, n: 150 },
      { lane: 2, n: 149 },
      { lane: 3, n: 1 },
    ])
  })
})

describe('P4: inside a tenant', () => {
  const lanes = [lane(1, 'a', 10), lane(2, 'a', 90), lane(3, 'a', 90), lane(4, 'a', 10)]

  it('higher priority first, then the oldest head, then the lower id', () => {
    const heads = {
      1: fresh(2, NOW - 9000),
      2: fresh(2, NOW - 1),
      3: fresh(2, NOW - 2),
      4: fresh(2, NOW - 9000),
    }
    expect(shares({ lanes, heads, slots: 8 })).toEqual(['3×2', '2×2', '1×2', '4×2'])
    expect(shares({ lanes, heads, slots: 3 })).toEqual(['3×2', '2×1'])
  })

  it('a head that has waited 30 s gives its lane one pick first; of several the oldest', () => {
    const heads = { 1: fresh(3, NOW - 30_000), 2: fresh(9), 4: fresh(3, NOW - 30_001) }
    const { shares, state } = planned({ lanes, heads, slots: 5 })
    expect(shares).toEqual([
      { lane: 4, n: 1 },
      { lane: 1, n: 1 },
      { lane: 2, n: 3 },
    ])
    expect(state.boostedAt).toEqual(
      new Map([
        [4, NOW],
        [1, NOW],
      ]),
    )
    expect(planned({ lanes, heads: { ...heads, 1: fresh(3, NOW - 29_999) }, slots: 5 }).shares).toEqual([
      { lane: 4, n: 1 },
      { lane: 2, n: 4 },
    ])
  })

  it.each([[[1, 4]], [[4, 1]]])('equals by id, in whatever order their heads became known: %j', (known) => {
    for (const dueAt of [NOW - 30_000, NOW]) {
      const heads = new Map(known.map((id) => [id, fresh(1, dueAt)]))
      const { shares } = plan({ ...inputOf({ lanes, heads: {}, slots: 2 }), heads })
      expect(shares.map((share) => share.lane)).toEqual([1, 4])
    }
  })

  it('only what is really picked counts as its pick for waiting', () => {
    const heads = { 1: fresh(3, NOW - 40_000), 4: fresh(3, NOW - 50_000) }
    expect(planned({ lanes, heads, slots: 1 }).state.boostedAt).toEqual(new Map([[4, NOW]]))
  })

  it.each([
    ['29,999 ms ago: not again', 29_999, ['2×3']],
    ['30,000 ms ago: again', 30_000, ['1×1', '2×2']],
    ['in the same millisecond: not again', 0, ['2×3']],
    ['in the future, before a clock was set back: again', -1, ['1×1', '2×2']],
  ])('boosted %s', (_, ago, expected) => {
    const heads = { 1: fresh(9, NOW - 99_000), 2: fresh(9) }
    expect(shares({ lanes, heads, slots: 3, state: { boostedAt: new Map([[1, NOW - ago]]) } })).toEqual(
      expected,
    )
  })

  it('forgets boosts after 30 s', () => {
    const boostedAt = new Map([
      [7, NOW - 30_000],
      [8, NOW - 29_999],
      [9, NOW + 1],
    ])
    const { state } = planned({ lanes, heads: { 2: fresh(1) }, slots: 1, state: { boostedAt } })
    expect(state.boostedAt).toEqual(new Map([[8, NOW - 29_999]]))
  })

  it('the pick for waiting is one of those known to be due', () => {
    const heads = { 1: fresh(2, NOW - 40_000), 2: fresh(2) }
    expect(shares({ lanes, heads, slots: 4 })).toEqual(['1×2', '2×2'])
    expect(shares({ lanes, heads, slots: 6 })).toEqual(['1×2', '2×4'])
    expect(shares({ lanes, heads: { 1: fresh(1, NOW - 40_000) }, slots: 3 })).toEqual(['1×3'])
  })
})

describe('a plan is a function of its input', () => {
  const anyGiven = fc.record({
    lanes: fc.uniqueArray(
      fc.record({
        id: fc.nat(40),
        namespace: fc.constantFrom('n', 'm'),
        tenant: fc.constantFrom('a', 'b', 'c'),
        type: fc.constant('email'),
        priority: fc.constantFrom(0, 50, 100),
        closed: fc.boolean(),
      }),
      { selector: ({ id }) => id, maxLength: 20 },
    ),
    heads: fc.dictionary(
      fc.nat(40).map(String),
      fc.record({
        dueAt: fc.constantFrom(NOW - 60_000, NOW - 30_000, NOW - 9, NOW, NOW + 1),
        due: fc.nat(6),
      }),
    ),
    inFlight: fc.dictionary(fc.nat(40).map(String), fc.nat(6)),
    slots: fc.nat(120),
    state: fc.record({
      last: fc.nat(40),
      turn: fc.nat(40),
      since: fc.nat(49),
      boostedAt: fc
        .array(fc.tuple(fc.nat(40), fc.integer({ min: NOW - 60_000, max: NOW })))
        .map((entries) => new Map(entries)),
    }),
  }) as fc.Arbitrary<Given>

  it('Σ n = slots when a lane is due, each lane once, only lanes that are open and due', () => {
    fc.assert(
      fc.property(anyGiven, (given) => {
        const input = inputOf(given)
        const { shares } = plan(input)
        const open = given.lanes.filter(
          ({ id, closed }) => !closed && (input.heads.get(id)?.dueAt ?? NOW + 1) <= NOW,
        )
        const total = shares.reduce((sum, { n }) => sum + n, 0)
        expect(total).toBe(open.length === 0 ? 0 : given.slots)
        expect(new Set(shares.map(({ lane }) => lane)).size).toBe(shares.length)
        const ids = open.map(({ id }) => id)
        expect(shares.every(({ lane, n }) => ids.includes(lane) && n > 0)).toBe(true)
      }),
    )
  })

  it('the order in which lanes, heads and counts are given does not matter; nothing given is changed', () => {
    fc.assert(
      fc.property(anyGiven, (given) => {
        const input = inputOf(given)
        const before = structuredClone(input)
        const result = plan(input)
        const reversed: PlanInput = {
          ...input,
          lanes: indexLanes(given.lanes.toReversed()),
          heads: new Map([...input.heads].reverse()),
          inFlight: new Map([...input.inFlight].reverse()),
        }
        expect(plan(reversed)).toEqual(result)
        expect(plan(input)).toEqual(result)
        expect(input).toEqual(before)
      }),
    )
  })
})

describe('P2: who waits alone', () => {
  const two = [lane(1, 'a', 50), lane(2, 'b', 50)]

  it('gets what is known of it and no more: the rest goes to whoever runs least', () => {
    expect(shares({ lanes: two, heads: { 1: fresh(1), 2: fresh(5) }, slots: 8 })).toEqual(['1×3', '2×5'])
  })

  it('is where the next plan goes on from', () => {
    expect(planned({ lanes: two, heads: { 1: fresh(5), 2: fresh(1) }, slots: 4 }).state.last).toBe(1)
  })
})
