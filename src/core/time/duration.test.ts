import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { refusedWith } from '../../../test/time/refusal.ts'
import { type CalendarText, type DurationText, durationMs, parseDuration, timeoutSlice } from './duration.ts'
import { printDuration, suggestDuration } from './duration-words.ts'

const DAY = 86_400_000
const MAX = 366 * DAY
const TIMER = 2 ** 31 - 1

describe('durations', () => {
  it.each([
    ['90s', 90_000],
    ['5m', 300_000],
    ['1h30m', 5_400_000],
    ['500ms', 500],
    ['1s500ms', 1500],
    ['1.5s', 1500],
    ['1.001s', 1001],
    ['0s', 0],
    ['1d12h', 36 * 3_600_000],
    ['366d', MAX],
    ['PT15M', 900_000],
    ['PT1H30M', 5_400_000],
    ['PT1.5S', 1500],
    ['P1DT12H', 36 * 3_600_000],
    [0, 0],
    [1500, 1500],
    [0.4, 1],
    [2 ** 31, 2 ** 31],
    [MAX, MAX],
  ])('%s is %i ms', (input, ms) => {
    expect(durationMs(input)).toBe(ms)
  })

  it('X-19: days and weeks alone are calendar lengths, everything else is elapsed', () => {
    for (const text of ['42d', '6w', '5w7d', 'P42D', 'P6W'])
      expect(parseDuration(text)).toEqual({ kind: 'calendar', days: 42 })
    for (const text of ['24h', '1d0h', 'PT24H', DAY])
      expect(parseDuration(text)).toEqual({ kind: 'elapsed', ms: DAY })
  })

  it.each([
    -1,
    1e15,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
    MAX + 1,
    '-1d',
    '- 5m',
    '-PT5M',
    '367d',
    'P53W',
    `${'9'.repeat(40)}s`,
  ])('S35: refuses %s as out of range', (input) => {
    const { message, details } = refusedWith('duration_out_of_range', () => parseDuration(input, 'delay'))
    expect(message).toContain(String(input))
    expect(details).toEqual({ path: 'delay', expected: 'between 0 and 366 days' })
  })

  it.each(['1mo', '1 month', '2 months', 'P1M', 'P1M2D', 'P2W1M'])(
    'refuses %s: not a number of days',
    (text) => {
      const { message, details } = refusedWith('invalid_duration', () => parseDuration(text))
      expect(message).toBe(`“${text}” cannot be counted: a month is not a number of days`)
      expect(details).toEqual({ expected: 'days or weeks, such as 30d or 4w' })
    },
  )

  it.each(['1y', '3 years', 'P1Y', 'P1Y2D'])('refuses %s: a year is none either', (text) => {
    expect(refusedWith('invalid_duration', () => parseDuration(text)).message).toContain('a year is not')
  })

  it.each([
    ['5 minutes', '5m'],
    ['1 hour 30 minutes', '1h30m'],
    ['1 hour and 30 minutes', '1h30m'],
    ['30 minutes 1 hour', '90m'],
    ['42 dayz', '42d'],
    ['1.5h', '90m'],
    ['5M', '5m'],
    ['2 Weeks', '2w'],
    ['90', '90ms'],
    ['5000', '5s'],
    ['5 lightyears', undefined],
    ['1m30', undefined],
    ['soon', undefined],
    ['', undefined],
    ['P', undefined],
    ['PT', undefined],
    ['1d1w', '8d'],
    [`${'1'.repeat(70)}s`, undefined],
  ])('refuses %s, suggests %s', (text, suggestion) => {
    const { message, details } = refusedWith('invalid_duration', () => parseDuration(text, 'steps.a.timeout'))
    expect(message).toBe(`“${text.slice(0, 80)}” is not a duration`)
    expect(details.path).toBe('steps.a.timeout')
    expect(details.suggestion).toBe(suggestion)
  })

  it('suggests only what can be read', () => {
    const part = fc
      .tuple(
        fc.integer({ min: 0, max: 99 }),
        fc.constantFrom('', ' '),
        fc.constantFrom('min', 'Days', 'weeek', 'S', 'x'),
      )
      .map((pieces) => pieces.join(''))
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(part, { maxLength: 4 }).map((parts) => parts.join(' ')),
        ),
        (text) => {
          const suggestion = suggestDuration(text)
          if (suggestion !== undefined)
            expect(() => parseDuration(suggestion)).not.toThrow(/is not a duration/)
        },
      ),
    )
  })

  it('compiles for days, weeks, hours, minutes and seconds, and not for months', () => {
    const good: readonly DurationText[] = ['90s', '5m', '42d', '2w', '1h30m', '500ms']
    // @ts-expect-error a month is not a number of days
    const month: DurationText = '1mo'
    // @ts-expect-error hours are not counted on the calendar
    const hours: CalendarText = '3h'
    expect(good.map((text) => durationMs(text))).toEqual([
      90_000,
      300_000,
      42 * DAY,
      14 * DAY,
      5_400_000,
      500,
    ])
    expect([month, hours]).toHaveLength(2)
  })
})

describe('durations in print', () => {
  it.each([
    [0, '0s'],
    [1, '1ms'],
    [999, '999ms'],
    [1500, '1s500ms'],
    [90_000, '90s'],
    [5_400_000, '90m'],
    [3_661_000, '1h1m1s'],
    [DAY, '1d'],
    [14 * DAY, '2w'],
    [30 * DAY, '30d'],
    [MAX, '366d'],
    [MAX - 1, '365d23h59m59s999ms'],
  ])('%i ms is %s', (ms, text) => {
    expect(printDuration(ms)).toBe(text)
  })

  it('reads back as the same number', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: MAX }), (ms) => {
        expect(durationMs(printDuration(ms))).toBe(ms)
      }),
    )
  })
})

describe('S35: sleeping towards an instant far away', () => {
  it.each([
    [5000, 0, 5000],
    [0, 5000, 0],
    [0.2, 0, 1],
    [TIMER, 0, TIMER],
    [TIMER + 1, 0, TIMER],
    [1e15, 0, TIMER],
    [Number.POSITIVE_INFINITY, 0, TIMER],
    [Number.NaN, 0, TIMER],
  ])('until %d from %d: %d', (until, now, expected) => {
    expect(timeoutSlice(until, now)).toBe(expected)
  })

  it('arrives, neither early nor by a timer that overflows', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: MAX }), (until) => {
        let now = 0
        for (let slices = 0; now < until; slices++) {
          const slice = timeoutSlice(until, now)
          expect(slice).toBeGreaterThan(0)
          expect(slice).toBeLessThanOrEqual(TIMER)
          now += slice
          expect(slices).toBeLessThan(16)
        }
        expect(now).toBe(until)
        expect(timeoutSlice(until, now)).toBe(0)
      }),
    )
  })
})
