// Owns lengths of time: 90s, 5m, 1h30m, 42d, 2w, 500ms, ISO 8601 and plain milliseconds, from 0 to 366 days.
// Days and weeks alone are calendar lengths (zone and date decide how many hours); anything with h, m, s is elapsed.
// Months and years are refused in types and text: they are not a number of days.

import { PawlError } from '../errors.ts'
import { DAY_MS } from './civil.ts'
import { suggestDuration } from './duration-words.ts'

const MAX_DURATION_MS = 366 * DAY_MS
/** setTimeout takes a signed 32-bit number; one more and it fires at once. */
const MAX_TIMEOUT_MS = 2_147_483_647
const MAX_LENGTH = 64

/** Counted on the calendar. '1mo' and '1y' do not compile. */
export type CalendarText = `${bigint}d` | `${bigint}w`
/** Counted on a clock. */
export type ElapsedText =
  | `${bigint}${'h' | 'm' | 's' | 'ms'}`
  | `${bigint}h${bigint}m`
  | `${bigint}m${bigint}s`
export type DurationText = CalendarText | ElapsedText

export type Duration =
  | { readonly kind: 'calendar'; readonly days: number }
  | { readonly kind: 'elapsed'; readonly ms: number }

const SHORT = /^(?:(\d+)w)?(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m(?!s))?(?:(\d+(?:\.\d{1,3})?)s)?(?:(\d+)ms)?$/
const UNIT_MS = [7 * DAY_MS, DAY_MS, 3_600_000, 60_000, 1000, 1]
/** The same units in the same order, so that without its P and T it reads as the short form. */
const ISO = /^P(?:\d+W)?(?:\d+D)?(?:T(?=\d)(?:\d+H)?(?:\d+M)?(?:\d+(?:\.\d{1,3})?S)?)?$/
const MONTHS = /^(?:p(?:\d+[wd])*\d+[ym](?!s)|\d+\s*(?:mo|mon|month|months|y|yr|yrs|year|years)\b)/i

const at = (path: string | undefined): { readonly path?: string } => (path === undefined ? {} : { path })

const outOfRange = (shown: string, path: string | undefined): PawlError =>
  new PawlError('duration_out_of_range', `a duration of ${shown} is out of range`, {
    expected: 'between 0 and 366 days',
    ...at(path),
  })

const unreadable = (text: string, path: string | undefined): PawlError => {
  const shown = `“${text.slice(0, 80)}”`
  const month = MONTHS.exec(text.slice(0, 80))
  if (month !== null)
    return new PawlError(
      'invalid_duration',
      `${shown} cannot be counted: ${/y/i.test(month[0]) ? 'a year' : 'a month'} is not a number of days`,
      {
        expected: 'days or weeks, such as 30d or 4w',
        ...at(path),
      },
    )
  const suggestion = suggestDuration(text)
  return new PawlError('invalid_duration', `${shown} is not a duration`, {
    expected: '90s, 5m, 1h30m, 42d, 2w, 500ms or PT15M',
    ...at(path),
    ...(suggestion === undefined ? {} : { suggestion }),
  })
}

const fromText = (text: string, path: string | undefined): Duration => {
  if (/^-\s*[\dP]/i.test(text)) throw outOfRange(`“${text.slice(0, 80)}”`, path)
  const short = ISO.test(text) ? text.slice(1).replace('T', '').toLowerCase() : text
  const match = short === '' || short.length > MAX_LENGTH ? null : SHORT.exec(short)
  if (match === null) throw unreadable(text, path)
  const counts = match.slice(1)
  const ms = Math.round(counts.reduce((sum, count, unit) => sum + Number(count ?? 0) * UNIT_MS[unit]!, 0))
  if (ms > MAX_DURATION_MS) throw outOfRange(`“${text}”`, path)
  const isCalendar = counts.slice(2).every((count) => count === undefined)
  return isCalendar ? { kind: 'calendar', days: ms / DAY_MS } : { kind: 'elapsed', ms }
}

/** A number is milliseconds; a fraction of one is rounded up, so that a short wait never becomes none. */
export const parseDuration = (input: string | number, path?: string): Duration => {
  if (typeof input === 'string') return fromText(input, path)
  if (!(input >= 0 && input <= MAX_DURATION_MS)) throw outOfRange(`${input} ms`, path)
  return { kind: 'elapsed', ms: Math.ceil(input) }
}

/** Elapsed milliseconds, a day being 24 hours: for timers, delays and timeouts. */
export const durationMs = (input: string | number, path?: string): number => {
  const duration = parseDuration(input, path)
  return duration.kind === 'calendar' ? duration.days * DAY_MS : duration.ms
}

/**
 * How long to sleep now towards an instant that may be years away: the caller sleeps this long, looks at the clock
 * and asks again. Never longer than a timer can hold, never 0 before the instant, also for NaN (S35).
 */
export const timeoutSlice = (until: number, now: number): number => {
  const left = Math.ceil(until - now)
  return left < MAX_TIMEOUT_MS ? Math.max(0, left) : MAX_TIMEOUT_MS
}
