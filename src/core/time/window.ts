// Owns what a delivery window is and its data form in files and requests, with errors that name the place:
//   { timezone, weekdays, from, to } or { timezone, openings: [{ weekdays, from, to }, …] }
//   and holidays (dates, or iCalendar text), closed, expiresAfter.
// Plain data: it is stored with the action. When it is open: opening-hours.ts. What that means: admit.ts.

import { PawlError } from '../errors.ts'
import { isObject, type JsonObject } from '../json.ts'
import { nearest } from '../suggest.ts'
import { DAY_MS } from './civil.ts'
import { durationMs } from './duration.ts'
import { readHolidays } from './holiday-data.ts'
import type { Holidays } from './holidays.ts'
import { parseTime } from './time-of-day.ts'
import { parseWeekdays } from './weekday.ts'
import { assertZone } from './zone.ts'

export interface Opening {
  /** 0 = Sunday … 6 = Saturday: the days it begins on. */
  readonly weekdays: readonly number[]
  /** Milliseconds since midnight. */
  readonly from: number
  /** Exclusive; beyond 24 h when it ends on the next day. */
  readonly to: number
}

type Closed = 'hold' | 'drop' | 'next_open'

export interface DeliveryWindow {
  readonly zone: string
  readonly openings: readonly Opening[]
  readonly holidays: Holidays
  /** What becomes of an action that is due while closed. */
  readonly closed: Closed
  /** How long after its due time it is still worth doing. */
  readonly expiresAfterMs?: number
}

const FIELDS = ['timezone', 'weekdays', 'from', 'to', 'openings', 'holidays', 'closed', 'expiresAfter']
const OPENING_FIELDS = ['weekdays', 'from', 'to']
const CLOSED: readonly Closed[] = ['hold', 'drop', 'next_open']
const MAX_OPENINGS = 50

const refuse = (message: string, path: string, expected: string, suggestion?: string): PawlError =>
  new PawlError('invalid_window', message, {
    path,
    expected,
    ...(suggestion === undefined ? {} : { suggestion }),
  })

const assertFields = (value: JsonObject, known: readonly string[], path: string): void => {
  for (const key of Object.keys(value))
    if (!known.includes(key))
      throw refuse(
        `“${key.slice(0, 80)}” is not a field of a window`,
        `${path}.${key.slice(0, 80)}`,
        known.join(', '),
        nearest(key, known),
      )
}

const textAt = (value: unknown, path: string, expected: string): string => {
  if (typeof value === 'string') return value
  throw refuse(`${path} is ${value === undefined ? 'missing' : 'not text'}`, path, expected)
}

const endOf = (value: unknown, path: string): number => {
  const text = textAt(value, path, 'HH:MM')
  return text === '24:00' ? DAY_MS : parseTime(text, path)
}

const openingOf = (value: JsonObject, path: string): Opening => {
  const from = parseTime(textAt(value['from'], `${path}.from`, 'HH:MM'), `${path}.from`)
  const to = endOf(value['to'], `${path}.to`)
  if (from === to) throw refuse('from and to are the same time', path, '00:00 to 24:00 for the whole day')
  return {
    weekdays: parseWeekdays(value['weekdays'] ?? 'daily', `${path}.weekdays`),
    from,
    to: to < from ? to + DAY_MS : to,
  }
}

const openingsOf = (value: JsonObject, path: string): readonly Opening[] => {
  const { openings } = value
  if (openings === undefined) return [openingOf(value, path)]
  const alsoFlat = OPENING_FIELDS.find((field) => value[field] !== undefined)
  if (alsoFlat !== undefined)
    throw refuse(`${alsoFlat} stands beside openings`, `${path}.${alsoFlat}`, 'it inside each opening')
  if (!Array.isArray(openings) || openings.length === 0 || openings.length > MAX_OPENINGS)
    throw refuse(`${path}.openings names no opening`, `${path}.openings`, `1 to ${MAX_OPENINGS} openings`)
  return openings.map((opening: unknown, index) => {
    const at = `${path}.openings.${index}`
    if (!isObject(opening)) throw refuse(`${at} is not an opening`, at, '{ weekdays, from, to }')
    assertFields(opening, OPENING_FIELDS, at)
    return openingOf(opening, at)
  })
}

const closedOf = (value: unknown, path: string): Closed => {
  const found = CLOSED.find((word) => word === (value ?? 'hold'))
  if (found === undefined)
    throw refuse(
      `“${String(value).slice(0, 80)}” is not a policy`,
      path,
      CLOSED.join(' | '),
      nearest(String(value), CLOSED),
    )
  return found
}

export const parseWindow = (value: unknown, path = 'window'): DeliveryWindow => {
  if (!isObject(value)) throw refuse(`${path} is not a window`, path, '{ timezone, weekdays, from, to }')
  assertFields(value, FIELDS, path)
  const { timezone, expiresAfter } = value
  const at = `${path}.timezone`
  const zone = assertZone(textAt(timezone, at, 'an IANA name such as Europe/London'), at)
  const window = {
    zone,
    openings: openingsOf(value, path),
    holidays: readHolidays(value['holidays'] ?? [], `${path}.holidays`),
    closed: closedOf(value['closed'], `${path}.closed`),
  }
  if (expiresAfter === undefined) return window
  if (typeof expiresAfter !== 'string' && typeof expiresAfter !== 'number')
    throw refuse(`${path}.expiresAfter is not a duration`, `${path}.expiresAfter`, '2h, 1d or milliseconds')
  return { ...window, expiresAfterMs: durationMs(expiresAfter, `${path}.expiresAfter`) }
}
