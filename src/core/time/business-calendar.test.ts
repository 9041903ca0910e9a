import { describe, expect, it } from 'vitest'
import { refusedWith } from '../../../test/time/refusal.ts'
import { parseBusinessCalendar } from './business-calendar.ts'

describe('the data form of a business calendar', () => {
  it.each([
    [{}, { weekdays: [1, 2, 3, 4, 5], holidays: [] }],
    [{ weekdays: 'sun-thu' }, { weekdays: [0, 1, 2, 3, 4], holidays: [] }],
    [
      { holidays: ['2026-12-25', '2026-01-01'] },
      { weekdays: [1, 2, 3, 4, 5], holidays: ['2026-01-01', '2026-12-25'] },
    ],
  ])('reads %j', (value, expected) => {
    expect(parseBusinessCalendar(value)).toEqual(expected)
  })

  it.each([
    [null, 'business', undefined],
    ['mon-fri', 'business', undefined],
    [{ holiday: [] }, 'business.holiday', 'holidays'],
    [{ timezone: 'UTC' }, 'business.timezone', undefined],
    [{ weekdays: [] }, 'business.weekdays', undefined],
    [{ weekdays: 5 }, 'business.weekdays', undefined],
    [{ holidays: [25] }, 'business.holidays.0', undefined],
    [{ holidays: 'Christmas' }, 'business.holidays', undefined],
  ])('refuses %j', (value, path, suggestion) => {
    const { details } = refusedWith('invalid_window', () => parseBusinessCalendar(value))
    expect(details.path).toBe(path)
    expect(details.suggestion).toBe(suggestion)
  })
})
