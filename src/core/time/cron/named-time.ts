// Owns which local time a firing stands for: what its clock shows, unless the pattern named a time that did not exist
// and the firing was moved. Hands a schedule to the forecast (firings.ts) with that time beside each firing.

import { localOn } from '../calendar.ts'
import { DAY_MS } from '../civil.ts'
import type { Occurrence } from '../firings.ts'
import { offsetAt, transitionsBetween } from '../zone.ts'
import { type Fields, isIntervalLike } from './cron.ts'
import type { Schedule } from './schedule.ts'
import { isOnWall } from './wall.ts'

/** The local time (as milliseconds) that was named, or undefined when the firing was not moved. */
const movedFrom = (cron: Fields, { zone, dst }: Schedule, firing: number): number | undefined => {
  if (dst.gap === 'skip') return undefined
  const change = transitionsBetween(zone, firing - DAY_MS, firing + 1).at(-1)
  if (change === undefined || firing >= change.at + change.after - change.before) return undefined
  const named = firing + change.before
  // What fires every hour does not feel a gap in which it fires anyway.
  const firesAnyway = isIntervalLike(cron) && isOnWall(cron, firing + change.after)
  return isOnWall(cron, named) && !firesAnyway ? named : undefined
}

const occurrence = (schedule: Schedule, at: number): Occurrence => {
  const { cron, zone } = schedule
  if (cron.kind === 'interval') return { at }
  const wall = movedFrom(cron, schedule, at) ?? at + offsetAt(at, zone)
  const day = Math.floor(wall / DAY_MS)
  return { at, nominal: localOn(day, wall - day * DAY_MS) }
}

/** Every firing from an instant on, without end; ready to be a source of the forecast. */
export function* occurrencesOf(schedule: Schedule, from: number): Iterable<Occurrence> {
  for (const at of schedule.between(from, Number.POSITIVE_INFINITY)) yield occurrence(schedule, at)
}
