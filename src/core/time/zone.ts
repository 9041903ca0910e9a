// Owns the clock of a zone: its offset at an instant, local time ↔ instant, and the moments it changes.
// Offsets come from Intl, read once per stretch of 96 days and kept: a warm read is a lookup, not a format.
// The host's own zone is never read. Leaves names to zone-name.ts, and what to do about gaps to the caller.

import { civilOf, DAY_MS, dayNumber } from './civil.ts'
import { assertZone } from './zone-name.ts'

export { assertZone } from './zone-name.ts'

export interface LocalDateTime {
  readonly year: number
  /** 1–12 */
  readonly month: number
  readonly day: number
  readonly hour: number
  readonly minute: number
  readonly second: number
  readonly millisecond: number
}

/** A local time that does not exist: later by the gap's length, or not at all. */
export type Gap = 'shift' | 'skip'
/** A local time that happens twice. */
export type Overlap = 'first' | 'last' | 'both'

/** Offsets are milliseconds east of UTC; `after` holds from `at` on. */
export interface Transition {
  readonly at: number
  readonly before: number
  readonly after: number
}

/** The two nearest changes since 1900 are 3.98 days apart (Freetown, 1939, in the full database): no sample hides two. */
const SAMPLE_MS = 3 * DAY_MS
const STRETCH_MS = 32 * SAMPLE_MS
/** What the memo holds at most, in stretches; a zone's formatter weighs as much as 32. Beyond it, it starts again. */
const MAX_KEPT = 32_768
const FORMATTER_WEIGHT = 32

interface Stretch {
  readonly offset: number
  /** start < at ≤ end */
  readonly transitions: readonly Transition[]
}

interface Clock {
  readonly read: (instant: number) => number
  readonly stretches: Map<number, Stretch>
}

const clocks = new Map<string, Clock>()
let kept = 0

const keep = (weight: number): void => {
  kept += weight
  if (kept <= MAX_KEPT) return
  clocks.clear()
  kept = weight
}

/** Reads `GMT-04:56:02`; the parts that are missing (`GMT`, `GMT+01:00`) read as 0. */
const offsetReader = (zone: string): ((instant: number) => number) => {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    timeZoneName: 'longOffset',
    hour: 'numeric',
  })
  return (instant) => {
    const text = format.format(instant)
    const offset = text.slice(text.lastIndexOf('GMT') + 3)
    const seconds =
      Number(offset.slice(1, 3)) * 3600 + Number(offset.slice(4, 6)) * 60 + Number(offset.slice(7, 9))
    return (offset.startsWith('-') ? -seconds : seconds) * 1000
  }
}

const clockOf = (zone: string): Clock => {
  const known = clocks.get(zone)
  if (known !== undefined) return known
  const clock = { read: offsetReader(assertZone(zone)), stretches: new Map<number, Stretch>() }
  keep(FORMATTER_WEIGHT)
  clocks.set(zone, clock)
  return clock
}

/** The second from which `after` holds; `low` still reads `before`. */
const changeWithin = (read: Clock['read'], low: number, high: number): number => {
  let [lastBefore, firstAfter] = [low / 1000, high / 1000]
  const before = read(low)
  while (firstAfter - lastBefore > 1) {
    const middle = Math.floor((lastBefore + firstAfter) / 2)
    if (read(middle * 1000) === before) lastBefore = middle
    else firstAfter = middle
  }
  return firstAfter * 1000
}

const readStretch = (read: Clock['read'], start: number): Stretch => {
  const transitions: Transition[] = []
  const offset = read(start)
  let before = offset
  for (let low = start; low < start + STRETCH_MS; low += SAMPLE_MS) {
    const after = read(low + SAMPLE_MS)
    if (after !== before) transitions.push({ at: changeWithin(read, low, low + SAMPLE_MS), before, after })
    before = after
  }
  return { offset, transitions }
}

const stretchOf = (clock: Clock, index: number): Stretch => {
  const known = clock.stretches.get(index)
  if (known !== undefined) return known
  const stretch = readStretch(clock.read, index * STRETCH_MS)
  keep(1)
  clock.stretches.set(index, stretch)
  return stretch
}

/** Milliseconds east of UTC. */
export const offsetAt = (instant: number, zone: string): number => {
  const stretch = stretchOf(clockOf(zone), Math.floor(instant / STRETCH_MS))
  let offset = stretch.offset
  for (const transition of stretch.transitions) if (transition.at <= instant) offset = transition.after
  return offset
}

/** Every change of the clock with from ≤ at < to, in order. */
export const transitionsBetween = (zone: string, from: number, to: number): readonly Transition[] => {
  const clock = clockOf(zone)
  const found: Transition[] = []
  const last = Math.floor((to - 1) / STRETCH_MS)
  for (let index = Math.floor((from - 1) / STRETCH_MS); index <= last; index++)
    for (const transition of stretchOf(clock, index).transitions)
      if (transition.at >= from && transition.at < to) found.push(transition)
  return found
}

export const localAt = (instant: number, zone: string): LocalDateTime => {
  const wall = instant + offsetAt(instant, zone)
  const dayNo = Math.floor(wall / DAY_MS)
  const ofDay = wall - dayNo * DAY_MS
  const { year, month, day } = civilOf(dayNo)
  return {
    year,
    month,
    day,
    hour: Math.floor(ofDay / 3_600_000),
    minute: Math.floor(ofDay / 60_000) % 60,
    second: Math.floor(ofDay / 1000) % 60,
    millisecond: ofDay % 1000,
  }
}

export interface Instants {
  readonly kind: 'single' | 'gap' | 'overlap'
  /** In a gap: the local time moved later by the gap's length (Temporal's "compatible"). */
  readonly first: number
  /** Differs from `first` only in an overlap. */
  readonly last: number
  /** Length of the gap or of the repeated stretch; 0 when single. */
  readonly shiftMs: number
}

/**
 * Changes lie days apart, so at most one falls within a day of the local time: reading the clock a day before and a
 * day after gives the two offsets the local time can have. No offset exceeds 16 hours.
 */
export const instantsOf = (local: LocalDateTime, zone: string): Instants => {
  const wall =
    dayNumber(local.year, local.month, local.day) * DAY_MS +
    local.hour * 3_600_000 +
    local.minute * 60_000 +
    local.second * 1000 +
    local.millisecond
  const before = offsetAt(wall - DAY_MS, zone)
  const after = offsetAt(wall + DAY_MS, zone)
  const early = wall - before
  const late = wall - after
  if (before === after) return { kind: 'single', first: early, last: early, shiftMs: 0 }
  const existsBefore = offsetAt(early, zone) === before
  const existsAfter = offsetAt(late, zone) === after
  if (existsBefore && existsAfter) return { kind: 'overlap', first: early, last: late, shiftMs: late - early }
  if (existsBefore) return { kind: 'single', first: early, last: early, shiftMs: 0 }
  if (existsAfter) return { kind: 'single', first: late, last: late, shiftMs: 0 }
  return { kind: 'gap', first: early, last: early, shiftMs: early - late }
}
