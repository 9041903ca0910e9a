// Owns which days an iCalendar text closes: all-day events, ranges, and those that return each year. Strict: what it
// does not understand (a time of day, a weekly rule, an exception) is an error that names the line, never ignored.
// Days that return each year are known through 2100.

import { civilOf, dayNumber, daysInMonth } from './civil.ts'
import { type Day, parseDate } from './date.ts'
import { type Holidays, holidaysOf, MAX_HOLIDAYS } from './holidays.ts'
import { type CalendarEvent, type Line, lineError, parseEvents } from './ical-lines.ts'

const LAST_YEAR = 2100
const MAX_LENGTH = 366

const dateOf = (line: Line, path: string): Day => {
  const match = /^(\d{4})(\d{2})(\d{2})$/.exec(line.value)
  if (match === null)
    throw lineError(
      line.number,
      `“${line.value.slice(0, 80)}” is not an all-day date`,
      path,
      'VALUE=DATE:20261225',
    )
  try {
    return parseDate(`${match[1]}-${match[2]}-${match[3]}`)
  } catch {
    throw lineError(line.number, `“${line.value}” is a day that does not exist`, path)
  }
}

/** The end is exclusive; without one an all-day event lasts a day (RFC 5545 §3.6.1). */
const lengthOf = (event: CalendarEvent, start: Day, path: string): number => {
  const end = event.properties.get('DTEND')
  const duration = event.properties.get('DURATION')
  if (end === undefined && duration === undefined) return 1
  const line = (end ?? duration)!
  const weeks = /^P(\d{1,3})(D|W)$/.exec(line.value)
  if (end === undefined && weeks === null)
    throw lineError(line.number, `DURATION “${line.value.slice(0, 80)}” is not a number of days`, path, 'P3D')
  const length =
    end === undefined ? Number(weeks![1]) * (weeks![2] === 'W' ? 7 : 1) : dateOf(end, path) - start
  if (length < 1 || length > MAX_LENGTH)
    throw lineError(line.number, `the event lasts ${length} days`, path, `1 to ${MAX_LENGTH} days`)
  return length
}

interface Yearly {
  readonly interval: number
  readonly count: number
  readonly until: Day
}

const once: Yearly = { interval: 1, count: 1, until: Number.POSITIVE_INFINITY }

const yearlyOf = (line: Line, start: Day, path: string): Yearly => {
  const { month, day } = civilOf(start)
  const found = { interval: 1, count: Number.POSITIVE_INFINITY, until: Number.POSITIVE_INFINITY }
  const parts = line.value.toUpperCase().split(';')
  if (!parts.includes('FREQ=YEARLY'))
    throw lineError(
      line.number,
      `RRULE “${line.value.slice(0, 80)}” does not repeat yearly`,
      path,
      'FREQ=YEARLY',
    )
  for (const part of parts) {
    const number = /^(?:INTERVAL|COUNT)=([1-9]\d{0,3})$/.exec(part)
    const until = /^UNTIL=(\d{8})(?:T\d{6}Z?)?$/.exec(part)
    if (number !== null) found[part.startsWith('I') ? 'interval' : 'count'] = Number(number[1])
    else if (until !== null) found.until = dateOf({ ...line, value: until[1]! }, path)
    else if (
      !['FREQ=YEARLY', `BYMONTH=${month}`, `BYMONTHDAY=${day}`].includes(part) &&
      !part.startsWith('WKST=')
    )
      throw lineError(line.number, `RRULE part “${part.slice(0, 80)}” is not understood`, path, 'FREQ=YEARLY')
  }
  return found
}

/** 29 February returns in leap years only, and only those count. */
const startsOf = (first: Day, rule: Yearly): readonly Day[] => {
  const { year, month, day } = civilOf(first)
  const starts: Day[] = []
  for (let at = year; at <= Math.max(year, LAST_YEAR) && starts.length < rule.count; at += rule.interval) {
    const start = dayNumber(at, month, day)
    if (start > rule.until) break
    if (day <= daysInMonth(at, month)) starts.push(start)
  }
  return starts
}

const daysOf = (event: CalendarEvent, path: string): readonly Day[] => {
  const { properties } = event
  for (const name of ['RDATE', 'EXDATE', 'EXRULE', 'RECURRENCE-ID']) {
    const line = properties.get(name)
    if (line !== undefined)
      throw lineError(line.number, `${name} is not understood`, path, 'single or yearly days')
  }
  const from = properties.get('DTSTART')
  if (from === undefined) throw lineError(event.number, 'the event has no DTSTART', path)
  if (properties.get('STATUS')?.value.toUpperCase() === 'CANCELLED') return []
  const start = dateOf(from, path)
  const length = lengthOf(event, start, path)
  const rule = properties.get('RRULE')
  const starts = startsOf(start, rule === undefined ? once : yearlyOf(rule, start, path))
  return starts.flatMap((first) => Array.from({ length }, (_, step) => first + step))
}

export const parseHolidays = (text: string, path: string): Holidays => {
  const days = new Set<Day>()
  for (const event of parseEvents(text, path)) {
    for (const day of daysOf(event, path)) days.add(day)
    if (days.size > MAX_HOLIDAYS)
      throw lineError(event.number, `the calendar names more than ${MAX_HOLIDAYS} days by here`, path)
  }
  return holidaysOf(days)
}
