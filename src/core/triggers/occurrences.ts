// Owns what becomes of the occurrences of a schedule that are due: each is fired, skipped or coalesced, with a reason
// (I8). Pure; when a schedule fires is time/cron, what a fired one asks for is recurrence.ts.
// O1  Every occurrence in (through, now] has exactly one fate, in order; beyond a bound older ones share one entry.
// O2  Late is not missed: only what is later than the grace falls under the misfire policy.

import type { Schedule } from '../time/cron/schedule.ts'

export type Misfire = 'skip' | 'latest' | 'all'
export type Fate = 'fired' | 'skipped' | 'coalesced'
export type FateReason =
  | 'missed'
  | 'overlap'
  | 'paused'
  | 'asked'
  | 'ended'
  | 'nothing_to_do'
  | 'too_many'
  | 'backfill'
  | 'run_now'

export interface Occurrence {
  readonly at: number
  readonly fate: Fate
  readonly reason?: FateReason
  /** With `coalesced`: the occurrence that stands for it. */
  readonly into?: number
  /** One entry for several: the last of them, and how many. */
  readonly until?: number
  readonly count?: number
}

/** One that got its fate, with the action that came of it. */
export interface ToldOccurrence extends Occurrence {
  readonly action?: string
}

export interface Due {
  readonly schedule: Pick<Schedule, 'next' | 'previous' | 'count'>
  /** Everything up to here has its fate already. */
  readonly through: number
  readonly now: number
  readonly misfire: Misfire
  /** What is later than this has been missed. */
  readonly graceMs: number
}

/** Occurrences told one by one; of a longer silence the oldest share one entry. */
export const MAX_TOLD = 100

/** The last `limit` occurrences with from < at ≤ to, oldest first. */
const latest = (schedule: Due['schedule'], from: number, to: number, limit: number): readonly number[] => {
  const found: number[] = []
  let at = schedule.previous(to + 1)
  while (at !== undefined && at > from && found.length < limit) {
    found.push(at)
    at = schedule.previous(at)
  }
  return found.reverse()
}

/** The entry that stands for all before the first that is told; none when there are none. */
const older = (
  { schedule, through }: Due,
  firstTold: number | undefined,
  reason: FateReason,
): readonly Occurrence[] => {
  if (firstTold === undefined) return []
  const count = schedule.count(through + 1, firstTold)
  if (count === 0) return []
  const until = schedule.previous(firstTold)!
  const at = schedule.next(through)!
  return [{ at, fate: 'skipped', reason, ...(count > 1 && { until, count }) }]
}

const fatesOfMissed = (
  due: Due,
  missed: readonly number[],
  onTime: readonly number[],
): readonly Occurrence[] => {
  const last = missed.length - 1
  switch (due.misfire) {
    case 'skip':
      return missed.map((at) => ({ at, fate: 'skipped', reason: 'missed' }))
    case 'all':
      return missed.map((at) => ({ at, fate: 'fired', reason: 'missed' }))
    case 'latest': {
      const into = onTime[0] ?? missed[last]!
      return missed.map((at) =>
        at === into
          ? { at, fate: 'fired', reason: 'missed' }
          : { at, fate: 'coalesced', reason: 'missed', into },
      )
    }
  }
}

/** What becomes of everything that is due and has no fate yet. */
export const fatesOf = (due: Due): readonly Occurrence[] => {
  const { schedule, through, now, graceMs, misfire } = due
  const from = Math.max(through, now - graceMs - 1)
  const onTime = latest(schedule, from, now, MAX_TOLD)
  const missedUntil = Math.min(from, now)
  const missed = latest(schedule, through, missedUntil, MAX_TOLD)
  return [
    ...older(due, missed[0] ?? onTime[0], misfire === 'all' ? 'too_many' : 'missed'),
    ...fatesOfMissed(due, missed, onTime),
    ...(missed.length > 0 ? older({ ...due, through: missed.at(-1)! }, onTime[0], 'too_many') : []),
    ...onTime.map((at): Occurrence => ({ at, fate: 'fired' })),
  ]
}

/** All in (through, until] under one reason: a pause, a range that was asked to be skipped. */
export const skipped = (
  schedule: Due['schedule'],
  through: number,
  until: number,
  reason: FateReason,
): readonly Occurrence[] => {
  const told = latest(schedule, through, until, MAX_TOLD)
  const due: Due = { schedule, through, now: until, misfire: 'skip', graceMs: 0 }
  return [...older(due, told[0], reason), ...told.map((at): Occurrence => ({ at, fate: 'skipped', reason }))]
}
