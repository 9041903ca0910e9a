// Owns writing a calendar date or an instant as a person reads it: `D MMMM YYYY`, English names, text in [brackets].
// A letter that is no token is refused: `yyyy-mm-dd` would print minutes for months.

import type { Json } from '../json.ts'
import { civilOf, dayNumber, weekdayOf } from '../time/civil.ts'
import { parseDate } from '../time/date.ts'
import { parseInstant } from '../time/instant.ts'
import { assertZone, localAt, offsetAt } from '../time/zone.ts'
import { memoise } from './memo.ts'

interface Day {
  readonly year: number
  readonly month: number
  readonly day: number
}

interface Clock {
  readonly hour: number
  readonly minute: number
  readonly second: number
  readonly millisecond: number
  /** Milliseconds east of UTC. */
  readonly offset: number
  readonly zone: string
}

/** A calendar date has no clock. */
export interface Moment {
  readonly day: Day
  readonly clock?: Clock
}

type Piece =
  | { readonly text: string }
  | { readonly ofDay: (day: Day) => string }
  | { readonly ofClock: (clock: Clock) => string }

const MONTHS = 'January February March April May June July August September October November December'.split(
  ' ',
)
const WEEKDAYS = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ')

const padded = (value: number, length: number): string => String(value).padStart(length, '0')
const monthName = ({ month }: Day): string => MONTHS[month - 1]!
const weekdayName = ({ year, month, day }: Day): string => WEEKDAYS[weekdayOf(dayNumber(year, month, day))]!
const twelve = ({ hour }: Clock): number => ((hour + 11) % 12) + 1

const SUFFIXES = ['th', 'st', 'nd', 'rd']
const TEENS = [11, 12, 13]
const ordinal = ({ day }: Day): string => `${day}${SUFFIXES[TEENS.includes(day) ? 0 : day % 10] ?? 'th'}`

/** Whole minutes; the seconds of an offset before 1972 are left off. */
const offsetText = ({ offset }: Clock): string => {
  const hoursAndMinutes = new Date(Math.abs(offset)).toISOString().slice(11, 16)
  return `${String(offset).startsWith('-') ? '-' : '+'}${hoursAndMinutes}`
}

const OF_DAY: ReadonlyMap<string, (day: Day) => string> = new Map([
  ['YYYY', ({ year }: Day) => padded(year, 4)],
  ['YY', ({ year }: Day) => padded(year % 100, 2)],
  ['MMMM', monthName],
  ['MMM', (day: Day) => monthName(day).slice(0, 3)],
  ['MM', ({ month }: Day) => padded(month, 2)],
  ['M', ({ month }: Day) => String(month)],
  ['dddd', weekdayName],
  ['ddd', (day: Day) => weekdayName(day).slice(0, 3)],
  ['DD', ({ day }: Day) => padded(day, 2)],
  ['D', ({ day }: Day) => String(day)],
  ['Do', ordinal],
])

const OF_CLOCK: ReadonlyMap<string, (clock: Clock) => string> = new Map([
  ['HH', ({ hour }: Clock) => padded(hour, 2)],
  ['H', ({ hour }: Clock) => String(hour)],
  ['hh', (clock: Clock) => padded(twelve(clock), 2)],
  ['h', (clock: Clock) => String(twelve(clock))],
  ['mm', ({ minute }: Clock) => padded(minute, 2)],
  ['m', ({ minute }: Clock) => String(minute)],
  ['ss', ({ second }: Clock) => padded(second, 2)],
  ['s', ({ second }: Clock) => String(second)],
  ['SSS', ({ millisecond }: Clock) => padded(millisecond, 3)],
  ['A', ({ hour }: Clock) => (hour < 12 ? 'AM' : 'PM')],
  ['a', ({ hour }: Clock) => (hour < 12 ? 'am' : 'pm')],
  ['Z', offsetText],
  ['z', ({ zone }: Clock) => zone],
])

/** A bracketed text, a run of one letter (and the o of Do), or whatever else stands between. */
const PIECES = /\[[^\]]*\]?|([A-Za-z])\1*o?|[^A-Za-z[]+/g
const MAX_FORMAT_LENGTH = 100
const DATE_LENGTH = 'YYYY-MM-DD'.length

const pieceOf = (source: string): Piece | undefined => {
  if (source.startsWith('[')) return source.endsWith(']') ? { text: source.slice(1, -1) } : undefined
  if (!/^[A-Za-z]/.test(source)) return { text: source }
  const [ofDay, ofClock] = [OF_DAY.get(source), OF_CLOCK.get(source)]
  if (ofDay) return { ofDay }
  return ofClock && { ofClock }
}

interface Format {
  /** Undefined when the format cannot be read. */
  readonly pieces: readonly Piece[] | undefined
}

const readFormat = memoise<string, Format>((format) => {
  const pieces = Array.from(format.matchAll(PIECES), ([source]) => pieceOf(source))
  return { pieces: pieces.every((piece) => piece !== undefined) ? pieces : undefined }
})

export const isFormat = (format: string): boolean =>
  format.length <= MAX_FORMAT_LENGTH && readFormat(format).pieces !== undefined

/** Undefined when the format asks for a time of day and there is none. */
export const writeMoment = (format: string, { day, clock }: Moment): string | undefined => {
  let text = ''
  for (const piece of readFormat(format).pieces!) {
    if ('text' in piece) text += piece.text
    else if ('ofDay' in piece) text += piece.ofDay(day)
    else if (clock === undefined) return undefined
    else text += piece.ofClock(clock)
  }
  return text
}

/** A calendar date, an instant as RFC 3339, or epoch milliseconds. An instant has no day without a zone. */
export const momentOf = (value: Json, zone: string | undefined): Moment | undefined => {
  if (typeof value === 'string' && value.length === DATE_LENGTH) return dateOf(value)
  return typeof value === 'string' || typeof value === 'number' ? instantOf(value, String(zone)) : undefined
}

const dateOf = (text: string): Moment | undefined => {
  try {
    return { day: civilOf(parseDate(text)) }
  } catch {
    return undefined
  }
}

const instantOf = (value: string | number, zone: string): Moment | undefined => {
  try {
    const instant = parseInstant(value)
    const local = localAt(instant, zone)
    return { day: local, clock: { ...local, offset: offsetAt(instant, zone), zone: assertZone(zone) } }
  } catch {
    return undefined
  }
}
