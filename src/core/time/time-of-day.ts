// Owns wall-clock times as text: HH:MM or HH:MM:SS on a 24-hour clock, inside as milliseconds since midnight.
// Whether a day has that time at all (clock changes) is zone.ts's business.

import { PawlError } from '../errors.ts'

const FORM = /^([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?$/
const LOOSE = /^(\d{1,2})(?:[:.h]?([0-5]\d))?\s*(am|pm|a\.m\.|p\.m\.|h|o'clock)?$/i

const pad = (value: number): string => String(value).padStart(2, '0')

export const printTime = (ofDay: number): string => {
  const seconds = Math.floor(ofDay / 1000)
  const [hour, minute, second] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  return `${pad(hour)}:${pad(minute)}${second === 0 ? '' : `:${pad(second)}`}`
}

/** 9am, 9:30 pm, 17h, noon: what people write, as HH:MM; undefined when it could mean anything. */
export const guessTime = (text: string): string | undefined => {
  const word = text.trim().toLowerCase()
  if (word === 'noon' || word === 'midday') return '12:00'
  if (word === 'midnight') return '00:00'
  const match = LOOSE.exec(word.slice(0, 80))
  if (match === null) return undefined
  const [hour, minute, half] = [Number(match[1]), Number(match[2] ?? 0), match[3]?.[0]]
  const isTwelveHour = half === 'a' || half === 'p'
  if (hour > 23 || (isTwelveHour && (hour < 1 || hour > 12))) return undefined
  const of24 = isTwelveHour ? (hour % 12) + (half === 'p' ? 12 : 0) : hour
  return `${pad(of24)}:${pad(minute)}`
}

export const parseTime = (text: string, path?: string): number => {
  const match = FORM.exec(text)
  if (match !== null)
    return Number(match[1]) * 3_600_000 + Number(match[2]) * 60_000 + Number(match[3] ?? 0) * 1000
  const suggestion = guessTime(text)
  throw new PawlError('invalid_date', `“${text.slice(0, 80)}” is not a time of day`, {
    expected: 'HH:MM between 00:00 and 23:59',
    ...(path === undefined ? {} : { path }),
    ...(suggestion === undefined ? {} : { suggestion }),
  })
}
