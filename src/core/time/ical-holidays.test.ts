import { describe, expect, it } from 'vitest'
import { refusedWith } from '../../../test/time/refusal.ts'
import { parseHolidays } from './ical-holidays.ts'

/** The event's own lines begin at line 4. */
const calendar = (...lines: readonly string[]): string =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', 'BEGIN:VEVENT', ...lines, 'END:VEVENT', 'END:VCALENDAR', ''].join('\r\n')
const days = (...lines: readonly string[]): readonly string[] => parseHolidays(calendar(...lines), 'holidays')

describe('holidays from iCalendar text', () => {
  it.each([
    ['a day', ['DTSTART;VALUE=DATE:20261225'], ['2026-12-25']],
    ['a day without its VALUE', ['DTSTART:20261225'], ['2026-12-25']],
    [
      'an exclusive end',
      ['DTSTART;VALUE=DATE:20261224', 'DTEND;VALUE=DATE:20261227'],
      ['2026-12-24', '2026-12-25', '2026-12-26'],
    ],
    ['a number of days', ['DTSTART;VALUE=DATE:20261231', 'DURATION:P2D'], ['2026-12-31', '2027-01-01']],
    [
      'yearly, counted',
      ['DTSTART;VALUE=DATE:20261225', 'RRULE:FREQ=YEARLY;COUNT=3'],
      ['2026-12-25', '2027-12-25', '2028-12-25'],
    ],
    [
      'yearly, until',
      ['DTSTART;VALUE=DATE:20261225', 'RRULE:FREQ=YEARLY;UNTIL=20281224'],
      ['2026-12-25', '2027-12-25'],
    ],
    [
      'until with a time',
      ['DTSTART;VALUE=DATE:20261225', 'RRULE:FREQ=YEARLY;UNTIL=20271225T000000Z'],
      ['2026-12-25', '2027-12-25'],
    ],
    [
      'every other year',
      ['DTSTART;VALUE=DATE:20261225', 'RRULE:FREQ=YEARLY;INTERVAL=2;COUNT=2'],
      ['2026-12-25', '2028-12-25'],
    ],
    [
      'rules that say what the start says',
      ['DTSTART;VALUE=DATE:20991225', 'RRULE:FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=25;WKST=MO'],
      ['2099-12-25', '2100-12-25'],
    ],
    [
      'a leap day: only leap years count',
      ['DTSTART;VALUE=DATE:20240229', 'RRULE:FREQ=YEARLY;COUNT=2'],
      ['2024-02-29', '2028-02-29'],
    ],
    [
      'a yearly range over new year',
      ['DTSTART;VALUE=DATE:20261231', 'DTEND;VALUE=DATE:20270102', 'RRULE:FREQ=YEARLY;COUNT=2'],
      ['2026-12-31', '2027-01-01', '2027-12-31', '2028-01-01'],
    ],
    [
      'a start beyond what is known ahead',
      ['DTSTART;VALUE=DATE:21500101', 'RRULE:FREQ=YEARLY'],
      ['2150-01-01'],
    ],
    ['cancelled', ['DTSTART;VALUE=DATE:20261225', 'STATUS:CANCELLED'], []],
    [
      'words that decide nothing',
      [
        'UID:1',
        'SUMMARY:Noël: fermé',
        'X-A;B="x:y;z":1',
        'DTSTART;VALUE=DATE:20261225',
        'TRANSP:OPAQUE',
        'STATUS:CONFIRMED',
      ],
      ['2026-12-25'],
    ],
    ['lower case', ['dtstart;value=date:20261225'], ['2026-12-25']],
    ['a folded line', ['DTSTART;VALUE', ' =DATE:2026', '\t1225'], ['2026-12-25']],
    [
      'an alarm',
      ['DTSTART;VALUE=DATE:20261225', 'BEGIN:VALARM', 'DTSTART:nonsense', 'END:VALARM'],
      ['2026-12-25'],
    ],
  ] as const)('%s', (_, lines, expected) => {
    expect(days(...lines)).toEqual(expected)
  })

  it('takes plain line feeds, a zone, and several events in any order', () => {
    const text = `BEGIN:VCALENDAR
BEGIN:VTIMEZONE
TZID:Europe/London
BEGIN:STANDARD
DTSTART:19701025T020000
END:STANDARD
END:VTIMEZONE
BEGIN:VEVENT
DTSTART;VALUE=DATE:20270101
END:VEVENT
BEGIN:VEVENT
DTSTART;VALUE=DATE:20261225
END:VEVENT
END:VCALENDAR`
    expect(parseHolidays(text, 'holidays')).toEqual(['2026-12-25', '2027-01-01'])
  })

  it.each([
    ['a time of day', 4, ['DTSTART:20261225T090000Z'], 'all-day'],
    ['no such day', 4, ['DTSTART;VALUE=DATE:20260230'], 'does not exist'],
    ['no start', 3, ['SUMMARY:nothing'], 'no DTSTART'],
    ['two starts', 5, ['DTSTART:20261225', 'DTSTART:20261226'], 'twice'],
    ['an end before the start', 5, ['DTSTART:20261225', 'DTEND:20261225'], 'lasts 0 days'],
    ['an endless event', 5, ['DTSTART:20261225', 'DTEND:20281225'], 'lasts 731 days'],
    ['hours', 5, ['DTSTART:20261225', 'DURATION:PT8H'], 'not a number of days'],
    ['no weeks', 5, ['DTSTART:20261225', 'DURATION:P0W'], 'lasts 0 days'],
    ['a weekly rule', 5, ['DTSTART:20261225', 'RRULE:FREQ=WEEKLY'], 'not repeat yearly'],
    ['the fourth Thursday', 5, ['DTSTART:20261126', 'RRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=4TH'], '“BYDAY=4TH”'],
    ['another month', 5, ['DTSTART:20261126', 'RRULE:FREQ=YEARLY;BYMONTH=12'], '“BYMONTH=12”'],
    ['a count of nothing', 5, ['DTSTART:20261126', 'RRULE:FREQ=YEARLY;COUNT=0'], '“COUNT=0”'],
    ['until no day', 5, ['DTSTART:20261126', 'RRULE:FREQ=YEARLY;UNTIL=20261301'], 'does not exist'],
    [
      'an exception',
      6,
      ['DTSTART:20261126', 'RRULE:FREQ=YEARLY', 'EXDATE:20271126'],
      'EXDATE is not understood',
    ],
    ['not a property', 5, ['DTSTART:20261126', 'Christmas'], '“Christmas” is not a property'],
    ['an unknown component', 5, ['DTSTART:20261126', 'BEGIN:VTODO'], '“VTODO” cannot stand here'],
    ['a wrong end', 5, ['DTSTART:20261126', 'END:VCALENDAR'], '“END:VCALENDAR” closes nothing'],
  ] as const)('names the line of %s: %i', (_, line, lines, why) => {
    const { message, details } = refusedWith('invalid_window', () => days(...lines))
    expect(message).toContain(`line ${line} of the calendar`)
    expect(message).toContain(why)
    expect(details).toMatchObject({ path: 'holidays', line })
  })

  it.each([
    ['Christmas', 'line 1'],
    ['DTSTART:20261225', 'outside a calendar'],
    ['END:VCALENDAR', 'closes nothing'],
    ['BEGIN:VEVENT', 'cannot stand here'],
    ['BEGIN:VCALENDAR', 'never closed'],
    ['END:', 'closes nothing'],
    [' folded from nothing', 'not a property'],
  ])('refuses %s', (text, why) => {
    expect(refusedWith('invalid_window', () => parseHolidays(text, 'holidays')).message).toContain(why)
  })

  it('reads nothing from an empty text and refuses what is too large', () => {
    expect(parseHolidays('', 'holidays')).toEqual([])
    const long = refusedWith('invalid_window', () => parseHolidays('X'.repeat(1_048_577), 'holidays'))
    expect(long.details).toMatchObject({ path: 'holidays', expected: 'at most 1048576' })
    const years = ['DTSTART:19000101', 'DTEND:19010101', 'RRULE:FREQ=YEARLY']
    expect(refusedWith('invalid_window', () => days(...years)).message).toContain('more than 10000 days')
  })

  it('reads a hostile line in one pass', () => {
    const hostile = `X${';A=";"'.repeat(50_000)}`
    expect(
      refusedWith('invalid_window', () => parseHolidays(hostile, 'holidays')).message.length,
    ).toBeLessThan(200)
  })
})
