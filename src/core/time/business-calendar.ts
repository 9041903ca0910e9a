// Owns the data form of a business calendar: { weekdays, holidays }, both optional. Counting in it: business-days.ts.

import { PawlError } from '../errors.ts'
import { isObject } from '../json.ts'
import { nearest } from '../suggest.ts'
import { type BusinessCalendar, MONDAY_TO_FRIDAY } from './business-days.ts'
import { readHolidays } from './holiday-data.ts'
import { parseWeekdays } from './weekday.ts'

const FIELDS = ['weekdays', 'holidays']
const EXPECTED = '{ weekdays: mon-fri, holidays: [2026-12-25] }'

export const parseBusinessCalendar = (value: unknown, path = 'business'): BusinessCalendar => {
  if (!isObject(value))
    throw new PawlError('invalid_window', `${path} is not a business calendar`, { path, expected: EXPECTED })
  const stranger = Object.keys(value).find((key) => !FIELDS.includes(key))
  if (stranger !== undefined) {
    const suggestion = nearest(stranger, FIELDS)
    throw new PawlError(
      'invalid_window',
      `“${stranger.slice(0, 80)}” is not a field of a business calendar`,
      {
        path: `${path}.${stranger.slice(0, 80)}`,
        expected: EXPECTED,
        ...(suggestion === undefined ? {} : { suggestion }),
      },
    )
  }
  const { weekdays, holidays } = value
  return {
    weekdays:
      weekdays === undefined ? MONDAY_TO_FRIDAY.weekdays : parseWeekdays(weekdays, `${path}.weekdays`),
    holidays: readHolidays(holidays ?? [], `${path}.holidays`),
  }
}
