import { describe, expect, it } from 'vitest'
import { refusedWith } from '../../../test/time/refusal.ts'
import { parseWindow } from './window.ts'

const HOUR = 3_600_000
const office = { timezone: 'Europe/London', weekdays: 'mon-fri', from: '09:00', to: '17:00' }

describe('the data form of a delivery window', () => {
  it('reads one opening written flat', () => {
    expect(parseWindow(office)).toEqual({
      zone: 'Europe/London',
      openings: [{ weekdays: [1, 2, 3, 4, 5], from: 9 * HOUR, to: 17 * HOUR }],
      holidays: [],
      closed: 'hold',
    })
  })

  it('reads several openings, over midnight and to the end of the day', () => {
    const window = parseWindow({
      timezone: 'us/eastern',
      openings: [
        { weekdays: ['fri', 'sat'], from: '22:00', to: '04:00' },
        { weekdays: 'sun', from: '00:00', to: '24:00' },
        { from: '12:00', to: '13:00' },
      ],
      holidays: ['2026-12-25', '2026-01-01', '2026-12-25'],
      closed: 'drop',
      expiresAfter: '2h',
    })
    expect(window).toEqual({
      zone: 'us/eastern',
      openings: [
        { weekdays: [5, 6], from: 22 * HOUR, to: 28 * HOUR },
        { weekdays: [0], from: 0, to: 24 * HOUR },
        { weekdays: [0, 1, 2, 3, 4, 5, 6], from: 12 * HOUR, to: 13 * HOUR },
      ],
      holidays: ['2026-01-01', '2026-12-25'],
      closed: 'drop',
      expiresAfterMs: 2 * HOUR,
    })
    expect(JSON.parse(JSON.stringify(window))).toEqual(window)
  })

  it('reads holidays from iCalendar text and milliseconds of expiry', () => {
    const holidays = 'BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART;VALUE=DATE:20261225\nEND:VEVENT\nEND:VCALENDAR'
    expect(parseWindow({ ...office, holidays, expiresAfter: 5000, closed: 'next_open' })).toMatchObject({
      holidays: ['2026-12-25'],
      expiresAfterMs: 5000,
      closed: 'next_open',
    })
  })

  it.each([
    ['nothing', null, 'window', 'invalid_window', undefined],
    ['a list', [], 'window', 'invalid_window', undefined],
    ['no zone', { from: '09:00', to: '17:00' }, 'window.timezone', 'invalid_window', undefined],
    ['an abbreviation', { ...office, timezone: 'BST' }, 'window.timezone', 'invalid_zone', 'Europe/London'],
    ['an unknown field', { ...office, holiday: [] }, 'window.holiday', 'invalid_window', 'holidays'],
    [
      'an unknown field inside',
      { timezone: 'UTC', openings: [{ form: '09:00', to: '10:00' }] },
      'window.openings.0.form',
      'invalid_window',
      'from',
    ],
    ['no from', { timezone: 'UTC', to: '17:00' }, 'window.from', 'invalid_window', undefined],
    ['no to', { timezone: 'UTC', from: '17:00' }, 'window.to', 'invalid_window', undefined],
    ['a number for a time', { ...office, from: 9 }, 'window.from', 'invalid_window', undefined],
    ['9am', { ...office, from: '9am' }, 'window.from', 'invalid_date', '09:00'],
    ['24:00 as a beginning', { ...office, from: '24:00' }, 'window.from', 'invalid_date', undefined],
    ['the same time twice', { ...office, to: '09:00' }, 'window', 'invalid_window', undefined],
    ['no weekday', { ...office, weekdays: [] }, 'window.weekdays', 'invalid_window', undefined],
    ['a number for a weekday', { ...office, weekdays: [1] }, 'window.weekdays', 'invalid_window', undefined],
    ['a misspelt weekday', { ...office, weekdays: 'mnoday' }, 'window.weekdays', 'invalid_window', 'monday'],
    ['openings and a time', { ...office, openings: [] }, 'window.weekdays', 'invalid_window', undefined],
    ['no openings', { timezone: 'UTC', openings: [] }, 'window.openings', 'invalid_window', undefined],
    [
      'openings that are none',
      { timezone: 'UTC', openings: 'daily' },
      'window.openings',
      'invalid_window',
      undefined,
    ],
    [
      '51 openings',
      { timezone: 'UTC', openings: Array(51).fill({ from: '09:00', to: '10:00' }) },
      'window.openings',
      'invalid_window',
      undefined,
    ],
    [
      'an opening that is text',
      { timezone: 'UTC', openings: ['09:00'] },
      'window.openings.0',
      'invalid_window',
      undefined,
    ],
    [
      'a holiday that does not exist',
      { ...office, holidays: ['2026-02-30'] },
      'window.holidays.0',
      'invalid_date',
      undefined,
    ],
    [
      'a holiday that is a number',
      { ...office, holidays: [20261225] },
      'window.holidays.0',
      'invalid_window',
      undefined,
    ],
    [
      'too many holidays',
      { ...office, holidays: Array(10_001).fill('2026-12-25') },
      'window.holidays',
      'invalid_window',
      undefined,
    ],
    ['holidays that are none', { ...office, holidays: {} }, 'window.holidays', 'invalid_window', undefined],
    [
      'an unreadable calendar',
      { ...office, holidays: 'Christmas' },
      'window.holidays',
      'invalid_window',
      undefined,
    ],
    ['an unknown policy', { ...office, closed: 'nextopen' }, 'window.closed', 'invalid_window', 'next_open'],
    ['a policy that is none', { ...office, closed: 1 }, 'window.closed', 'invalid_window', undefined],
    [
      'a month of expiry',
      { ...office, expiresAfter: '1mo' },
      'window.expiresAfter',
      'invalid_duration',
      undefined,
    ],
    [
      'an expiry out of range',
      { ...office, expiresAfter: -1 },
      'window.expiresAfter',
      'duration_out_of_range',
      undefined,
    ],
    [
      'an expiry that is none',
      { ...office, expiresAfter: true },
      'window.expiresAfter',
      'invalid_window',
      undefined,
    ],
  ] as const)('refuses %s', (_, value, path, code, suggestion) => {
    const { details } = refusedWith(code, () => parseWindow(value))
    expect(details.path).toBe(path)
    expect(details.suggestion).toBe(suggestion)
  })

  it('says where it stands when it stands elsewhere', () => {
    const nested = refusedWith('invalid_window', () =>
      parseWindow({ ...office, closed: 'x' }, 'actions.0.window'),
    )
    expect(nested.details.path).toBe('actions.0.window.closed')
  })
})
