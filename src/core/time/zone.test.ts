import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  ALL_ZONES,
  fieldsAt,
  instantShowing,
  instantsShowing,
  wallAt,
} from '../../../test/time/intl-oracle.ts'
import { instantsOf, type LocalDateTime, localAt, offsetAt, transitionsBetween } from './zone.ts'

const utc = (text: string): number => Date.parse(text.length === 10 ? `${text}T00:00Z` : `${text}Z`)
const local = (text: string): LocalDateTime => {
  const [year, month, day, hour = 0, minute = 0, second = 0] = text.match(/\d+/g)!.map(Number) as number[]
  return { year: year!, month: month!, day: day!, hour, minute, second, millisecond: 0 }
}
const wallNumber = (at: LocalDateTime): number =>
  Date.UTC(at.year, at.month - 1, at.day, at.hour, at.minute, at.second, at.millisecond)

const anyZone = fc.constantFrom(...ALL_ZONES)
const anyInstant = fc.integer({ min: utc('1900-01-01'), max: utc('2101-01-01') })
const anySecond = anyInstant.map((instant) => Math.floor(instant / 1000) * 1000)
/** Within two hours of a clock change, where all the mistakes are made. */
const nearChange = fc
  .tuple(anyZone, anyInstant, fc.integer({ min: -7200, max: 7200 }))
  .map(([zone, instant, seconds]) => {
    const [change] = transitionsBetween(zone, instant, instant + 400 * 86_400_000)
    return { zone, instant: Math.floor((change?.at ?? instant) / 1000 + seconds) * 1000 }
  })

describe('offsets', () => {
  it('F26: agree with what Intl shows, in every zone, from 1900 to 2100', () => {
    fc.assert(
      fc.property(anyZone, anySecond, (zone, instant) => {
        expect(offsetAt(instant, zone)).toBe(wallAt(instant, zone) - instant)
      }),
      { numRuns: 3000 },
    )
    fc.assert(
      fc.property(nearChange, ({ zone, instant }) => {
        expect(offsetAt(instant, zone)).toBe(wallAt(instant, zone) - instant)
      }),
      { numRuns: 500 },
    )
  })

  it.each([
    ['Europe/Dublin', '1910-06-01T00:00:00', -1521],
    ['Africa/Monrovia', '1950-01-01T00:00:00', -2670],
    ['Asia/Kathmandu', '2026-01-01T00:00:00', 20_700],
    ['Pacific/Chatham', '2026-01-01T00:00:00', 49_500],
    ['UTC', '2026-01-01T00:00:00', 0],
  ])('%s at %s is %i seconds east', (zone, instant, seconds) => {
    expect(offsetAt(utc(instant), zone)).toBe(seconds * 1000)
  })

  it('gives local fields to the millisecond, also before 1970', () => {
    expect(localAt(utc('1969-12-31T23:59:59') + 999, 'UTC')).toEqual({
      ...local('1969-12-31 23:59:59'),
      millisecond: 999,
    })
    fc.assert(
      fc.property(anyZone, anyInstant, (zone, instant) => {
        const { millisecond, ...fields } = localAt(instant, zone)
        expect(fieldsAt(instant, zone)).toMatchObject(fields)
        expect(millisecond).toBe(((instant % 1000) + 1000) % 1000)
      }),
    )
  })

  it('answers alike after the memo has started again', () => {
    const years = Array.from({ length: 200 }, (_, index) => utc(`${1900 + index}-07-01`))
    const probe = (): readonly number[] => years.map((instant) => offsetAt(instant, 'Europe/London'))
    const before = probe()
    const letters = [...'america/new_york']
    for (let mask = 1; mask <= 1100; mask++) {
      const spelled = letters
        .map((letter, index) => ((mask >> index) & 1 ? letter.toUpperCase() : letter))
        .join('')
      expect(offsetAt(0, spelled)).toBe(-18_000_000)
    }
    expect(probe()).toEqual(before)
  })

  it('reads a warm zone from memory: at least three times as fast as asking Intl', () => {
    const start = utc('2026-01-01')
    const timed = (read: (instant: number) => number): number => {
      const began = performance.now()
      for (let hour = 0; hour < 8000; hour++) read(start + hour * 3_600_000)
      return performance.now() - began
    }
    // The best of several: what it costs, not what else the machine did. Whatever holds Intl up is no matter.
    const warm = Math.min(
      ...Array.from({ length: 10 }, () => timed((instant) => offsetAt(instant, 'Europe/Berlin'))),
    )
    expect(warm * 3).toBeLessThan(timed((instant) => wallAt(instant, 'Europe/Berlin')))
  })
})

describe('changes of the clock', () => {
  it.each([
    ['America/New_York', '2026', ['2026-03-08T07:00', '2026-11-01T06:00']],
    ['Australia/Lord_Howe', '2026', ['2026-04-04T15:00', '2026-10-03T15:30']],
    ['Antarctica/Troll', '2026', ['2026-03-29T01:00', '2026-10-25T01:00']],
    ['America/Havana', '2025', ['2025-03-09T05:00', '2025-11-02T05:00']],
    ['Africa/Cairo', '2025', ['2025-04-24T22:00', '2025-10-30T21:00']],
    ['Africa/Casablanca', '2025', ['2025-02-23T02:00', '2025-04-06T02:00']],
    ['America/Nuuk', '2026', ['2026-03-29T01:00', '2026-10-25T01:00']],
    ['Pacific/Apia', '2011', ['2011-04-02T14:00', '2011-09-24T14:00', '2011-12-30T10:00']],
    ['America/Recife', '2000', ['2000-02-27T02:00', '2000-10-08T03:00', '2000-10-15T02:00']],
    ['Asia/Tokyo', '2026', []],
  ])('%s in %s', (zone, year, expected) => {
    const found = transitionsBetween(zone, utc(`${year}-01-01`), utc(`${Number(year) + 1}-01-01`))
    expect(found.map((change) => new Date(change.at).toISOString().slice(0, 16))).toEqual(expected)
    for (const { at, before, after } of found) {
      expect(wallAt(at - 1000, zone) - (at - 1000)).toBe(before)
      expect(wallAt(at, zone) - at).toBe(after)
    }
  })

  it('takes a change at the beginning of a range and leaves one at its end', () => {
    const at = utc('2026-03-08T07:00')
    expect(transitionsBetween('America/New_York', at, at + 1)).toHaveLength(1)
    expect(transitionsBetween('America/New_York', at - 1, at)).toHaveLength(0)
    expect(transitionsBetween('America/New_York', at, at)).toHaveLength(0)
  })

  it('finds the same changes however a range is cut', () => {
    fc.assert(
      fc.property(anyZone, anyInstant, fc.integer({ min: 0, max: 2000 }), (zone, from, days) => {
        const to = from + 4000 * 86_400_000
        const cut = from + days * 86_400_000
        expect([...transitionsBetween(zone, from, cut), ...transitionsBetween(zone, cut, to)]).toEqual(
          transitionsBetween(zone, from, to),
        )
      }),
      { numRuns: 30 },
    )
  })
})

describe('local time to instant', () => {
  it.each([
    [
      'New York gap',
      'America/New_York',
      '2026-03-08 02:30',
      'gap',
      '2026-03-08T07:30',
      '2026-03-08T07:30',
      60,
    ],
    [
      'New York overlap',
      'America/New_York',
      '2026-11-01 01:30',
      'overlap',
      '2026-11-01T05:30',
      '2026-11-01T06:30',
      60,
    ],
    ['gap begins', 'America/New_York', '2026-03-08 02:00', 'gap', '2026-03-08T07:00', '2026-03-08T07:00', 60],
    [
      'gap ended',
      'America/New_York',
      '2026-03-08 03:00',
      'single',
      '2026-03-08T07:00',
      '2026-03-08T07:00',
      0,
    ],
    [
      'before the gap',
      'America/New_York',
      '2026-03-08 01:59:59',
      'single',
      '2026-03-08T06:59:59',
      '2026-03-08T06:59:59',
      0,
    ],
    [
      'overlap ended',
      'America/New_York',
      '2026-11-01 02:00',
      'single',
      '2026-11-01T07:00',
      '2026-11-01T07:00',
      0,
    ],
    [
      'half an hour',
      'Australia/Lord_Howe',
      '2026-10-04 02:15',
      'gap',
      '2026-10-03T15:45',
      '2026-10-03T15:45',
      30,
    ],
    [
      'half an hour twice',
      'Australia/Lord_Howe',
      '2026-04-05 01:45',
      'overlap',
      '2026-04-04T14:45',
      '2026-04-04T15:15',
      30,
    ],
    ['two hours', 'Antarctica/Troll', '2026-03-29 02:30', 'gap', '2026-03-29T02:30', '2026-03-29T02:30', 120],
    [
      'two hours twice',
      'Antarctica/Troll',
      '2026-10-25 01:30',
      'overlap',
      '2026-10-24T23:30',
      '2026-10-25T01:30',
      120,
    ],
    ['no midnight', 'America/Havana', '2025-03-09 00:00', 'gap', '2025-03-09T05:00', '2025-03-09T05:00', 60],
    [
      'midnight twice',
      'America/Havana',
      '2025-11-02 00:30',
      'overlap',
      '2025-11-02T04:30',
      '2025-11-02T05:30',
      60,
    ],
    ['no midnight', 'Africa/Cairo', '2025-04-25 00:30', 'gap', '2025-04-24T22:30', '2025-04-24T22:30', 60],
    [
      '23:30 twice',
      'Africa/Cairo',
      '2025-10-30 23:30',
      'overlap',
      '2025-10-30T20:30',
      '2025-10-30T21:30',
      60,
    ],
    [
      'Ramadan begins',
      'Africa/Casablanca',
      '2025-02-23 02:30',
      'overlap',
      '2025-02-23T01:30',
      '2025-02-23T02:30',
      60,
    ],
    [
      'Ramadan ends',
      'Africa/Casablanca',
      '2025-04-06 02:30',
      'gap',
      '2025-04-06T02:30',
      '2025-04-06T02:30',
      60,
    ],
    [
      'gap before midnight',
      'America/Nuuk',
      '2026-03-28 23:30',
      'gap',
      '2026-03-29T01:30',
      '2026-03-29T01:30',
      60,
    ],
    [
      'a day that never was',
      'Pacific/Apia',
      '2011-12-30 12:00',
      'gap',
      '2011-12-30T22:00',
      '2011-12-30T22:00',
      1440,
    ],
    [
      'the day after it',
      'Pacific/Apia',
      '2011-12-31 00:00',
      'single',
      '2011-12-30T10:00',
      '2011-12-30T10:00',
      0,
    ],
  ])('F26: %s, %s %s', (_, zone, at, kind, first, last, minutes) => {
    expect(instantsOf(local(at), zone)).toEqual({
      kind,
      first: utc(first),
      last: utc(last),
      shiftMs: minutes * 60_000,
    })
  })

  it('F26: finds every instant the oracle sees, and moves what is in a gap by its length', () => {
    fc.assert(
      fc.property(nearChange, ({ zone, instant }) => {
        const wall = wallAt(instant, zone) + 1800_000
        const seen = instantsShowing(wall, zone)
        const found = instantsOf(localAt(wall, 'UTC'), zone)
        expect(found.kind).toBe((['gap', 'single', 'overlap'] as const)[seen.length])
        expect(found.first).toBe(instantShowing(wall, zone))
        if (seen.length > 0) expect(found.last).toBe(seen.at(-1))
      }),
      { numRuns: 400 },
    )
  })

  it('inverts localAt, for one of its instants', () => {
    fc.assert(
      fc.property(anyZone, anyInstant, (zone, instant) => {
        const { first, last } = instantsOf(localAt(instant, zone), zone)
        expect([first, last]).toContain(instant)
      }),
    )
  })

  it('never goes back: a later local time is never an earlier first instant, outside an overlap', () => {
    fc.assert(
      fc.property(nearChange, fc.integer({ min: 1, max: 7_200_000 }), ({ zone, instant }, step) => {
        const at = localAt(instant, zone)
        const later = localAt(wallNumber(at) + step, 'UTC')
        const [a, b] = [instantsOf(at, zone), instantsOf(later, zone)]
        if (a.kind === 'single' && b.kind === 'single') expect(b.first).toBeGreaterThan(a.first)
      }),
    )
  })
})
