// Owns what is said of an action name from what was measured (F-100, F-102): sums over processes and hours, rates that are
// never NaN, and a 95th percentile that is at most a fifth too high.

import type { HealthRow, Measured } from '../store/health.ts'

export interface ActionMetrics {
  readonly actionType: string
  /** The name of the action in its definition. */
  readonly actionId: string
  /** Actions that succeeded, died or went to review. */
  readonly totalExecutions: number
  readonly successRate: number
  /** Milliseconds of one attempt. */
  readonly averageLatency: number
  readonly p95Latency: number
  /** The share of actions that took more than one attempt. */
  readonly retryRate: number
  readonly averageRetries: number
  readonly totalCost: number
  readonly costPerExecution: number
  /** Attempts that failed, by the type of their error. */
  readonly errorTypes: Readonly<Record<string, number>>
  readonly attempts: number
}

/** Four classes for each doubling: what is told as the end of a class is at most 19 % above what it was. */
const CLASSES_PER_DOUBLING = 4

/** 0 is below a millisecond, k ends at 2^(k/4) milliseconds. */
export const classOf = (ms: number): number =>
  ms < 1 ? 0 : 1 + Math.floor(CLASSES_PER_DOUBLING * Math.log2(ms))

const endOf = (latencyClass: number): number =>
  latencyClass === 0 ? 0 : Math.round(2 ** (latencyClass / CLASSES_PER_DOUBLING))

type Sums = Readonly<Record<string, number>>

const addUp = (a: Sums, b: Sums): Sums =>
  Object.entries(b).reduce<Record<string, number>>(
    (sums, [name, count]) => {
      sums[name] = (Object.hasOwn(sums, name) ? sums[name]! : 0) + count
      return sums
    },
    { ...a },
  )

export const merge = (a: Measured, b: Measured): Measured => ({
  ended: a.ended + b.ended,
  succeeded: a.succeeded + b.succeeded,
  retried: a.retried + b.retried,
  retries: a.retries + b.retries,
  attempts: a.attempts + b.attempts,
  durationMs: a.durationMs + b.durationMs,
  cost: a.cost + b.cost,
  latency: addUp(a.latency, b.latency),
  errors: addUp(a.errors, b.errors),
})

const share = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole)

const percentile = (latency: Sums, fraction: number): number => {
  const classes = Object.entries(latency)
    .map(([name, count]) => [Number(name), count] as const)
    .sort(([a], [b]) => a - b)
  const all = classes.reduce((sum, [, count]) => sum + count, 0)
  let seen = 0
  for (const [latencyClass, count] of classes) {
    seen += count
    if (seen >= all * fraction) return endOf(latencyClass)
  }
  return 0
}

export const metricsOf = (actionId: string, actionType: string, measured: Measured): ActionMetrics => {
  const { ended, succeeded, retried, retries, attempts, durationMs, cost, latency, errors } = measured
  return {
    actionType,
    actionId,
    totalExecutions: ended,
    successRate: share(succeeded, ended),
    averageLatency: share(durationMs, attempts),
    p95Latency: percentile(latency, 0.95),
    retryRate: share(retried, ended),
    averageRetries: share(retries, ended),
    totalCost: cost,
    costPerExecution: share(cost, ended),
    errorTypes: errors,
    attempts,
  }
}

/** One line per name and type, most executions first. */
export const metricsByName = (rows: readonly HealthRow[]): readonly ActionMetrics[] => {
  const groups = new Map<string, { readonly name: string; readonly type: string; measured: Measured }>()
  for (const { name, type, measured } of rows) {
    const key = JSON.stringify([name, type])
    const before = groups.get(key)
    groups.set(key, { name, type, measured: before ? merge(before.measured, measured) : measured })
  }
  return [...groups.values()]
    .map(({ name, type, measured }) => metricsOf(name, type, measured))
    .sort((a, b) => b.totalExecutions - a.totalExecutions || (a.actionId < b.actionId ? -1 : 1))
}
