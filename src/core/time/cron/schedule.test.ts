import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Fields } from './cron.ts'
import { MAX_MONTHS } from './days.ts'
import { parseCron } from './parse.ts'
import { assertFires, cronSchedule, type Schedule, type ScheduleOptions } from './schedule.ts'
import { createSearch, MAX_WINDOWS } from './search.ts'

const schedule = (text: string, options: Partial<ScheduleOptions> = {}): Schedule =>
  cronSchedule(parseCron(text), { zone: 'UTC', ...options })
const at = (text: string): number => Date.parse(`${text}Z`)
const iso = (instants: Iterable<number>): readonly string[] =>
  [...instants].map((instant) => new Date(instant).toISOString().replace(/:00\.000Z$/, ''))

const newYork = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'America/New_York',
  hour: '2-digit',
  minute: '2-digit',
  weekday: 'short',
})

describe('R-063: 9 AM Eastern stays 9 AM Eastern all year', () => {
  const weekdays = schedule('0 9 * * MON-FRI', { zone: 'America/New_York' })
  const [from, to] = [at('2026-01-01T05:00'), at('2027-01-01T05:00')]

  it('fires exactly 261 times in 2026, always at 09:00 there, never on a weekend', () => {
    const firings = [...weekdays.between(from, to)]
    expect(firings).toHaveLength(261)
    expect(weekdays.count(from, to)).toBe(261)
    const shown = new Set(firings.map((firing) => newYork.format(firing)))
    expect([...shown].sort()).toEqual(['Fri 09:00', 'Mon 09:00', 'Thu 09:00', 'Tue 09:00', 'Wed 09:00'])
    expect(new Set(firings.map((firing) => new Date(firing).getUTCHours()))).toEqual(new Set([13, 14]))
  })

  it('goes back the way it came', () => {
    const back: number[] = []
    for (
      let firing = weekdays.previous(to);
      firing !== undefined && firing >= from;
      firing = weekdays.previous(firing)
    )
      back.unshift(firing)
    expect(back).toEqual([...weekdays.between(from, to)])
  })
})

describe('next, previous, between, count, nextN', () => {
  const daily = schedule('30 9 * * *')

  it('are strict: a firing is neither its own next nor its own previous', () => {
    const firing = at('2026-05-09T09:30')
    expect(iso([daily.next(firing)!, daily.previous(firing)!])).toEqual([
      '2026-05-10T09:30',
      '2026-05-08T09:30',
    ])
    expect(daily.next(firing - 1)).toBe(firing)
    expect(daily.previous(firing + 1)).toBe(firing)
    expect(daily.next(firing - 0.5)).toBe(firing)
    expect(daily.previous(firing + 0.5)).toBe(firing)
  })

  it('between and count take the start and leave the end', () => {
    const [from, to] = [at('2026-05-09T09:30'), at('2026-05-11T09:30')]
    expect(iso(daily.between(from, to))).toEqual(['2026-05-09T09:30', '2026-05-10T09:30'])
    expect(daily.count(from, to)).toBe(2)
    expect(iso(daily.between(from + 0.5, to + 0.5))).toEqual(['2026-05-10T09:30', '2026-05-11T09:30'])
    expect(daily.count(from + 0.5, to + 0.5)).toBe(2)
    expect([...daily.between(to, from)]).toEqual([])
    expect(daily.count(to, from)).toBe(0)
  })

  it('nextN gives no more than there are', () => {
    expect(iso(daily.nextN(at('2026-05-09T09:30'), 2))).toEqual(['2026-05-10T09:30', '2026-05-11T09:30'])
    expect(daily.nextN(0, 0)).toEqual([])
    expect(iso(schedule('0 0 0 1 1 ? 2030,2031').nextN(0, 5))).toEqual([
      '2030-01-01T00:00',
      '2031-01-01T00:00',
    ])
  })

  it('end at the first and the last year', () => {
    expect(iso([daily.next(Number.NEGATIVE_INFINITY)!])).toEqual(['1970-01-01T09:30'])
    expect(iso([daily.previous(Number.POSITIVE_INFINITY)!])).toEqual(['9999-12-31T09:30'])
    expect(daily.previous(0)).toBeUndefined()
    expect(daily.next(at('9999-12-31T09:30'))).toBeUndefined()
    expect(daily.next(Number.POSITIVE_INFINITY)).toBeUndefined()
    expect(schedule('0 0 0 1 1 ? 2030').previous(at('2030-01-01T00:00'))).toBeUndefined()
    expect(iso([schedule('0 0 0 1 1 ? 2030').previous(at('2999-01-01T00:00'))!])).toEqual([
      '2030-01-01T00:00',
    ])
    expect(schedule('0 0 0 1 1 ? 2030,2040').count(at('1990-01-01T00:00'), at('2035-06-01T00:00'))).toBe(1)
  })

  it('C1: are strictly monotonic and undo one another, wherever they start', () => {
    const zones = [
      'UTC',
      'Europe/London',
      'Australia/Lord_Howe',
      'America/Nuuk',
      'Africa/Cairo',
      'Antarctica/Troll',
    ]
    const texts = [
      '30 2 * * *',
      '*/15 * * * *',
      '0 0 L * ?',
      '30 1 * * SUN',
      '0 0 29 2 *',
      '59 59 23 31 12 ?',
      '15W',
    ].map((text) => (text === '15W' ? '0 6 15W * *' : text))
    fc.assert(
      fc.property(
        fc.constantFrom(...texts),
        fc.constantFrom(...zones),
        fc.constantFrom('shift', 'skip'),
        fc.constantFrom('first', 'last', 'both'),
        fc.integer({ min: at('2024-01-01T00:00'), max: at('2041-01-01T00:00') }),
        (text, zone, gap, overlap, instant) => {
          const { next, previous, count } = schedule(text, { zone, dst: { gap, overlap } })
          const after = next(instant)!
          const before = previous(instant)!
          expect(after).toBeGreaterThan(instant)
          expect(before).toBeLessThan(instant)
          expect(next(before)! >= instant ? next(before) : next(next(before)!)).toBe(next(instant - 1))
          expect(previous(after)!).toBeLessThanOrEqual(instant)
          expect(next(previous(after)!)).toBe(after)
          expect(count(before, after + 1)).toBe(
            [...schedule(text, { zone, dst: { gap, overlap } }).between(before, after + 1)].length,
          )
        },
      ),
      { numRuns: 300 },
    )
  })

  it('counts a century of seconds without walking them', () => {
    const seconds = (at('2100-01-01T00:00') - at('2000-01-01T00:00')) / 1000
    expect(schedule('* * * * * *').count(at('2000-01-01T00:00'), at('2100-01-01T00:00'))).toBe(seconds)
  })
})

describe('X-21: clock changes', () => {
  const spring = { from: at('2026-03-28T12:00'), to: at('2026-03-30T00:00') }
  const autumn = { from: at('2026-10-24T12:00'), to: at('2026-10-26T00:00') }
  const inBerlin = (
    text: string,
    dst: ScheduleOptions['dst'],
    { from, to }: typeof spring,
  ): readonly string[] =>
    iso(schedule(text, { zone: 'Europe/Berlin', ...(dst === undefined ? {} : { dst }) }).between(from, to))

  it.each([
    ['moves a missing time later by the length of the gap', '30 2 * * *', undefined, ['2026-03-29T01:30']],
    ['skips it when asked', '30 2 * * *', { gap: 'skip' }, []],
    ['fires once when a moved time meets another', '30 2,3 * * *', undefined, ['2026-03-29T01:30']],
    ['fires twice when it does not', '30 2 29 3 *', { gap: 'shift' }, ['2026-03-29T01:30']],
  ] as const)('gap: %s', (_, text, dst, expected) => {
    expect(inBerlin(text, dst, spring)).toEqual(expected)
  })

  it('gap: what fires every hour goes on as if nothing had happened', () => {
    const firings = [...schedule('0 * * * *', { zone: 'Europe/Berlin' }).between(spring.from, spring.to)]
    expect(new Set(firings.slice(1).map((firing, index) => firing - firings[index]!))).toEqual(
      new Set([3_600_000]),
    )
  })

  it('gap: moved times and others fire in one order', () => {
    const halfHour = schedule('*/20 * * * *', { zone: 'Australia/Lord_Howe' })
    expect(iso(halfHour.nextN(at('2026-10-03T15:00'), 6))).toEqual([
      '2026-10-03T15:10',
      '2026-10-03T15:30',
      '2026-10-03T15:40',
      '2026-10-03T15:50',
      '2026-10-03T16:00',
      '2026-10-03T16:20',
    ])
  })

  it.each([
    ['the first of two by default', '30 2 * * *', undefined, ['2026-10-25T00:30']],
    ['the last', '30 2 * * *', { overlap: 'last' }, ['2026-10-25T01:30']],
    ['both', '30 2 * * *', { overlap: 'both' }, ['2026-10-25T00:30', '2026-10-25T01:30']],
  ] as const)('overlap: %s', (_, text, dst, expected) => {
    expect(inBerlin(text, dst, autumn)).toEqual(expected)
  })

  it('overlap: every hour means every hour, whatever was asked; every second hour names local times', () => {
    expect(
      inBerlin(
        '30 * * * *',
        { overlap: 'first' },
        { from: at('2026-10-25T00:00'), to: at('2026-10-25T03:00') },
      ),
    ).toEqual(['2026-10-25T00:30', '2026-10-25T01:30', '2026-10-25T02:30'])
    expect(
      inBerlin('30 */2 * * *', undefined, { from: at('2026-10-25T00:00'), to: at('2026-10-25T03:00') }),
    ).toEqual(['2026-10-25T00:30'])
    expect(schedule('30 * * * *', { dst: { overlap: 'last' } }).dst).toEqual({
      gap: 'shift',
      overlap: 'both',
    })
  })

  it('counts what a gap moves only where nothing else fires', () => {
    const count = (text: string): number =>
      schedule(text, { zone: 'Europe/Berlin' }).count(spring.from, spring.to)
    expect(count('30 2 * * *')).toBe(1)
    expect(count('30 2,3 * * *')).toBe(1)
    expect(count('15,30 2 * * *')).toBe(2)
    expect(count('30 * * * *')).toBe(36)
  })
})

describe('intervals', () => {
  it('are counted from 1970 and know no clock changes', () => {
    const every = schedule('every 90s', { zone: 'Europe/London' })
    expect(iso(every.nextN(at('2026-10-25T00:58:00'), 3))).toEqual([
      '2026-10-25T00:58:30.000Z',
      '2026-10-25T01:00',
      '2026-10-25T01:01:30.000Z',
    ])
    expect(every.next(at('2026-10-25T01:00:00'))).toBe(at('2026-10-25T01:01:30'))
    expect(every.previous(at('2026-10-25T01:00:00'))).toBe(at('2026-10-25T00:58:30'))
    expect(every.count(0, 900_000)).toBe(10)
    expect(every.count(1, 900_001)).toBe(10)
    expect(every.count(900_000, 0)).toBe(0)
    expect([...every.between(-90_000, 90_001)]).toEqual([-90_000, 0, 90_000])
  })

  it('or from the instant they are given', () => {
    const every = schedule('every 1h', { anchor: at('2026-05-09T09:17') })
    expect(iso([every.previous(at('2026-05-09T09:17'))!, every.next(at('2026-05-09T09:17'))!])).toEqual([
      '2026-05-09T08:17',
      '2026-05-09T10:17',
    ])
  })
})

describe('S33: bounded work, in steps', () => {
  /** Counts how often the lists of a pattern are looked at, which every step of a search does. */
  const counting = (text: string): { readonly fields: Fields; readonly looks: () => number } => {
    let looks = 0
    const watched = (list: readonly number[]): readonly number[] =>
      new Proxy(list, {
        get(target, key) {
          looks++
          return Reflect.get(target, key)
        },
      })
    const cron = parseCron(text)
    if (cron.kind !== 'fields') throw new Error(text)
    const { years } = cron
    const fields = {
      ...cron,
      months: watched(cron.months),
      ...(years === undefined ? {} : { years: watched(years) }),
    }
    return { fields, looks: () => looks }
  }
  const DST = { gap: 'skip', overlap: 'first' } as const

  it.each([
    ['the rarest date', '0 0 * 2 MON#5', at('2072-03-01T00:00'), at('2112-02-29T00:00')],
    ['years long past', '0 0 0 1 1 ? 1970-2020', at('2026-01-01T00:00'), undefined],
    ['a leap day over a century without one', '0 0 29 2 *', at('2096-03-01T00:00'), at('2104-02-29T00:00')],
    ['the last year of all', '0 0 0 31 12 ? 2199', 0, at('2199-12-31T00:00')],
  ])('%s', (_, text, from, expected) => {
    const { fields, looks } = counting(text)
    expect(createSearch(fields, 'UTC', DST).next(from)).toBe(expected)
    expect(looks()).toBeLessThan(8 * MAX_MONTHS)
  })

  it('B8: a time that is skipped every year ends after so many windows, both ways', () => {
    const { fields, looks } = counting('30 2 ? 3 SUN#2')
    const { next, previous } = createSearch(fields, 'America/New_York', DST)
    expect(next(at('2026-01-01T00:00'))).toBeUndefined()
    expect(next(at('9950-01-01T00:00'))).toBeUndefined()
    expect(previous(at('9000-01-01T00:00'))).toBeUndefined()
    expect(looks()).toBeLessThan(3 * MAX_WINDOWS * 100)
  })
})

describe('R-041: assertFires', () => {
  it('gives the first firing', () => {
    expect(assertFires(schedule('0 9 * * *'), at('2026-05-09T09:00'))).toBe(at('2026-05-10T09:00'))
  })

  it('refuses years that are past', () => {
    const past = schedule('0 0 0 1 1 ? 2020')
    expect(() => assertFires(past, at('2026-01-01T00:00'))).toThrow(
      expect.objectContaining({
        code: 'never_fires',
        message: '“0 0 0 1 1 ? 2020” in UTC never fires again',
      }),
    )
  })

  it('refuses a zone that does not exist', () => {
    expect(() => schedule('0 9 * * *', { zone: 'Mars/Olympus' })).toThrow(
      expect.objectContaining({ code: 'invalid_zone' }),
    )
  })
})
