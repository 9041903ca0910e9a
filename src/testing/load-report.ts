// Owns what a load test came to: counts, rates and the latencies that people ask for. Pure.

import type { ActionView } from '../pawl/views.ts'
import type { LoadTestPlan } from './load-plan.ts'

/** One action, from the asking to its end. */
export interface Sample {
  readonly scenario: string
  readonly endedAt: number
  readonly latency: number
  readonly action: Pick<ActionView, 'status' | 'attempt' | 'attempts' | 'error'>
}

export interface Tally {
  readonly ended: number
  readonly succeeded: number
}

export interface LoadReport extends Tally {
  readonly actionId: string
  /** Ended otherwise than succeeded. */
  readonly failed: number
  /** Still under way when patience was over. */
  readonly unfinished: number
  readonly attempts: number
  /** Milliseconds on the Pawl's clock, like the latencies. */
  readonly elapsed: number
  /** Ended actions a second. */
  readonly throughput: number
  readonly latency: { readonly p50: number; readonly p95: number; readonly p99: number; readonly max: number }
  /** Of every attempt that failed, by the type of its error. */
  readonly errors: Readonly<Record<string, number>>
  readonly scenarios: Readonly<Record<string, Tally>>
}

/** The nearest rank: a latency that somebody really had. 0 where nobody had any. */
const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0

const countBy = (words: readonly string[]): Readonly<Record<string, number>> => {
  const counts = new Map<string, number>()
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  return Object.fromEntries([...counts].toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

const tally = (samples: readonly Sample[]): Tally => ({
  ended: samples.length,
  succeeded: samples.filter(({ action }) => action.status === 'succeeded').length,
})

export const sumUp = (
  { actionId, scenarios }: Pick<LoadTestPlan, 'actionId' | 'scenarios'>,
  samples: readonly Sample[],
  unfinished: number,
  elapsed: number,
): LoadReport => {
  const latencies = samples.map(({ latency }) => latency).toSorted((a, b) => a - b)
  const all = tally(samples)
  const errors = samples.flatMap(({ action }) =>
    action.attempts.flatMap(({ outcome, error }) =>
      outcome === 'succeeded' ? [] : [error?.type ?? outcome],
    ),
  )
  return {
    actionId,
    ...all,
    failed: all.ended - all.succeeded,
    unfinished,
    attempts: samples.reduce((sum, { action }) => sum + action.attempt, 0),
    elapsed,
    throughput: elapsed > 0 ? (all.ended * 1000) / elapsed : 0,
    latency: {
      p50: percentile(latencies, 0.5),
      p95: percentile(latencies, 0.95),
      p99: percentile(latencies, 0.99),
      max: percentile(latencies, 1),
    },
    errors: countBy(errors),
    scenarios: Object.fromEntries(
      scenarios.map(({ name }) => [name, tally(samples.filter(({ scenario }) => scenario === name))]),
    ),
  }
}
