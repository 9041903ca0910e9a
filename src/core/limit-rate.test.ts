import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { blockMs, parseRate, type RateAsk, type RateState, TOLERANCE_MS, takeSlots } from './limit-rate.ts'

const NOW = 1_800_000_000_000
const TEN = parseRate('10/s')
const DISTANCE = 109
const ask = (over: Partial<RateAsk> = {}): RateAsk => ({
  rate: TEN,
  isBack: false,
  isOnce: false,
  aheadMs: 0,
  ...over,
})
const times = (count: number, over: Partial<RateAsk> = {}): readonly RateAsk[] =>
  Array.from({ length: count }, () => ask(over))
const kept = (over: Partial<RateState> = {}): RateState => ({
  at: NOW,
  next: NOW,
  line: 0,
  front: 0,
  ...over,
})

describe('parseRate', () => {
  it.each([
    ['10/s', { count: 10, windowMs: 1000 }],
    ['100/m', { count: 100, windowMs: 60_000 }],
    ['1000/h', { count: 1000, windowMs: 3_600_000 }],
    ['5/d', { count: 5, windowMs: 86_400_000 }],
    ['999999999/s', { count: 999_999_999, windowMs: 1000 }],
  ])('reads %s', (text, rate) => {
    expect(parseRate(text)).toEqual(rate)
  })

  it.each(['', '10', '0/s', '-1/s', '1.5/s', '10/w', '10 /s', '10/s ', '1000000000/s', '10/sec'])(
    'refuses “%s” and says where',
    (text) => {
      expect(() => parseRate(text, 'limits.email.rate')).toThrow(
        expect.objectContaining({
          code: 'invalid_option',
          details: expect.objectContaining({ path: 'limits.email.rate' }),
        }),
      )
    },
  )

  it('calls what is written in an action by its place there', () => {
    expect(() => parseRate('x')).toThrow(
      expect.objectContaining({ details: expect.objectContaining({ path: 'limit.rate' }) }),
    )
  })
})

describe('takeSlots', () => {
  it('gives the first start at once, a little back in time: being late for a slot loses nothing', () => {
    const { state, answers } = takeSlots(undefined, [ask()], NOW)
    expect(answers).toEqual([{ kind: 'slot', at: NOW - 30 }])
    expect(state).toEqual({ at: NOW, next: NOW - 30 + DISTANCE, line: 0, front: 0 })
    const late = takeSlots(kept({ next: NOW - 20 }), [ask()], NOW)
    expect(late.answers).toEqual([{ kind: 'slot', at: NOW - 20 }])
  })

  it('gives one slot after the other, and sends the others away in order', () => {
    const { answers, state } = takeSlots(kept(), times(4), NOW)
    expect(answers).toEqual([
      { kind: 'slot', at: NOW },
      { kind: 'later', at: NOW + 109 },
      { kind: 'later', at: NOW + 218 },
      { kind: 'later', at: NOW + 327 },
    ])
    expect(state).toEqual({ at: NOW, next: NOW + 109, line: NOW + 436, front: 0 })
  })

  it('G3: whoever is ready to wait takes a block ahead, and who comes after gets what is left', () => {
    const { answers, state } = takeSlots(kept(), times(4, { aheadMs: 220 }), NOW)
    expect(answers).toEqual([
      { kind: 'slot', at: NOW },
      { kind: 'slot', at: NOW + 109 },
      { kind: 'slot', at: NOW + 218 },
      { kind: 'later', at: NOW + 327 },
    ])
    expect(takeSlots(state, [ask()], NOW).answers[0]).toMatchObject({ kind: 'later' })
  })

  it.each([
    ['10/s', 0],
    ['21/s', 0],
    ['22/s', 200],
    ['1000/s', 200],
    ['100/m', 0],
  ])('G3: of %s a block of %i ms may be taken', (text, ms) => {
    expect(blockMs(parseRate(text))).toBe(ms)
  })

  it('who was sent away before goes before those who come for the first time', () => {
    const state = kept({ next: NOW + 315, line: NOW + 1000 })
    const { answers } = takeSlots(state, [ask({ isBack: true }), ask({ isBack: true }), ask()], NOW)
    expect(answers.map(({ at }) => at - NOW)).toEqual([315, 424, 1000])
  })

  it('who will not come back stands in no line', () => {
    const before = kept({ next: NOW + 50, line: NOW + 50 })
    const { answers, state } = takeSlots(before, times(3, { isOnce: true }), NOW)
    expect(answers).toEqual(times(3).map(() => ({ kind: 'later', at: NOW + 50 })))
    expect(state).toEqual(before)
  })

  it('estimates reach ten minutes at most', () => {
    const { answers, state } = takeSlots(kept({ next: NOW + 1, line: NOW + 9_000_000 }), [ask()], NOW)
    expect(answers[0]).toEqual({ kind: 'later', at: NOW + 600_000 })
    expect(state.line).toBe(NOW + 9_000_000 + DISTANCE)
  })

  it('slots that nobody took say that there is no line, whatever was estimated', () => {
    const stale = { line: NOW + 9_000_000, front: NOW + 5_000_000 }
    const idle = takeSlots(kept({ next: NOW - 2001, ...stale }), [ask()], NOW)
    expect([idle.state.line, idle.state.front]).toEqual([0, 0])
    const busy = takeSlots(kept({ next: NOW - 2000, ...stale }), [ask()], NOW)
    expect(busy.state.line).toBe(stale.line)
    const slow = ask({ rate: parseRate('1/m') })
    expect(takeSlots(kept({ next: NOW - 100_000, ...stale }), [slow], NOW).state.line).toBe(stale.line)
    expect(takeSlots(kept({ next: NOW - 190_000, ...stale }), [slow], NOW).state.line).toBe(0)
  })

  it('F24: a clock that was set back makes nobody wait for it, and lets nobody in early', () => {
    const ahead = NOW + 3_600_000
    const before = { at: ahead, next: ahead + 60, line: ahead + 90, front: ahead + 70 }
    const { answers, state } = takeSlots(before, [ask(), ask({ isBack: true })], NOW)
    expect(answers.map(({ at }) => at - NOW)).toEqual([90, 70])
    expect(state.next).toBe(NOW + 60)
    const slightly = takeSlots({ ...before, at: NOW + 1000 }, [ask()], NOW)
    expect(slightly.state.next).toBe(ahead + 60)
  })

  it('G1: in any window at most so many start, each at most the tolerance late, whoever asks when', () => {
    const step = fc.record({
      waitMs: fc.nat(400),
      count: fc.integer({ min: 1, max: 6 }),
      isBack: fc.boolean(),
      late: fc.nat(TOLERANCE_MS - 1),
      aheadMs: fc.constantFrom(0, 200),
    })
    const rates = fc.constantFrom('10/s', '1/s', '3/s', '100/s', '7/m')
    fc.assert(
      fc.property(rates, fc.array(step, { maxLength: 60 }), (text, steps) => {
        const rate = parseRate(text)
        let state: RateState | undefined
        let now = NOW
        const starts: number[] = []
        for (const { waitMs, count, isBack, late, aheadMs } of steps) {
          now += waitMs
          const given = takeSlots(state, times(count, { rate, isBack, aheadMs }), now)
          state = given.state
          for (const { kind, at } of given.answers)
            if (kind === 'slot') starts.push(Math.max(at, now - TOLERANCE_MS) + late)
        }
        for (const from of starts) {
          const inside = starts.filter((at) => at >= from && at < from + rate.windowMs)
          expect(inside.length).toBeLessThanOrEqual(rate.count)
        }
      }),
    )
  })

  it('under steady demand at least nine tenths of a rate are used', () => {
    let state: RateState | undefined
    let starts = 0
    for (let now = NOW; now < NOW + 60_000; now += 20) {
      const given = takeSlots(state, [ask()], now)
      state = given.state
      starts += given.answers.filter(({ kind }) => kind === 'slot').length
    }
    expect(starts).toBeGreaterThanOrEqual(0.9 * 600)
    expect(starts).toBeLessThanOrEqual(600)
  })
})
