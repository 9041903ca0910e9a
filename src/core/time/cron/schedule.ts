// Owns a schedule as its users see it: a cron in a zone under a clock-change policy. Pure over those and the instant
// asked about; no clock is read. Invariants: C1 next(t) > t and previous(t) < t, strictly, and each undoes the other;
// C2 several local times that fall on one instant fire once; C3 every answer takes bounded work (search.ts).

import { PawlError } from '../../errors.ts'
import { DEFAULT_DST, type Dst } from '../dst.ts'
import { assertZone } from '../zone.ts'
import { type Cron, type Interval, isIntervalLike } from './cron.ts'
import { createSearch, type Search } from './search.ts'

export interface ScheduleOptions {
  readonly zone: string
  /** Default: gap `shift`, overlap `first`. A pattern that fires every hour goes on through a repeated one. */
  readonly dst?: Partial<Dst>
  /** The instant intervals are counted from, 1970-01-01T00:00:00Z unless given. Patterns have no use for it. */
  readonly anchor?: number
}

export interface Schedule extends Search {
  readonly cron: Cron
  readonly zone: string
  /** What is done, which for a pattern that fires every hour is not what was asked about overlaps. */
  readonly dst: Dst
  /** Firings with from ≤ t < to, one at a time: take as many as you need. */
  readonly between: (from: number, to: number) => Iterable<number>
  readonly nextN: (after: number, n: number) => readonly number[]
}

const searchInterval = ({ everyMs }: Interval, anchor: number): Search => {
  /** Firings from the anchor (exclusive of `to`); negative before it. */
  const upTo = (to: number): number => Math.ceil((to - anchor) / everyMs)
  return {
    next: (after) => anchor + (Math.floor((after - anchor) / everyMs) + 1) * everyMs,
    previous: (before) => anchor + (upTo(before) - 1) * everyMs,
    count: (from, to) => Math.max(upTo(to) - upTo(from), 0),
  }
}

export const cronSchedule = (cron: Cron, { zone, dst, anchor = 0 }: ScheduleOptions): Schedule => {
  const goesOn = cron.kind === 'interval' || isIntervalLike(cron)
  const policy: Dst = { ...DEFAULT_DST, ...dst, ...(goesOn ? { overlap: 'both' } : {}) }
  const named = assertZone(zone)
  const search = cron.kind === 'interval' ? searchInterval(cron, anchor) : createSearch(cron, named, policy)
  const { next } = search
  return {
    ...search,
    cron,
    zone: named,
    dst: policy,
    *between(from, to) {
      for (let at = next(Math.ceil(from) - 1); at !== undefined && at < to; at = next(at)) yield at
    },
    nextN(after, n) {
      const found: number[] = []
      for (let at: number | undefined = after; found.length < n; found.push(at)) {
        at = next(at)
        if (at === undefined) break
      }
      return found
    },
  }
}

/** The first firing after `now`; refuses a schedule whose years are past or whose every firing is skipped. */
export const assertFires = (schedule: Schedule, now: number): number => {
  const first = schedule.next(now)
  if (first !== undefined) return first
  throw new PawlError('never_fires', `“${schedule.cron.text}” in ${schedule.zone} never fires again`, {
    expected: 'a time that is still to come',
  })
}
