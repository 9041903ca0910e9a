import { describe, expect, it } from 'vitest'
import type { Json } from '../json.ts'
import { isFormat } from './date-format.ts'
import { render } from './render.ts'

const LONDON = "'Europe/London'"
const write = (value: Json, args: string): Json => render(`{{ v | date: ${args} }}`, { v: value }).value

describe('writing a date', () => {
  const morning = '2026-03-05T09:07:03.042Z'

  it.each([
    ['YYYY', '2026'],
    ['YY', '26'],
    ['MMMM', 'March'],
    ['MMM', 'Mar'],
    ['MM', '03'],
    ['M', '3'],
    ['dddd', 'Thursday'],
    ['ddd', 'Thu'],
    ['DD', '05'],
    ['D', '5'],
    ['Do', '5th'],
    ['HH', '09'],
    ['H', '9'],
    ['hh', '09'],
    ['h', '9'],
    ['mm', '07'],
    ['m', '7'],
    ['ss', '03'],
    ['s', '3'],
    ['SSS', '042'],
    ['A', 'AM'],
    ['a', 'am'],
    ['Z', '+00:00'],
    ['z', 'Europe/London'],
    ['D MMMM YYYY', '5 March 2026'],
    ['dddd Do MMMM [at] h:mm a', 'Thursday 5th March at 9:07 am'],
    ['YYYY-MM-DD[T]HH:mm:ss.SSSZ', '2026-03-05T09:07:03.042+00:00'],
    ['[]D[[]', '5['],
    ['DDD/MM', undefined],
    ['', ''],
    ['… 12!', '… 12!'],
  ])('%s', (format, text) => {
    expect(isFormat(format)).toBe(text !== undefined)
    if (text !== undefined) expect(write(morning, `'${format}', ${LONDON}`)).toBe(text)
  })

  it.each([
    'yyyy-MM-dd',
    'D of MMMM',
    'YYYYY',
    'DDD',
    'MMMMM',
    'T',
    'o',
    'Doo',
    'HHo',
    '[open',
    'D [',
    'S',
    'ZZ',
    'AA',
  ])('%s is no format', (format) => {
    expect(isFormat(format)).toBe(false)
  })

  it('reads 100 characters of a format, not one more', () => {
    expect(isFormat(`D${' '.repeat(99)}`)).toBe(true)
    expect(isFormat(`D${' '.repeat(100)}`)).toBe(false)
  })

  it.each([
    [1, '1st'],
    [2, '2nd'],
    [3, '3rd'],
    [4, '4th'],
    [10, '10th'],
    [11, '11th'],
    [12, '12th'],
    [13, '13th'],
    [14, '14th'],
    [20, '20th'],
    [21, '21st'],
    [22, '22nd'],
    [23, '23rd'],
    [30, '30th'],
    [31, '31st'],
  ])('the ordinal of %d', (day, text) => {
    expect(write(`2026-01-${String(day).padStart(2, '0')}`, "'Do'")).toBe(text)
  })

  it('names every month and weekday', () => {
    const months = Array.from({ length: 12 }, (_, index) => `2026-${String(index + 1).padStart(2, '0')}-01`)
    expect(months.map((date) => write(date, "'MMMM'")).join(' ')).toBe(
      'January February March April May June July August September October November December',
    )
    const days = Array.from({ length: 7 }, (_, index) => `2026-11-${15 + index}`)
    expect(days.map((date) => write(date, "'dddd'")).join(' ')).toBe(
      'Sunday Monday Tuesday Wednesday Thursday Friday Saturday',
    )
  })

  it.each([
    [0, '12 00 AM am'],
    [1, '1 01 AM am'],
    [11, '11 11 AM am'],
    [12, '12 12 PM pm'],
    [13, '1 13 PM pm'],
    [23, '11 23 PM pm'],
  ])('hour %d', (hour, text) => {
    expect(write(Date.UTC(2026, 0, 1, hour), "'h HH A a', 'UTC'")).toBe(text)
  })

  it.each([
    ['UTC', '+00:00 00:00'],
    ['Asia/Kolkata', '+05:30 05:30'],
    ['America/St_Johns', '-03:30 20:30'],
    ['America/New_York', '-05:00 19:00'],
    ['Pacific/Chatham', '+13:45 13:45'],
  ])('the offset of %s', (zone, text) => {
    expect(write(Date.UTC(2026, 0, 1), `'Z HH:mm', '${zone}'`)).toBe(text)
  })

  it('cuts the seconds off an old offset', () => {
    expect(write('1800-01-01T00:00:00Z', "'Z', 'Europe/Amsterdam'")).toMatch(/^\+00:\d\d$/)
    expect(write('1800-01-01T00:00:00Z', "'Z', 'America/New_York'")).toBe('-04:56')
  })

  it('shows the day of the zone, across midnight and clock changes', () => {
    expect(write('2026-06-30T23:30:00Z', `'D MMMM YYYY HH:mm Z', ${LONDON}`)).toBe('1 July 2026 00:30 +01:00')
    expect(write('2026-10-25T01:30:00+01:00', `'HH:mm Z', ${LONDON}`)).toBe('01:30 +01:00')
    expect(write('2026-10-25T01:30:00Z', `'HH:mm Z', ${LONDON}`)).toBe('01:30 +00:00')
  })

  it('pads the year', () => {
    expect(write('0987-01-02', "'YYYY YY'")).toBe('0987 87')
    expect(write('2003-01-02', "'YY'")).toBe('03')
  })

  it('needs no zone for a calendar date, and does not mind one', () => {
    expect(write('2026-05-09', "'D MMMM YYYY'")).toBe('9 May 2026')
    expect(write('2026-05-09', "'D MMMM YYYY', 'Asia/Tokyo'")).toBe('9 May 2026')
  })

  it('writes the zone as IANA spells it', () => {
    expect(write(0, "'z', 'europe/paris'")).toBe('Europe/Paris')
  })

  it('takes format and zone from variables', () => {
    const scope = { at: 0, settings: { zone: 'Asia/Tokyo', format: 'HH:mm' } }
    expect(render('{{ at | date: settings.format, settings.zone }}', scope).value).toBe('09:00')
  })
})

describe('what is no date', () => {
  it.each<[Json, string]>([
    ['2026-03-05T09:07:03Z', "'D'"],
    [0, "'D'"],
    ['2026-05-09', "'D HH'"],
    ['2026-05-09', "'z', 'UTC'"],
    ['2026-02-30', "'D'"],
    ['2026-13-01', "'D'"],
    ['05/09/2026', "'D'"],
    ['2026-5-9', "'D', 'UTC'"],
    ['2026-03-05T09:07:03', "'D', 'UTC'"],
    ['tomorrow', "'D', 'UTC'"],
    ['', "'D', 'UTC'"],
    [1.5, "'D', 'UTC'"],
    [8.64e15 + 1, "'D', 'UTC'"],
    [null, "'D', 'UTC'"],
    [true, "'D', 'UTC'"],
    [['2026-05-09'], "'D', 'UTC'"],
    [{}, "'D', 'UTC'"],
  ])('%j with %s', (value, args) => {
    expect(() => write(value, args)).toThrow(
      expect.objectContaining({
        code: 'template_value_forbidden',
        message: `"{{ v | date: ${args} }}": date cannot use this value`,
        details: {
          path: '',
          expected:
            'a date (YYYY-MM-DD), or an instant (RFC 3339 or epoch milliseconds) together with a time zone',
        },
      }),
    )
  })
})
