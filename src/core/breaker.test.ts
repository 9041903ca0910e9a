import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  BREAKER_DEFAULTS,
  type BreakerState,
  breakerIdleAt,
  CLOSED,
  joined,
  judge,
  PROBE_MS,
  type Report,
  reported,
  roomOf,
} from './breaker.ts'

const NOW = 1_800_000_000_000
const SETTINGS = { failures: 3, ratio: 0.5, windowMs: 10_000, coolDownMs: 1000, probes: 2 }
const saw = (over: Partial<Report>): Report => ({ failed: 0, passed: 0, refused: 0, ...over })
const nextOf = (state: BreakerState, over: Partial<Report>, now = NOW): BreakerState =>
  reported(state, SETTINGS, saw(over), now)
const OPEN = nextOf(CLOSED, { failed: 3 })
const kindOf = (state: BreakerState, now: number, key = 'k'): string => judge(state, SETTINGS, key, now).kind

describe('a breaker', () => {
  it('B1: opens after so many failures of a window, for the cool-down', () => {
    expect(nextOf(nextOf(CLOSED, { failed: 1 }), { failed: 1 }, NOW + 9999)).toMatchObject({
      failed: 2,
      until: 0,
    })
    expect(OPEN).toEqual({ ...CLOSED, trips: 1, until: NOW + 1000 })
  })

  it.each([
    ['two thirds', { failed: 4, passed: 2 }, true],
    ['half', { failed: 4, passed: 4 }, true],
    ['less than half', { failed: 4, passed: 5 }, false],
    ['too few', { failed: 2 }, false],
  ])('B1: %s of what was tried', (_, report, opens) => {
    expect(nextOf(CLOSED, report).until > 0).toBe(opens)
  })

  it('B1: a new window begins anew, also when the clock was set back', () => {
    const two = nextOf(CLOSED, { failed: 2 })
    expect(nextOf(two, { failed: 1 }, NOW + 10_000)).toMatchObject({
      from: NOW + 10_000,
      failed: 1,
      until: 0,
    })
    expect(nextOf(two, { failed: 1 }, NOW - 1)).toMatchObject({ from: NOW - 1, failed: 1 })
    expect(nextOf(nextOf(CLOSED, { passed: 7 }), { passed: 1 }, NOW + 10_000).passed).toBe(1)
  })

  it('lets nobody through while it is open, and sends them to its end, spread', () => {
    expect(judge(CLOSED, SETTINGS, 'k', NOW)).toEqual({ kind: 'go' })
    const until = Array.from({ length: 50 }, (_, n) => judge(OPEN, SETTINGS, `k${n}`, NOW + 999)).map(
      (judged) => (judged.kind === 'wait' ? judged.until : 0),
    )
    expect(Math.min(...until)).toBeGreaterThanOrEqual(NOW + 1000)
    expect(Math.max(...until)).toBeLessThanOrEqual(NOW + 2000)
    expect(new Set(until).size).toBeGreaterThan(40)
    expect(roomOf(OPEN, SETTINGS, NOW + 999)).toBe(0)
  })

  it('B2: then lets so many probes through, and forgets one that never answered', () => {
    const first = judge(OPEN, SETTINGS, 'a', NOW + 1000)
    expect(first).toMatchObject({ kind: 'probe', state: { probes: [NOW + 1000] } })
    const one = (first as { readonly state: BreakerState }).state
    const second = judge(one, SETTINGS, 'b', NOW + 1001) as { readonly state: BreakerState }
    expect(second.state.probes).toEqual([NOW + 1000, NOW + 1001])
    const third = judge(second.state, SETTINGS, 'c', NOW + 1002)
    expect(third).toMatchObject({ kind: 'wait', cause: 'failures' })
    const until = (third as { readonly until: number }).until
    expect(until).toBeGreaterThanOrEqual(NOW + 2002)
    expect(until).toBeLessThanOrEqual(NOW + 3002)
    expect([roomOf(OPEN, SETTINGS, NOW + 1000), roomOf(one, SETTINGS, NOW + 1001)]).toEqual([2, 1])
    expect(roomOf(second.state, SETTINGS, NOW + 1002)).toBe(0)
    expect(kindOf(second.state, NOW + 1000 + PROBE_MS)).toBe('probe')
    expect(kindOf({ ...second.state, probes: [NOW + 9000, NOW + 9000] }, NOW + 2000)).toBe('probe')
  })

  it('a probe that passes closes it, one that fails opens it for twice as long, up to ten minutes', () => {
    expect(nextOf(OPEN, { passed: 1 }, NOW + 1000)).toBe(CLOSED)
    const again = nextOf(OPEN, { failed: 1, passed: 5 }, NOW + 1500)
    expect(again).toEqual({ ...CLOSED, trips: 2, until: NOW + 3500 })
    expect(nextOf({ ...OPEN, trips: 40 }, { failed: 1 }, NOW + 1000).until).toBe(NOW + 1000 + 600_000)
    expect(nextOf(OPEN, {}, NOW + 1000)).toBe(OPEN)
  })

  it('what is heard of earlier attempts while it is open changes nothing', () => {
    for (const report of [{ failed: 9 }, { passed: 9 }, { retryAfterMs: 5000, refused: 1 }])
      expect(nextOf(OPEN, report, NOW + 999)).toBe(OPEN)
  })

  it('without settings it never opens, and one that others opened is left to them', () => {
    expect(reported(CLOSED, undefined, saw({ failed: 99 }), NOW)).toBe(CLOSED)
    expect(reported(OPEN, undefined, saw({ passed: 1 }), NOW + 1000)).toBe(OPEN)
  })

  it('says nothing any more when its window is over, or when everyone is back', () => {
    expect(breakerIdleAt(nextOf(CLOSED, { failed: 1 }), SETTINGS)).toBe(NOW + 10_000)
    expect(breakerIdleAt(OPEN, SETTINGS)).toBe(NOW + 1000 + 86_400_000)
    const patient = { ...CLOSED, cause: 'retry_after', until: NOW, herd: 11 } as const
    expect(breakerIdleAt(patient, SETTINGS)).toBe(NOW + 200)
    expect(roomOf(CLOSED, SETTINGS, NOW)).toBe(Number.POSITIVE_INFINITY)
  })

  it('its defaults are what the guide says', () => {
    expect(BREAKER_DEFAULTS).toEqual({
      failures: 10,
      ratio: 0.5,
      windowMs: 30_000,
      coolDownMs: 30_000,
      probes: 1,
    })
  })
})

describe('patience', () => {
  const asked = (ms: number, refused = 1, state = CLOSED, now = NOW) =>
    reported(state, undefined, saw({ retryAfterMs: ms, refused }), now)

  it('F43: what a provider asks for holds for all that speak to it, up to a day', () => {
    const state = asked(30_000)
    expect(judge(state, SETTINGS, 'k', NOW + 29_999)).toEqual({
      kind: 'wait',
      until: NOW + 30_000,
      cause: 'retry_after',
    })
    expect(kindOf(state, NOW + 30_000)).toBe('go')
    expect([roomOf(state, SETTINGS, NOW), roomOf(state, SETTINGS, NOW + 30_000)]).toEqual([
      0,
      Number.POSITIVE_INFINITY,
    ])
    expect(asked(10 * 86_400_000).until).toBe(NOW + 86_400_000)
  })

  it('the longest wait stands, and those refused together are one herd', () => {
    const state = asked(10_000, 2, asked(30_000, 3), NOW + 100)
    expect(state).toMatchObject({ until: NOW + 30_000, herd: 5 })
    expect(asked(60_000, 1, state, NOW + 100).until).toBe(NOW + 60_100)
    expect(asked(1000, 1, state, NOW + 30_050)).toMatchObject({ until: NOW + 31_050, herd: 6 })
    expect(asked(1000, 1, state, NOW + 30_080)).toMatchObject({ until: NOW + 31_080, herd: 1 })
    expect(joined(state).herd).toBe(6)
  })

  it('B3: a herd comes back spread, each at its own time, over at most a minute', () => {
    const state = asked(1000, 101)
    const turns = Array.from({ length: 101 }, (_, n) => {
      const judged = judge(state, SETTINGS, `k${n}`, NOW)
      return judged.kind === 'wait' ? judged.until - NOW - 1000 : -1
    })
    expect(Math.min(...turns)).toBeGreaterThanOrEqual(0)
    expect(Math.max(...turns)).toBeLessThanOrEqual(2000)
    expect(turns.filter((turn) => turn < 1000).length).toBeGreaterThan(30)
    expect(turns.filter((turn) => turn >= 1000).length).toBeGreaterThan(30)
    const last = judge(asked(1000, 10 ** 6), SETTINGS, 'k', NOW)
    expect(last.kind === 'wait' && last.until <= NOW + 61_000).toBe(true)
  })

  it('while it lasts nothing is counted; then the breaker counts again', () => {
    const state = asked(1000)
    expect(nextOf(state, { failed: 99 }, NOW + 999)).toBe(state)
    expect(nextOf(state, { failed: 2 }, NOW + 1000)).toMatchObject({ until: 0, failed: 2 })
  })

  it('whatever happens in whatever order, who waits is told a time that is ahead, and everything ends', () => {
    const step = fc.record({
      waitMs: fc.nat(5000),
      failed: fc.nat(4),
      passed: fc.nat(4),
      retryAfterMs: fc.option(fc.integer({ min: 1, max: 100_000 }), { nil: undefined }),
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        let [state, now] = [CLOSED, NOW]
        for (const { waitMs, retryAfterMs, ...rest } of steps) {
          now += waitMs
          const refused = retryAfterMs === undefined ? 0 : 1
          state = nextOf(
            state,
            { ...rest, refused, ...(retryAfterMs !== undefined && { retryAfterMs }) },
            now,
          )
          const judged = judge(state, SETTINGS, 'k', now)
          if (judged.kind === 'wait') expect(judged.until).toBeGreaterThan(now)
        }
        expect(kindOf(state, now + 1_000_000)).not.toBe('wait')
      }),
    )
  })
})
