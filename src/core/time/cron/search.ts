// Owns the search for the firings of a pattern in a zone: opens windows of time, asks readings.ts which clocks run in
// them, and wall.ts when those clocks show a time of the pattern. Bound: at most MAX_WINDOWS windows, then undefined,
// so a pattern whose every firing is skipped ends too.

import { DAY_MS } from '../civil.ts'
import type { Dst } from '../dst.ts'
import { type Fields, LAST_YEAR } from './cron.ts'
import { type Reading, readingsBetween } from './readings.ts'
import { countWalls, isOnWall, wallBefore, wallFrom } from './wall.ts'

/** Long enough for a monthly pattern to be found in one or two, short enough to hold few clock changes. */
const WINDOW_MS = 32 * DAY_MS
/** Only `gap: 'skip'` leaves a window with a local time but without a firing, and only about once a year. */
export const MAX_WINDOWS = 128
/** Local time differs from UTC by less than a day, so these hold every local time that may fire. */
const EARLIEST = -DAY_MS
const LATEST: number = Date.UTC(LAST_YEAR + 1, 0, 2)

export interface Search {
  /** The first firing after an instant. */
  readonly next: (after: number) => number | undefined
  /** The last firing before an instant. */
  readonly previous: (before: number) => number | undefined
  /** How many firings there are with from ≤ t < to. Does not walk them. */
  readonly count: (from: number, to: number) => number
}

const firstIn = (fields: Fields, readings: readonly Reading[], from: number): number | undefined => {
  let best = Number.POSITIVE_INFINITY
  for (const reading of readings) {
    if (reading.to <= from) continue
    if (reading.from >= best) break
    const wall = wallFrom(fields, Math.max(from, reading.from) + reading.offset)
    if (wall !== undefined && wall < reading.to + reading.offset) best = Math.min(best, wall - reading.offset)
  }
  return best === Number.POSITIVE_INFINITY ? undefined : best
}

const lastIn = (fields: Fields, readings: readonly Reading[], before: number): number | undefined => {
  let best = Number.NEGATIVE_INFINITY
  for (const reading of readings) {
    if (reading.from >= before) break
    const wall = wallBefore(fields, Math.min(before, reading.to) + reading.offset)
    if (wall !== undefined && wall >= reading.from + reading.offset)
      best = Math.max(best, wall - reading.offset)
  }
  return best === Number.NEGATIVE_INFINITY ? undefined : best
}

/** What a reading adds to a count: an old clock only what the new one beside it does not show as well. */
const countIn = (fields: Fields, { from, to, offset, beside }: Reading): number => {
  if (beside === undefined) return countWalls(fields, from + offset, to + offset)
  let count = 0
  let wall = wallFrom(fields, from + offset)
  while (wall !== undefined && wall < to + offset) {
    if (!isOnWall(fields, wall - offset + beside)) count++
    wall = wallFrom(fields, wall + 1)
  }
  return count
}

export const createSearch = (fields: Fields, zone: string, dst: Dst): Search => {
  let last: { readonly index: number; readonly readings: readonly Reading[] } | undefined
  const windowAt = (index: number): readonly Reading[] => {
    if (last?.index !== index) {
      const span = { from: index * WINDOW_MS, to: (index + 1) * WINDOW_MS }
      last = { index, readings: readingsBetween(zone, dst, span) }
    }
    return last.readings
  }

  const next = (after: number): number | undefined => {
    let from = Math.max(Math.floor(after) + 1, EARLIEST)
    for (let opened = 0; opened < MAX_WINDOWS && from < LATEST; opened++) {
      const index = Math.floor(from / WINDOW_MS)
      const found = firstIn(fields, windowAt(index), from)
      if (found !== undefined) return found
      const end = (index + 1) * WINDOW_MS
      const wall = wallFrom(fields, end - DAY_MS)
      if (wall === undefined) return undefined
      from = Math.max(end, wall - DAY_MS)
    }
    return undefined
  }

  const previous = (before: number): number | undefined => {
    let to = Math.min(Math.ceil(before), LATEST)
    for (let opened = 0; opened < MAX_WINDOWS && to > EARLIEST; opened++) {
      const index = Math.ceil(to / WINDOW_MS) - 1
      const found = lastIn(fields, windowAt(index), to)
      if (found !== undefined) return found
      const start = index * WINDOW_MS
      const wall = wallBefore(fields, start + DAY_MS)
      if (wall === undefined) return undefined
      to = Math.min(start, wall + DAY_MS)
    }
    return undefined
  }

  const count = (from: number, to: number): number => {
    const span = { from: Math.max(Math.ceil(from), EARLIEST), to: Math.min(Math.ceil(to), LATEST) }
    return readingsBetween(zone, dst, span).reduce((sum, reading) => sum + countIn(fields, reading), 0)
  }

  return { next, previous, count }
}
