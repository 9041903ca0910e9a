// Owns "42 days before 2026-12-05 at 09:00 in New York": a date moved on the calendar, then a wall-clock time on that
// date, then the instant. The move never touches hours, so it is not 42 × 24 h when clocks change between (J-001).

import { addBusinessDays, type BusinessCalendar, MONDAY_TO_FRIDAY } from './business-days.ts'
import { civilOf } from './civil.ts'
import type { Day } from './date.ts'
import { choose, type Dst } from './dst.ts'
import { instantsOf, type LocalDateTime } from './zone.ts'

export type DayUnit = 'day' | 'week' | 'business_day'

/** Negative counts go back. */
export const shiftDay = (
  day: Day,
  count: number,
  unit: DayUnit,
  business: BusinessCalendar = MONDAY_TO_FRIDAY,
): Day => {
  if (unit === 'business_day') return addBusinessDays(day, count, business)
  return day + count * (unit === 'week' ? 7 : 1)
}

/** `ofDay` is milliseconds since midnight on the wall clock. */
export const localOn = (day: Day, ofDay: number): LocalDateTime => ({
  ...civilOf(day),
  hour: Math.floor(ofDay / 3_600_000),
  minute: Math.floor(ofDay / 60_000) % 60,
  second: Math.floor(ofDay / 1000) % 60,
  millisecond: ofDay % 1000,
})

/** The instants of a wall-clock time on a date: two only under overlap `both`, none only under gap `skip`. */
export const instantsOn = (day: Day, ofDay: number, zone: string, dst: Dst): readonly number[] =>
  choose(instantsOf(localOn(day, ofDay), zone), dst)
