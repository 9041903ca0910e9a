// Owns the forecast's arithmetic: many sources of firings (rules, and anything that yields instants in order, such as
// a cron) merged into one list over a horizon, in order, bounded, each with its clock mark. Sends and stores nothing.

import { type ClockMark, markOf } from './clock-mark.ts'
import type { Dst } from './dst.ts'
import type { Rule } from './rule.ts'
import { instantOf, type RuleContext } from './rule-instant.ts'
import type { LocalDateTime } from './zone.ts'

export interface Occurrence {
  readonly at: number
  /** The local time that was asked for, when the clock may have moved it. */
  readonly nominal?: LocalDateTime
}

export interface FiringSource {
  readonly id: string
  readonly zone: string
  readonly dst: Dst
  /** Occurrences in ascending order, beginning at or after the instant; may be endless. */
  readonly occurrences: (from: number) => Iterable<Occurrence>
}

interface Firing {
  readonly source: string
  readonly at: number
  readonly zone: string
  readonly mark?: ClockMark
}

export interface Horizon {
  readonly from: number
  /** Exclusive. */
  readonly to: number
  readonly limit: number
}

export interface Firings {
  readonly firings: readonly Firing[]
  /** The limit cut the list off before the horizon did. */
  readonly more: boolean
}

const MAX_FIRINGS = 10_000

interface Head {
  readonly source: FiringSource
  readonly order: number
  readonly occurrence: Occurrence
  readonly rest: Iterator<Occurrence>
  /** Where to look for clock changes from: the firing before, else the beginning of the horizon. */
  readonly since: number
}

const comesAfter = (a: Head, b: Head): boolean =>
  a.occurrence.at > b.occurrence.at || (a.occurrence.at === b.occurrence.at && a.order > b.order)

/** Heads are kept latest first, so the next firing is popped off the end. */
const insert = (heads: Head[], head: Head): void => {
  let [low, high] = [0, heads.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (comesAfter(heads[middle]!, head)) low = middle + 1
    else high = middle
  }
  heads.splice(low, 0, head)
}

export const firingsOf = (sources: readonly FiringSource[], horizon: Horizon): Firings => {
  const heads: Head[] = []
  const take = (head: Omit<Head, 'occurrence'>): void => {
    const next = head.rest.next()
    if (next.done !== true && next.value.at < horizon.to) insert(heads, { ...head, occurrence: next.value })
  }
  for (const [order, source] of sources.entries()) {
    const rest = source.occurrences(horizon.from)[Symbol.iterator]()
    take({ source, order, rest, since: horizon.from })
  }
  const firings: Firing[] = []
  const limit = Math.min(horizon.limit, MAX_FIRINGS)
  for (let head = heads.at(-1); head !== undefined && firings.length < limit; head = heads.at(-1)) {
    heads.pop()
    const { source, occurrence } = head
    const mark = markOf({ ...occurrence, zone: source.zone, dst: source.dst }, head.since)
    firings.push({
      source: source.id,
      at: occurrence.at,
      zone: source.zone,
      ...(mark === undefined ? {} : { mark }),
    })
    take({ ...head, since: occurrence.at })
  }
  return { firings, more: heads.length > 0 }
}

/** A rule fires once, or not at all while something it needs is unknown. */
export const ruleSource = (id: string, rule: Rule, context: RuleContext): FiringSource => ({
  id,
  zone: context.zone,
  dst: { ...context.dst, overlap: context.dst.overlap === 'last' ? 'last' : 'first' },
  occurrences: (from) => {
    const moment = instantOf(rule, context)
    return moment.kind === 'at' && moment.at >= from ? [moment] : []
  },
})
