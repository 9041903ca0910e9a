// Owns the days that are closed, as plain data that can be stored: dates in order, each once. Where they come from
// (a list, an iCalendar text) is the reader's business.

import { type Day, printDate } from './date.ts'

/** YYYY-MM-DD, ascending: text order is calendar order. */
export type Holidays = readonly string[]

export const MAX_HOLIDAYS = 10_000

export const holidaysOf = (days: Iterable<Day>): Holidays =>
  [...new Set(days)].sort((a, b) => a - b).map(printDate)

export const isHoliday = (holidays: Holidays, day: Day): boolean => {
  const date = printDate(day)
  let [low, high] = [0, holidays.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (holidays[middle]! < date) low = middle + 1
    else high = middle
  }
  return holidays[low] === date
}
