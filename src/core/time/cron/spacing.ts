// Owns how close together a schedule fires, for limits on it. By the wall clock: what a clock change pushes together
// once a year is not held against a schedule.

import { PawlError } from '../../errors.ts'
import { DAY_MS } from '../civil.ts'
import { printDuration } from '../duration-words.ts'
import type { Cron, Fields } from './cron.ts'
import { dayFrom } from './days.ts'

/** In 28 years every month has met every weekday it can start on, leap years too. */
const CYCLE_DAYS = 28 * 366

const smallestStep = (sorted: readonly number[]): number =>
  Math.min(...sorted.slice(1).map((value, index) => value - sorted[index]!))

/** No two days are closer than one, so most patterns are done at their second day. */
const smallestDayStep = (fields: Fields): number => {
  let day = dayFrom(fields, 0)!
  const end = fields.years === undefined ? day + CYCLE_DAYS : Number.POSITIVE_INFINITY
  let smallest = Number.POSITIVE_INFINITY
  while (day < end && smallest > 1) {
    const next = dayFrom(fields, day + 1) ?? Number.POSITIVE_INFINITY
    smallest = Math.min(smallest, next - day)
    day = next
  }
  return smallest
}

/** The shortest time between two firings, in milliseconds; Infinity when it fires only once. */
export const shortestInterval = (cron: Cron): number => {
  if (cron.kind === 'interval') return cron.everyMs
  let shortest = Number.POSITIVE_INFINITY
  /** From the first to the last firing within one minute, then one hour, then one day. */
  let span = 0
  for (const [values, unitMs] of [
    [cron.seconds, 1000],
    [cron.minutes, 60_000],
    [cron.hours, 3_600_000],
  ] as const) {
    shortest = Math.min(shortest, smallestStep(values) * unitMs - span)
    span += (values.at(-1)! - values[0]!) * unitMs
  }
  return Math.min(shortest, smallestDayStep(cron) * DAY_MS - span)
}

export const assertMinInterval = (cron: Cron, minMs: number): void => {
  const shortest = shortestInterval(cron)
  if (shortest >= minMs) return
  throw new PawlError(
    'interval_too_short',
    `“${cron.text}” fires ${printDuration(shortest)} apart; the shortest allowed is ${printDuration(minMs)}`,
    {
      expected: `at least ${printDuration(minMs)} between firings`,
      suggestion: `every ${Math.ceil(minMs / 1000)}s`,
    },
  )
}
