// Owns holidays as they stand in files and requests: a list of dates, or the text of an iCalendar.

import { PawlError } from '../errors.ts'
import { parseDate } from './date.ts'
import { type Holidays, holidaysOf, MAX_HOLIDAYS } from './holidays.ts'
import { parseHolidays } from './ical-holidays.ts'

const EXPECTED = `at most ${MAX_HOLIDAYS} dates such as 2026-12-25, or iCalendar text`

export const readHolidays = (value: unknown, path: string): Holidays => {
  if (typeof value === 'string') return parseHolidays(value, path)
  if (!Array.isArray(value) || value.length > MAX_HOLIDAYS)
    throw new PawlError('invalid_window', `${path} cannot be read`, { path, expected: EXPECTED })
  const days = value.map((date: unknown, index) => {
    const at = `${path}.${index}`
    if (typeof date === 'string') return parseDate(date, at)
    throw new PawlError('invalid_window', `${at} is not a date`, { path: at, expected: EXPECTED })
  })
  return holidaysOf(days)
}
