import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ALL_ZONES, fieldsAt } from '../../../test/time/intl-oracle.ts'
import { refusedWith } from '../../../test/time/refusal.ts'
import { isOpen, nextOpen } from './opening-hours.ts'
import { type DeliveryWindow, parseWindow } from './window.ts'
import { transitionsBetween } from './zone.ts'

const MINUTE = 60_000
const utc = (text: string): number => Date.parse(`${text}Z`)
const london = (fields: object): DeliveryWindow => parseWindow({ timezone: 'Europe/London', ...fields })
const office = london({ weekdays: 'mon-fri', from: '09:00', to: '17:00' })
const nights = london({ weekdays: 'fri', from: '22:00', to: '06:00', holidays: ['2026-05-15'] })

describe('open', () => {
  it.each([
    [office, '2026-05-08T07:59:59.999', false, 'before it opens'],
    [office, '2026-05-08T08:00', true, 'the moment it opens'],
    [office, '2026-05-08T15:59:59.999', true, 'the last millisecond'],
    [office, '2026-05-08T16:00', false, 'the moment it closes'],
    [office, '2026-05-09T10:00', false, 'a Saturday'],
    [nights, '2026-05-08T20:59:59', false, 'Friday before ten'],
    [nights, '2026-05-08T21:00', true, 'Friday at ten'],
    [nights, '2026-05-09T04:59:59', true, 'the night belongs to Friday'],
    [nights, '2026-05-09T05:00', false, 'Saturday at six'],
    [nights, '2026-05-09T21:30', false, 'Saturday night'],
    [nights, '2026-05-15T21:30', false, 'a Friday that is a holiday'],
    [nights, '2026-05-16T01:00', false, 'the night that began on the holiday'],
  ])('KERNEL §9: case %#', (window, instant, expected, why) => {
    expect(isOpen(window, utc(instant)), why).toBe(expected)
  })

  it('a holiday does not close the night that began before it', () => {
    const window = london({ weekdays: 'thu', from: '22:00', to: '06:00', holidays: ['2026-05-15'] })
    expect(isOpen(window, utc('2026-05-15T01:00'))).toBe(true)
  })
})

describe('the next opening', () => {
  it.each([
    ['at once when open', office, '2026-05-08T10:00', '2026-05-08T10:00'],
    ['later today', office, '2026-05-08T03:00', '2026-05-08T08:00'],
    ['on Monday', office, '2026-05-08T16:00', '2026-05-11T08:00'],
    ['over the clock change, at 09:00 there', office, '2026-10-23T16:00', '2026-10-26T09:00'],
    ['past a holiday', nights, '2026-05-09T05:00', '2026-05-22T21:00'],
    [
      'the earlier of two',
      london({
        openings: [
          { from: '15:00', to: '16:00' },
          { from: '12:00', to: '13:00' },
        ],
      }),
      '2026-01-01T10:00',
      '2026-01-01T12:00',
    ],
    [
      'the second of two',
      london({
        openings: [
          { from: '15:00', to: '16:00' },
          { from: '12:00', to: '13:00' },
        ],
      }),
      '2026-01-01T13:00',
      '2026-01-01T15:00',
    ],
    [
      'a beginning inside the gap: when the clock has jumped into it',
      london({ from: '01:30', to: '03:00' }),
      '2026-03-29T00:00',
      '2026-03-29T01:00',
    ],
    [
      'all of it inside the gap: the day after',
      london({ from: '01:15', to: '01:45' }),
      '2026-03-29T00:00',
      '2026-03-30T00:15',
    ],
    [
      'again when the hour repeats',
      london({ from: '01:15', to: '01:45' }),
      '2026-10-25T00:45',
      '2026-10-25T01:15',
    ],
    [
      'reopened in the middle when the clock goes back',
      london({ from: '00:30', to: '01:30' }),
      '2026-10-25T00:30',
      '2026-10-25T01:00',
    ],
  ])('%s', (_, window, instant, expected) => {
    expect(new Date(nextOpen(window, utc(instant))).toISOString()).toBe(new Date(utc(expected)).toISOString())
  })

  it.each([
    ['Pacific/Apia', { weekdays: 'fri', from: '09:00', to: '17:00' }, '2011-12-29T05:00', '2012-01-05T19:00'],
    ['America/Havana', { from: '00:00', to: '00:30' }, '2025-03-09T04:45', '2025-03-10T04:00'],
    ['Australia/Lord_Howe', { from: '02:15', to: '02:45' }, '2026-10-03T15:00', '2026-10-03T15:30'],
    ['Antarctica/Troll', { from: '01:30', to: '03:30' }, '2026-03-29T00:59', '2026-03-29T01:00'],
  ])('F26: in %s', (timezone, fields, instant, expected) => {
    const window = parseWindow({ timezone, ...fields })
    expect(new Date(nextOpen(window, utc(instant))).toISOString()).toBe(`${expected}:00.000Z`)
  })

  it('refuses a window that its holidays never let open, after a bounded search', () => {
    const everyDay =
      'BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART:20260101\nDTEND:20270102\nRRULE:FREQ=YEARLY;COUNT=20\nEND:VEVENT\nEND:VCALENDAR'
    const window = london({ from: '09:00', to: '17:00', holidays: everyDay })
    const { message } = refusedWith('invalid_window', () => nextOpen(window, utc('2026-05-08T10:00')))
    expect(message).toBe('the window does not open between 2026-05-08 and five years later')
  })
})

describe('windows against what a clock on the wall shows', () => {
  const time = fc.integer({ min: 0, max: 95 }).map((quarter) => quarter * 15)
  const print = (minutes: number): string =>
    `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
  const opening = fc
    .record({
      from: time,
      to: time,
      weekdays: fc.uniqueArray(fc.integer({ min: 0, max: 6 }), { minLength: 1 }),
    })
    .filter(({ from, to }) => from !== to)
  /** A day before to a day after a clock change of some zone between 2000 and 2040. */
  const place = fc
    .tuple(
      fc.constantFrom(...ALL_ZONES),
      fc.integer({ min: utc('2000-01-01T00:00'), max: utc('2040-01-01T00:00') }),
      fc.integer({ min: -1440, max: 1440 }),
    )
    .map(([zone, instant, minutes]) => {
      const [change] = transitionsBetween(zone, instant, instant + 4e10)
      return { zone, instant: Math.floor((change?.at ?? instant) / MINUTE + minutes) * MINUTE }
    })
  const windowOf = (
    zone: string,
    { from, to, weekdays }: { from: number; to: number; weekdays: number[] },
  ): DeliveryWindow =>
    parseWindow({
      timezone: zone,
      weekdays: weekdays.map((day) => ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'][day]!),
      from: print(from),
      to: print(to),
    })

  it('is open exactly when the wall clock says so', () => {
    fc.assert(
      fc.property(place, opening, ({ zone, instant }, { from, to, weekdays }) => {
        const { hour, minute, weekday } = fieldsAt(instant, zone)
        const now = hour * 60 + minute
        const today = weekdays.includes(weekday)
        const yesterday = weekdays.includes((weekday + 6) % 7)
        const expected =
          from < to ? today && from <= now && now < to : (today && now >= from) || (yesterday && now < to)
        expect(isOpen(windowOf(zone, { from, to, weekdays }), instant)).toBe(expected)
      }),
      { numRuns: 1000 },
    )
  })

  it('opens next at the first open moment: none is skipped, and asking again changes nothing', () => {
    fc.assert(
      fc.property(place, opening, ({ zone, instant }, fields) => {
        const window = windowOf(zone, fields)
        const next = nextOpen(window, instant)
        expect(next).toBeGreaterThanOrEqual(instant)
        expect(isOpen(window, next)).toBe(true)
        expect(nextOpen(window, next)).toBe(next)
        if (next > instant) expect(isOpen(window, next - 1)).toBe(false)
        for (let at = instant; at < Math.min(next, instant + 2880 * MINUTE); at += 5 * MINUTE)
          if (isOpen(window, at)) throw new Error(`open at ${at}, before ${next}`)
      }),
      { numRuns: 150 },
    )
  })
})
