// Owns what a recurrence will do if nothing befalls it: its occurrences to come, up to its end. Pure. What will overlap, or
// be missed because nothing runs, cannot be foreseen.

import type { Progress, Rule } from './recurrence-run.ts'

/** Those from an instant on that have no fate yet, in order; may be endless. */
export function* foreseen(
  { schedule, endsAt = Number.POSITIVE_INFINITY, maxExecutions }: Rule,
  { through, fired }: Pick<Progress, 'through' | 'fired'>,
  from: number,
): Iterable<number> {
  const first = Math.max(from, through + 1)
  let left =
    maxExecutions === undefined
      ? Number.POSITIVE_INFINITY
      : maxExecutions - fired - schedule.count(through + 1, first)
  for (const at of schedule.between(first, endsAt)) {
    if (left <= 0) return
    left -= 1
    yield at
  }
}
