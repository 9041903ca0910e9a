// Owns which days of one month a list of day rules names, as a bit set: bit d is day d. Knows no times and no zones.

import { dayNumber, daysInMonth, weekdayOf } from '../civil.ts'
import type { DayRule } from './cron.ts'

interface Month {
  readonly length: number
  /** Weekday of day 1; 0 = Sunday. */
  readonly starts: number
}

const weekdayIn = (month: Month, day: number): number => (month.starts + day - 1) % 7

const firstOf = (month: Month, weekday: number): number => 1 + ((weekday - month.starts + 7) % 7)

/** A Saturday goes back to Friday and a Sunday on to Monday, unless that leaves the month: then the other way. */
const nearestWeekday = (month: Month, day: number): number => {
  const weekday = weekdayIn(month, day)
  if (weekday === 6) return day === 1 ? 3 : day - 1
  if (weekday === 0) return day === month.length ? day - 2 : day + 1
  return day
}

const bit = (month: Month, day: number): number => (day >= 1 && day <= month.length ? 1 << day : 0)

const everyWeek = (month: Month, weekday: number): number => {
  let days = 0
  for (let day = firstOf(month, weekday); day <= month.length; day += 7) days |= 1 << day
  return days
}

const daysOfRule = (month: Month, rule: DayRule): number => {
  switch (rule.kind) {
    case 'day':
      return bit(month, rule.day)
    case 'fromEnd':
      return bit(month, month.length - rule.days)
    case 'nearest': {
      const day = rule.day === 'last' ? month.length : rule.day
      return day > month.length ? 0 : bit(month, nearestWeekday(month, day))
    }
    case 'weekday':
      return everyWeek(month, rule.weekday)
    case 'nth': {
      const first = firstOf(month, rule.weekday)
      const weeks = rule.nth === 'last' ? Math.floor((month.length - first) / 7) : rule.nth - 1
      return bit(month, first + weeks * 7)
    }
  }
}

export const daysOfMonth = (rules: readonly DayRule[], year: number, month: number): number => {
  const length = daysInMonth(year, month)
  if (rules.length === 0) return (2 ** length - 1) << 1
  const shape = { length, starts: weekdayOf(dayNumber(year, month, 1)) }
  let days = 0
  for (const rule of rules) days |= daysOfRule(shape, rule)
  return days
}
