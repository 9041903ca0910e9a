import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { blockMs, parseRate, type RateAsk, type RateState, takeSlots, toleranceMs } from './limit-rate.ts'

const NOW = 1_800_000_000_000
const TEN = parseRate('10/s')
const DISTANCE = 106.5
/** Too many for each slot to be kept: 5 ms apart. */
const MANY = parseRate('218/s')
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
  it('gives the first start at once', () => {
    const { state, answers } = takeSlots(undefined, [ask()], NOW)
    expect(answers).toEqual([{ kind: 'slot', at: NOW }])
    expect(state).toEqual({ at: NOW, next: NOW + DISTANCE, line: 0, front: 0, recent: [NOW] })
  })

  it('of a rate of many gives it a little back in time: being late for a slot loses nothing', () => {
    const { state, answers } = takeSlots(undefined, [ask({ rate: MANY })], NOW)
    expect(answers).toEqual([{ kind: 'slot', at: NOW - 25 }])
    expect(state).toEqual({ at: NOW, next: NOW - 20, line: 0, front: 0, recent: [] })
    const late = takeSlots(kept({ next: NOW - 20 }), [ask({ rate: MANY })], NOW)
    expect(late.answers).toEqual([{ kind: 'slot', at: NOW - 20 }])
  })

  it.each([
    ['64/s', 65],
    ['65/s', 90],
  ])('of %s a start may be %i ms late', (text, ms) => {
    expect(toleranceMs(parseRate(text))).toBe(ms)
  })

  it('gives one slot after the other, and sends the others away in order', () => {
    const { answers, state } = takeSlots(kept(), times(4), NOW)
    expect(answers).toEqual([
      { kind: 'slot', at: NOW },
      { kind: 'later', at: NOW + 106.5 },
      { kind: 'later', at: NOW + 213 },
      { kind: 'later', at: NOW + 319.5 },
    ])
    expect(state).toEqual({ at: NOW, next: NOW + 106.5, line: NOW + 426, front: 0, recent: [NOW] })
  })

  describe('of a rate of few', () => {
    const at = (next: number, recent: readonly number[], now: number): number =>
      takeSlots(kept({ next: NOW + next, recent: recent.map((each) => NOW + each) }), [ask()], NOW + now)
        .answers[0]!.at - NOW

    it('what was asked for late does not push what comes after it', () => {
      const late = takeSlots(kept({ recent: [NOW - DISTANCE] }), [ask()], NOW + 80)
      expect(late.answers).toEqual([{ kind: 'slot', at: NOW + 80 }])
      expect(late.state.next).toBe(NOW + DISTANCE)
    })

    it.each([
      ['not closer than half the distance to the last', 0, [-20], 0, DISTANCE / 2 - 20],
      ['a window after the slot that is as many before', 0, [-900, ...Array(9).fill(-500)], 0, 165],
      ['that one does not matter when there were fewer', 0, Array(9).fill(-500), 0, 0],
      ['after a pause nothing is made up for', 0, [], 107, 107],
    ])('%s', (_, next, recent, now, expected) => {
      expect(at(next, recent, now)).toBe(expected)
    })

    it('after a pause those that follow come at the whole distance, else they make up for it', () => {
      const next = (now: number): number => takeSlots(kept(), [ask()], NOW + now).state.next - NOW
      expect(next(106)).toBe(DISTANCE)
      expect(next(107)).toBe(107 + DISTANCE)
    })

    it('no more than one slot is made up for', () => {
      const full = kept({ recent: [NOW - 800, ...Array(9).fill(NOW - 500)] })
      const { state, answers } = takeSlots(full, [ask({ aheadMs: 300 })], NOW)
      expect(answers[0]).toEqual({ kind: 'slot', at: NOW + 265 })
      expect(state.next).toBe(NOW + 265)
    })

    it('the slots of one window are kept, no more', () => {
      const { state } = takeSlots(kept({ recent: Array(10).fill(NOW - 5000) }), [ask()], NOW)
      expect(state.recent).toEqual([...Array(9).fill(NOW - 5000), NOW])
      expect(takeSlots(state, [ask({ rate: MANY })], NOW + 500).state.recent).toEqual([])
    })
  })

  it('G3: whoever is ready to wait takes a block ahead, and who comes after gets what is left', () => {
    const { answers, state } = takeSlots(kept(), times(4, { aheadMs: 220 }), NOW)
    expect(answers).toEqual([
      { kind: 'slot', at: NOW },
      { kind: 'slot', at: NOW + 106.5 },
      { kind: 'slot', at: NOW + 213 },
      { kind: 'later', at: NOW + 319.5 },
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
    expect(answers.map(({ at }) => at - NOW)).toEqual([315, 421.5, 1000])
  })

  it('who will not come back stands in no line', () => {
    const before = kept({ next: NOW + 50, line: NOW + 50 })
    const { answers, state } = takeSlots(before, times(3, { isOnce: true }), NOW)
    expect(answers).toEqual(times(3).map(() => ({ kind: 'later', at: NOW + 50 })))
    expect(state).toEqual({ ...before, recent: [] })
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
    const recent = [ahead - 500]
    const before = { at: ahead, next: ahead + 60, line: ahead + 90, front: ahead + 70, recent }
    const { answers, state } = takeSlots(before, [ask(), ask({ isBack: true })], NOW)
    expect(answers.map(({ at }) => at - NOW)).toEqual([90, 70])
    expect(state.next).toBe(NOW + 60)
    expect(state.recent).toEqual([NOW - 500])
    const slightly = takeSlots({ ...before, at: NOW + 1000 }, [ask()], NOW)
    expect(slightly.state.next).toBe(ahead + 60)
  })

  it('G1: in any window at most so many start, each at most the tolerance late, whoever asks when', () => {
    const step = fc.record({
      waitMs: fc.nat(150),
      count: fc.integer({ min: 1, max: 6 }),
      isBack: fc.boolean(),
      late: fc.double({ min: 0, max: 0.99, noNaN: true }),
      aheadMs: fc.constantFrom(0, 200),
    })
    const rates = fc.constantFrom('10/s', '1/s', '3/s', '50/s', '100/s', '7/m')
    fc.assert(
      fc.property(rates, fc.array(step, { maxLength: 80 }), (text, steps) => {
        const rate = parseRate(text)
        let state: RateState | undefined
        let now = NOW
        const starts: number[] = []
        for (const { waitMs, count, isBack, late, aheadMs } of steps) {
          now += waitMs
          const given = takeSlots(state, times(count, { rate, isBack, aheadMs }), now)
          state = given.state
          for (const { kind, at } of given.answers)
            if (kind === 'slot') starts.push(at + late * toleranceMs(rate))
        }
        for (const from of starts) {
          const inside = starts.filter((at) => at >= from && at < from + rate.windowMs)
          expect(inside.length).toBeLessThanOrEqual(rate.count)
        }
      }),
    )
  })

  it('under steady demand at least nine tenths of a rate are used, also by those who are always late', () => {
    let state: RateState | undefined
    let starts = 0
    for (let now = NOW; now < NOW + 60_000; now += 37) {
      const given = takeSlots(state, [ask()], now)
      state = given.state
      starts += given.answers.filter(({ kind }) => kind === 'slot').length
    }
    expect(starts).toBeGreaterThanOrEqual(0.9 * 600)
    expect(starts).toBeLessThanOrEqual(600)
  })
})
