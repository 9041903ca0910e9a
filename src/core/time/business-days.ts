// Owns counting in business days: which days count, and the nth one before or after a date. Pure day arithmetic;
// what is a holiday comes in as data.

import { PawlError } from '../errors.ts'
import { weekdayOf } from './civil.ts'
import type { Day } from './date.ts'
import { type Holidays, isHoliday } from './holidays.ts'

export interface BusinessCalendar {
  /** 0 = Sunday … 6 = Saturday. */
  readonly weekdays: readonly number[]
  readonly holidays: Holidays
}

export const MONDAY_TO_FRIDAY: BusinessCalendar = { weekdays: [1, 2, 3, 4, 5], holidays: [] }

export const isBusinessDay = (day: Day, calendar: BusinessCalendar): boolean =>
  calendar.weekdays.includes(weekdayOf(day)) && !isHoliday(calendar.holidays, day)

/**
 * The nth business day after (n > 0) or before (n < 0) a date, which itself need not be one: one business day before
 * a Sunday is the Friday. Ends because holidays are finitely many, as long as one weekday counts.
 */
export const addBusinessDays = (from: Day, count: number, calendar: BusinessCalendar): Day => {
  if (calendar.weekdays.length === 0)
    throw new PawlError('invalid_window', 'no weekday is a business day', {
      expected: 'at least one weekday',
    })
  const step = Math.sign(count)
  let day = from
  for (let left = Math.abs(count); left > 0; ) {
    day += step
    if (isBusinessDay(day, calendar)) left--
  }
  return day
}

/** The date itself when it is a business day, else the next one. */
export const nextBusinessDay = (day: Day, calendar: BusinessCalendar): Day =>
  isBusinessDay(day, calendar) ? day : addBusinessDays(day, 1, calendar)
