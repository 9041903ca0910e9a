// A seeded sample of what cron-oracle-full.ts asks: some zones, some of their clock changes, some patterns; always the
// zones whose clocks are known to be hard.

import { compare, type EngineOf, type Tally, YEARS } from './cron-compare.ts'
import { changesOf, readPattern, type Span } from './cron-oracle.ts'
import { PATTERNS } from './cron-patterns.ts'

const HARD = [
  ...['America/Nuuk', 'Australia/Lord_Howe', 'Africa/Cairo', 'America/Havana', 'Africa/Casablanca'],
  ...['Antarctica/Troll', 'Asia/Beirut', 'Europe/London', 'America/New_York', 'America/St_Johns'],
]
const DAY = 86_400_000

/** Mulberry32: the same numbers from the same seed, everywhere. */
const seeded = (seed: number): (() => number) => {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export interface SampleSize {
  readonly seed: number
  readonly zones: number
  readonly patterns: number
}

/** The clock changes of one random year, or one random day for zones that have none then. */
const spansIn = (zone: string, random: () => number): readonly Span[] => {
  const from = YEARS.from + Math.floor(random() * 16) * 366 * DAY
  const changes = changesOf(zone, { from, to: from + 366 * DAY })
  const around = changes.length > 0 ? changes : [from + Math.floor(random() * 366) * DAY]
  return around.map((at) => ({ from: at - 1.1 * DAY, to: at + 1.1 * DAY })).map(wholeMinutes)
}

const wholeMinutes = ({ from, to }: Span): Span => ({
  from: Math.floor(from / 60_000) * 60_000,
  to: Math.floor(to / 60_000) * 60_000,
})

export const sample = ({ seed, zones, patterns }: SampleSize, engineOf?: EngineOf): Tally => {
  const random = seeded(seed)
  const all = Intl.supportedValuesOf('timeZone')
  const chosen = Array.from(
    { length: zones },
    (_, index) => HARD[index] ?? all[Math.floor(random() * all.length)]!,
  )
  const tallies = chosen.map((zone) => {
    const spans = spansIn(zone, random)
    const asked = Array.from({ length: patterns }, () => PATTERNS[Math.floor(random() * PATTERNS.length)]!)
    return compare(zone, asked.map(readPattern), { spans, ...(engineOf === undefined ? {} : { engineOf }) })
  })
  return {
    comparisons: tallies.reduce((sum, tally) => sum + tally.comparisons, 0),
    firings: tallies.reduce((sum, tally) => sum + tally.firings, 0),
    differences: tallies.flatMap((tally) => tally.differences),
  }
}
