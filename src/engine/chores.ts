// Owns housekeeping: old rows removed in slices, next month's partitions, the hourly checkpoint over the chains. Workers
// do it, one at a time, by a lease on the chore; a chore that fails is somebody's next time.

import type { Keeper } from '../store/keeper.ts'
import type { Clock } from './clock.ts'

export interface RetentionDays {
  readonly done: number
  readonly events: number
  /** How long the id of an applied event is remembered. */
  readonly inbox: number
}

export const DEFAULT_RETENTION: RetentionDays = { done: 30, events: 90, inbox: 30 }

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
const SLICE = 500

/** What it is called, how often it is done, and what is done. */
export type Chore = readonly [name: string, everyMs: number, work: () => Promise<unknown>]

export interface ChoresParts {
  readonly keeper: Keeper
  readonly clock: Clock
  readonly worker: string
  readonly retention: RetentionDays
  readonly more: readonly Chore[]
}

/** One round; answers how many chores were done. */
export const createChores = ({
  keeper,
  clock,
  worker,
  retention,
  more,
}: ChoresParts): (() => Promise<number>) => {
  const prune = async (): Promise<void> => {
    const now = clock.now()
    const before = {
      doneBefore: now - retention.done * DAY_MS,
      eventsBefore: now - retention.events * DAY_MS,
      inboxBefore: now - retention.inbox * DAY_MS,
      dedupBefore: now,
    }
    while (await keeper.prune(before, SLICE)) await clock.timers.turn()
  }
  const CHORES: readonly Chore[] = [
    ['prune', 60_000, prune],
    ['prepare', DAY_MS, () => keeper.prepare(clock.now())],
    ['checkpoint', HOUR_MS, () => keeper.checkpoint(clock.now())],
    ...more,
  ]
  /** Whoever has a chore may take it again at once: its next time is kept here. */
  const nextAt = new Map<string, number>()
  return async () => {
    let done = 0
    for (const [name, everyMs, chore] of CHORES) {
      if (clock.monotonic() < (nextAt.get(name) ?? 0)) continue
      if (!(await keeper.take(name, worker, everyMs))) continue
      await chore()
      nextAt.set(name, clock.monotonic() + everyMs)
      done += 1
    }
    return done
  }
}
