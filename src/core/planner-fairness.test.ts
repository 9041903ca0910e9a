import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Head, indexLanes, type Lane, PLANNER_START, plan } from './planner.ts'

const TURN = 50

/** A store of queued rows per lane and a process that runs them: what the engine does, without time passing by itself. */
const world = (lanes: readonly Lane[]) => {
  const queued = new Map<number, number[]>(lanes.map(({ id }) => [id, []]))
  const inFlight = new Map<number, number>()
  const index = indexLanes(lanes)
  let state = PLANNER_START
  return {
    inFlight,
    queued,
    enqueue: (lane: number, dueAt: number, count: number) => {
      for (let i = 0; i < count; i++) queued.get(lane)?.push(dueAt)
    },
    finish: (lane: number, count: number) => {
      inFlight.set(lane, Math.max(0, (inFlight.get(lane) ?? 0) - count))
    },
    claim: (now: number, slots: number, estimate: (count: number) => number = (count) => count) => {
      const heads = new Map<number, Head>()
      for (const [lane, rows] of queued) {
        const due = rows.filter((dueAt) => dueAt <= now).length
        if (due > 0) heads.set(lane, { dueAt: Math.min(...rows), due: estimate(due) })
      }
      const next = plan({ lanes: index, heads, inFlight, now, slots, state })
      state = next.state
      return next.shares.map(({ lane, n }) => {
        const taken = queued.get(lane)?.splice(0, n).length ?? 0
        inFlight.set(lane, (inFlight.get(lane) ?? 0) + taken)
        return { lane, n: taken }
      })
    },
  }
}

const lane = (id: number, tenant: string, priority = 50): Lane => ({
  id,
  namespace: 'd',
  tenant,
  type: 't',
  priority,
})

describe('planner, over time', () => {
  it('P3: whatever arrives and however long it runs, no tenant with due work waits for more than tenants × 50 picks', () => {
    const step = fc.record({
      arrivals: fc.array(fc.record({ tenant: fc.nat(4), count: fc.integer({ min: 1, max: 80 }) }), {
        maxLength: 4,
      }),
      finished: fc.array(fc.record({ tenant: fc.nat(4), count: fc.nat(40) }), { maxLength: 3 }),
      slots: fc.integer({ min: 1, max: 120 }),
    })
    fc.assert(
      fc.property(fc.array(step, { minLength: 20, maxLength: 60 }), fc.nat(4), (steps, hog) => {
        const tenants = 5
        const sim = world(Array.from({ length: tenants }, (_, id) => lane(id, `t${id}`)))
        sim.inFlight.set(hog, 10_000)
        const waited = new Array<number>(tenants).fill(0)
        steps.forEach(({ arrivals, finished, slots }, now) => {
          for (const { tenant, count } of arrivals) sim.enqueue(tenant, now, count)
          for (const { tenant, count } of finished) if (tenant !== hog) sim.finish(tenant, count)
          const picks = sim.claim(now, slots)
          const total = picks.reduce((sum, { n }) => sum + n, 0)
          for (let tenant = 0; tenant < tenants; tenant++) {
            const isServed = picks.some((pick) => pick.lane === tenant && pick.n > 0)
            const isWaiting = (sim.queued.get(tenant)?.length ?? 0) > 0
            waited[tenant] = isServed || !isWaiting ? 0 : waited[tenant]! + total
            expect(waited[tenant]).toBeLessThanOrEqual(tenants * TURN)
          }
        })
      }),
      { numRuns: 60 },
    )
  })

  it('P3: a tenant far over its share still moves, in exactly that many picks', () => {
    const sim = world([lane(1, 'hog'), lane(2, 'b'), lane(3, 'c')])
    sim.inFlight.set(1, 1000)
    for (const id of [1, 2, 3]) sim.enqueue(id, 0, 9999)
    let picks = 0
    const servedAt: number[] = []
    for (let round = 0; round < 600; round++) {
      const [share] = sim.claim(0, 1)
      picks += 1
      if (share?.lane === 1) servedAt.push(picks)
      else if (share !== undefined) sim.finish(share.lane, 1)
    }
    expect(servedAt).toEqual([50, 200, 350, 500])
  })

  it('G15: a flood of one tenant does not keep a single action of another waiting for one plan', () => {
    const sim = world([lane(1, 'flood', 100), lane(2, 'small', 0)])
    sim.enqueue(1, 0, 1000)
    sim.claim(0, 64)
    sim.enqueue(2, 5, 1)
    expect(sim.claim(5, 1)).toEqual([{ lane: 2, n: 1 }])
  })

  it('P2: tenants that never stop share the slots, also when one of them holds them ten times longer', () => {
    const sim = world([lane(1, 'slow'), lane(2, 'fast')])
    let held = 0
    for (let tick = 0; tick < 400; tick++) {
      sim.enqueue(1, tick, 5)
      sim.enqueue(2, tick, 20)
      sim.finish(2, 20)
      if (tick % 10 === 9) sim.finish(1, 20)
      const free = 20 - (sim.inFlight.get(1) ?? 0) - (sim.inFlight.get(2) ?? 0)
      sim.claim(tick, free)
      held = Math.max(held, sim.inFlight.get(1) ?? 0)
    }
    expect(held).toBeLessThanOrEqual(11)
  })

  it('P4: inside a tenant a lower priority is picked only when the higher has nothing left, except for one aged pick', () => {
    const rows = fc.record({
      low: fc.integer({ min: 0, max: 30 }),
      mid: fc.nat(30),
      high: fc.nat(30),
      age: fc.nat(60_000),
      slots: fc.integer({ min: 1, max: 90 }),
    })
    fc.assert(
      fc.property(rows, ({ low, mid, high, age, slots }) => {
        const now = 100_000
        const sim = world([lane(1, 'a', 0), lane(2, 'a', 50), lane(3, 'a', 100)])
        sim.enqueue(1, now - age, low)
        sim.enqueue(2, now, mid)
        sim.enqueue(3, now, high)
        const given = new Map(sim.claim(now, slots).map((share) => [share.lane, share.n]))
        const aged = age >= 30_000 && low > 0 ? 1 : 0
        const expected = [Math.min(high, slots - aged)]
        expected.push(Math.min(mid, slots - aged - expected[0]!))
        expected.push(Math.min(low, slots - expected[0]! - expected[1]!))
        expect([3, 2, 1].map((id) => given.get(id) ?? 0)).toEqual(expected)
      }),
    )
  })

  it('P4: under an endless flood of the top priority the lowest is served once in 30 s', () => {
    const sim = world([lane(1, 'a', 0), lane(2, 'a', 100)])
    sim.enqueue(1, 0, 100)
    const servedAt: number[] = []
    for (let second = 0; second <= 200; second++) {
      sim.enqueue(2, second * 1000, 50)
      for (const { lane: id, n } of sim.claim(second * 1000, 10)) {
        sim.finish(id, n)
        if (id === 1) servedAt.push(second)
      }
    }
    expect(servedAt).toEqual([30, 60, 90, 120, 150, 180])
  })

  it('estimates of one row each still fill the slots and stay fair', () => {
    const sim = world([lane(1, 'a'), lane(2, 'a'), lane(3, 'a'), lane(4, 'b')])
    for (const id of [1, 2, 3, 4]) sim.enqueue(id, 0, 500)
    const picks = sim.claim(0, 60, () => 1)
    const of = (ids: readonly number[]) =>
      picks.filter((share) => ids.includes(share.lane)).reduce((sum, { n }) => sum + n, 0)
    expect([of([1, 2, 3]), of([4])]).toEqual([30, 30])
  })

  it('steps, not seconds: the work of a plan grows with what is due and dealt, not with the lanes that exist', () => {
    const touched = (existing: number): number => {
      let reads = 0
      const index = indexLanes(Array.from({ length: existing }, (_, id) => lane(id, `t${id}`)))
      const counting = new Proxy(index, {
        get: (target, key) => {
          reads += 1
          const value = Reflect.get(target, key)
          return typeof value === 'function' ? value.bind(target) : value
        },
      })
      plan({
        lanes: counting,
        heads: new Map([[0, { dueAt: 0, due: 9 }]]),
        inFlight: new Map([[1, 1]]),
        now: 0,
        slots: 50,
        state: PLANNER_START,
      })
      return reads
    }
    expect(touched(5000)).toBe(touched(5))
  })
})
