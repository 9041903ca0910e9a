// Owns the firings of a pattern on a wall clock that never changes: milliseconds that read as local time. Days are
// days.ts's, zones are readings.ts's. The times of a day are an ordered list that is never written out: the place
// of a time in it is computed, so `* * * * * *` costs no more than `0 9 * * *`.

import { DAY_MS } from '../civil.ts'
import type { Fields } from './cron.ts'
import { below, countDays, dayFrom, dayUpTo } from './days.ts'

const timesPerDay = ({ hours, minutes, seconds }: Fields): number =>
  hours.length * minutes.length * seconds.length

/** How many firings of a day come before this second of it. */
const placeOf = ({ hours, minutes, seconds }: Fields, secondOfDay: number): number => {
  const hour = Math.floor(secondOfDay / 3600)
  const minute = Math.floor(secondOfDay / 60) % 60
  const hourIndex = below(hours, hour)
  if (hours[hourIndex] !== hour) return hourIndex * minutes.length * seconds.length
  const minuteIndex = below(minutes, minute)
  const minutePlace = hourIndex * minutes.length + minuteIndex
  if (minutes[minuteIndex] !== minute) return minutePlace * seconds.length
  return minutePlace * seconds.length + below(seconds, secondOfDay % 60)
}

const timeAt = ({ hours, minutes, seconds }: Fields, place: number): number => {
  const minutePlace = Math.floor(place / seconds.length)
  const hour = hours[Math.floor(minutePlace / minutes.length)]!
  const minute = minutes[minutePlace % minutes.length]!
  return (hour * 3600 + minute * 60 + seconds[place % seconds.length]!) * 1000
}

interface WallPlace {
  readonly dayNo: number
  readonly place: number
}

const locate = (fields: Fields, wall: number): WallPlace => {
  const dayNo = Math.floor(wall / DAY_MS)
  return { dayNo, place: placeOf(fields, Math.ceil((wall - dayNo * DAY_MS) / 1000)) }
}

/** The first firing at or after a wall time. */
export const wallFrom = (fields: Fields, wall: number): number | undefined => {
  const { dayNo, place } = locate(fields, wall)
  const found = dayFrom(fields, place < timesPerDay(fields) ? dayNo : dayNo + 1)
  return found === undefined ? undefined : found * DAY_MS + timeAt(fields, found === dayNo ? place : 0)
}

/** The last firing before a wall time. */
export const wallBefore = (fields: Fields, wall: number): number | undefined => {
  const { dayNo, place } = locate(fields, wall)
  const found = dayUpTo(fields, place > 0 ? dayNo : dayNo - 1)
  if (found === undefined) return undefined
  return found * DAY_MS + timeAt(fields, (found === dayNo ? place : timesPerDay(fields)) - 1)
}

export const isOnWall = (fields: Fields, wall: number): boolean => wallFrom(fields, wall) === wall

/** Firings with from ≤ wall < to. */
export const countWalls = (fields: Fields, from: number, to: number): number => {
  const [first, end] = [locate(fields, from), locate(fields, to)]
  const partOf = ({ dayNo, place }: WallPlace): number => countDays(fields, dayNo, dayNo + 1) * place
  return countDays(fields, first.dayNo, end.dayNo) * timesPerDay(fields) + partOf(end) - partOf(first)
}
