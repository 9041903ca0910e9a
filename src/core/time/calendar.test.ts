import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ALL_ZONES, fieldsAt, instantShowing, seeded, wallOf } from '../../../test/time/intl-oracle.ts'
import { instantsOn, localOn, shiftDay } from './calendar.ts'
import { DAY_MS } from './civil.ts'
import { parseDate, printDate } from './date.ts'
import { DEFAULT_DST } from './dst.ts'
import { parseTime } from './time-of-day.ts'
import { transitionsBetween } from './zone.ts'

type Scheduler = (date: string, days: number, time: string, zone: string) => number | undefined

const scheduled: Scheduler = (date, days, time, zone) =>
  instantsOn(shiftDay(parseDate(date), days, 'day'), parseTime(time), zone, DEFAULT_DST)[0]

/** The mistake this house exists to avoid: the anchor's instant minus 42 × 24 h. */
const naive: Scheduler = (date, days, time, zone) =>
  instantsOn(parseDate(date), parseTime(time), zone, DEFAULT_DST)[0]! + days * DAY_MS

const utc = (text: string): number => Date.parse(`${text}Z`)

const shownIn = (instant: number, zone: string): string =>
  new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    weekday: 'short',
    day: '2-digit',
    month: '2-digit',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
  }).format(instant)

const WEDDINGS = [
  ['2026-05-09', 'Europe/London', '2026-03-28T09:00', 'Sat, 28/03/2026, 09:00 GMT'],
  ['2026-05-10', 'Europe/London', '2026-03-29T08:00', 'Sun, 29/03/2026, 09:00 BST'],
  ['2026-12-05', 'America/New_York', '2026-10-24T13:00', 'Sat, 24/10/2026, 09:00 GMT-4'],
  ['2026-11-14', 'Australia/Sydney', '2026-10-02T23:00', 'Sat, 03/10/2026, 09:00 GMT+10'],
  ['2026-06-20', 'Asia/Kathmandu', '2026-05-09T03:15', 'Sat, 09/05/2026, 09:00 GMT+5:45'],
  ['2026-07-04', 'UTC', '2026-05-23T09:00', 'Sat, 23/05/2026, 09:00 UTC'],
] as const

describe('J-001: 42 days before the wedding, at 09:00 on the clock there', () => {
  it.each(WEDDINGS)('X-19: a wedding on %s in %s: %s', (date, zone, instant, wall) => {
    expect(scheduled(date, -42, '09:00', zone)).toBe(utc(instant))
    expect(shownIn(utc(instant), zone)).toBe(wall)
  })

  it('the naive 42 × 24 h misses exactly the weddings across a clock change', () => {
    const missed = WEDDINGS.filter(
      ([date, zone, instant]) => naive(date, -42, '09:00', zone) !== utc(instant),
    )
    expect(missed.map(([date, zone]) => [date, zone])).toEqual([
      ['2026-05-09', 'Europe/London'],
      ['2026-12-05', 'America/New_York'],
      ['2026-11-14', 'Australia/Sydney'],
    ])
  })
})

describe('J-001: every zone, 50 dates each, against what Intl shows', () => {
  const TIMES = ['09:00', '00:00', '00:30', '02:30', '01:45', '23:30', '12:00:01']

  /** Half of the days are ones on which that zone's clock changes, where there are such. */
  const sample = (zone: string, random: () => number): readonly (readonly [date: string, time: string])[] => {
    const changes = transitionsBetween(zone, utc('2024-01-01T00:00'), utc('2041-01-01T00:00'))
    return Array.from({ length: 50 }, (_, index) => {
      const change = changes[Math.floor(random() * changes.length)]
      const onChange = change && Math.floor((change.at + change.before) / DAY_MS)
      const anywhere = parseDate('2024-01-01') + Math.floor(random() * 6200)
      const target = index % 2 === 0 ? (onChange ?? anywhere) : anywhere
      return [printDate(target + 42), TIMES[Math.floor(random() * TIMES.length)]!] as const
    })
  }

  it('F26: agrees everywhere, while the naive mutant is caught', () => {
    const random = seeded(42)
    const [wrong, naiveWrong]: [string[], string[]] = [[], []]
    let tried = 0
    for (const zone of ALL_ZONES)
      for (const [date, time] of sample(zone, random)) {
        tried++
        const expected = instantShowing(wallOf(date, time) - 42 * DAY_MS, zone)
        const label = `${date} ${time} ${zone}`
        if (scheduled(date, -42, time, zone) !== expected) wrong.push(label)
        if (naive(date, -42, time, zone) !== expected) naiveWrong.push(label)
      }
    expect(wrong).toEqual([])
    expect(tried).toBe(ALL_ZONES.length * 50)
    expect(naiveWrong.length).toBeGreaterThan(1000)
  })
})

describe('gaps, overlaps and missing days', () => {
  it.each([
    ['2026-03-08', '02:30', 'America/New_York', { gap: 'shift', overlap: 'first' }, ['2026-03-08T07:30']],
    ['2026-03-08', '02:30', 'America/New_York', { gap: 'skip', overlap: 'first' }, []],
    ['2026-11-01', '01:30', 'America/New_York', { gap: 'shift', overlap: 'first' }, ['2026-11-01T05:30']],
    ['2026-11-01', '01:30', 'America/New_York', { gap: 'shift', overlap: 'last' }, ['2026-11-01T06:30']],
    [
      '2026-11-01',
      '01:30',
      'America/New_York',
      { gap: 'skip', overlap: 'both' },
      ['2026-11-01T05:30', '2026-11-01T06:30'],
    ],
    ['2026-10-04', '02:15', 'Australia/Lord_Howe', DEFAULT_DST, ['2026-10-03T15:45']],
    ['2026-03-28', '23:30', 'America/Nuuk', DEFAULT_DST, ['2026-03-29T01:30']],
    ['2025-04-25', '00:30', 'Africa/Cairo', DEFAULT_DST, ['2025-04-24T22:30']],
    ['2025-03-09', '00:30', 'America/Havana', DEFAULT_DST, ['2025-03-09T05:30']],
    ['2025-04-06', '02:30', 'Africa/Casablanca', DEFAULT_DST, ['2025-04-06T02:30']],
    ['2026-03-29', '01:30', 'Antarctica/Troll', DEFAULT_DST, ['2026-03-29T01:30']],
    ['2011-12-30', '09:00', 'Pacific/Apia', DEFAULT_DST, ['2011-12-30T19:00']],
    ['2011-12-30', '09:00', 'Pacific/Apia', { gap: 'skip', overlap: 'first' }, []],
    ['2028-02-29', '09:00', 'Europe/London', DEFAULT_DST, ['2028-02-29T09:00']],
  ] as const)('X-21: %s %s in %s under %j', (date, time, zone, dst, expected) => {
    expect(instantsOn(parseDate(date), parseTime(time), zone, dst)).toEqual(expected.map(utc))
  })

  it('Apia: 30 December 2011 never was, so what was set for it runs at that time on the 31st', () => {
    const [at] = instantsOn(parseDate('2011-12-30'), parseTime('09:00'), 'Pacific/Apia', DEFAULT_DST)
    expect(fieldsAt(at!, 'Pacific/Apia')).toMatchObject({
      year: 2011,
      month: 12,
      day: 31,
      hour: 9,
      minute: 0,
    })
  })
})

describe('moving dates', () => {
  it.each([
    ['2026-05-09', -42, 'day', '2026-03-28'],
    ['2026-05-09', -6, 'week', '2026-03-28'],
    ['2026-05-09', 2, 'week', '2026-05-23'],
    ['2026-05-09', -3, 'business_day', '2026-05-06'],
    ['2024-02-28', 1, 'day', '2024-02-29'],
  ] as const)('%s %i %s → %s', (date, count, unit, expected) => {
    expect(printDate(shiftDay(parseDate(date), count, unit))).toBe(expected)
  })

  it('R-063: a time of day stays that time of day, whatever the date', () => {
    const anyDay = fc.integer({ min: parseDate('2000-01-01'), max: parseDate('2050-01-01') })
    fc.assert(
      fc.property(anyDay, fc.constantFrom(...ALL_ZONES), (day, zone) => {
        const [at] = instantsOn(day, parseTime('09:00'), zone, DEFAULT_DST)
        const shown = fieldsAt(at!, zone)
        const existed = printDate(day) !== '2011-12-30'
        if (existed) expect(shown).toMatchObject({ hour: 9, minute: 0, second: 0 })
      }),
    )
  })

  it('goes back where it came from', () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: 0, max: 500 }), (day, count) => {
        expect(shiftDay(shiftDay(day, -count, 'week'), count * 7, 'day')).toBe(day)
      }),
    )
  })

  it('writes a time of day as fields', () => {
    expect(localOn(0, parseTime('23:59:58') + 7)).toEqual({
      ...{ year: 1970, month: 1, day: 1 },
      ...{ hour: 23, minute: 59, second: 58, millisecond: 7 },
    })
  })
})
