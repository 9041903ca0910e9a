// Compares a schedule with the oracle over one walk: every firing, their number, and the way back. The engine is
// given, so that a wrong one can be shown to be caught.

import { parseCron } from '../../src/core/time/cron/parse.ts'
import { cronSchedule } from '../../src/core/time/cron/schedule.ts'
import {
  changesOf,
  firingsIn,
  type OraclePattern,
  type Policy,
  type Span,
  type Walk,
  walk,
} from './cron-oracle.ts'

export const POLICIES: readonly Policy[] = (['shift', 'skip'] as const).flatMap((gap) =>
  (['first', 'last', 'both'] as const).map((overlap) => ({ gap, overlap })),
)

export interface Engine {
  readonly between: (from: number, to: number) => Iterable<number>
  readonly count: (from: number, to: number) => number
  readonly previous: (before: number) => number | undefined
}

export type EngineOf = (pattern: string, zone: string, dst: Policy) => Engine

export const ours: EngineOf = (pattern, zone, dst) => cronSchedule(parseCron(pattern), { zone, dst })

interface Difference {
  readonly zone: string
  readonly pattern: string
  readonly dst: Policy
  readonly what: string
  readonly missing: readonly string[]
  readonly extra: readonly string[]
}

export interface Tally {
  readonly comparisons: number
  readonly firings: number
  readonly differences: readonly Difference[]
}

const HOUR = 3_600_000
export const YEARS: Span = { from: Date.UTC(2024, 0, 1), to: Date.UTC(2041, 0, 1) }
/** A leap day and the end of a year, for zones whose clocks never change too. */
const ORDINARY = [Date.UTC(2028, 1, 29, 12), Date.UTC(2031, 11, 31, 20)]

/** Around every change of the clocks 2024–2040, and two ordinary days. */
export const spansOf = (zone: string): { readonly changes: number; readonly spans: readonly Span[] } => {
  const changes = changesOf(zone, YEARS)
  const spans = [...changes, ...ORDINARY].map((at) => ({ from: at - 26 * HOUR, to: at + 26 * HOUR }))
  return { changes: changes.length, spans }
}

const iso = (instants: readonly number[]): readonly string[] =>
  instants.slice(0, 3).map((instant) => new Date(instant).toISOString())

/** Walking back costs as much again, so only where there are few. */
const MAX_BACKWARDS = 60

const backwards = (engine: Engine, { from, to }: Span): readonly number[] => {
  const found: number[] = []
  for (let at = engine.previous(to); at !== undefined && at >= from; at = engine.previous(at)) found.push(at)
  return found.reverse()
}

const isSame = (a: readonly number[], b: readonly number[]): boolean =>
  a.length === b.length && a.every((instant, index) => instant === b[index])

export const compare = (
  zone: string,
  patterns: readonly OraclePattern[],
  {
    spans,
    policies = POLICIES,
    engineOf = ours,
  }: { spans: readonly Span[]; policies?: readonly Policy[]; engineOf?: EngineOf },
): Tally => {
  const differences: Difference[] = []
  let [comparisons, firings] = [0, 0]
  const engines = patterns.flatMap((pattern) =>
    policies.map((dst) => ({ pattern, dst, engine: engineOf(pattern.text, zone, dst) })),
  )
  for (const span of spans) {
    const walked: Walk = walk(zone, span)
    for (const { pattern, dst, engine } of engines) {
      const expected = firingsIn(walked, pattern, dst)
      const check = (what: string, given: readonly number[]): void => {
        if (isSame(given, expected)) return
        const [wanted, got] = [new Set(expected), new Set(given)]
        const missing = iso(expected.filter((instant) => !got.has(instant)))
        const extra = iso(given.filter((instant) => !wanted.has(instant)))
        differences.push({ zone, pattern: pattern.text, dst, what, missing, extra })
      }
      comparisons++
      firings += expected.length
      check('between', [...engine.between(span.from, span.to)])
      if (engine.count(span.from, span.to) !== expected.length) check('count', [])
      if (expected.length <= MAX_BACKWARDS) check('previous', backwards(engine, span))
    }
  }
  return { comparisons, firings, differences }
}
