// The port for how actions fare (F-100…F-102): sums per action name and hour, one row per process, which alone writes it
// and always writes the whole of it. A write that is repeated counts nothing twice, and no two processes wait for each
// other. It is a measure, not the record: that is the actions and their attempts.

import type { Tenancy } from './store.ts'

export interface Measured {
  /** Actions that ended: succeeded, dead or in review. */
  readonly ended: number
  readonly succeeded: number
  /** Those among them that took more than one attempt, and how many more. */
  readonly retried: number
  readonly retries: number
  readonly attempts: number
  /** Milliseconds, of all attempts. */
  readonly durationMs: number
  readonly cost: number
  /** How many attempts took how long, by the number of the class. */
  readonly latency: Readonly<Record<string, number>>
  /** Attempts that failed, by the type of their error. */
  readonly errors: Readonly<Record<string, number>>
}

export interface HealthRow extends Tenancy {
  readonly name: string
  readonly type: string
  /** The start of its hour. */
  readonly bucket: number
  /** The process that measured. */
  readonly writer: string
  readonly measured: Measured
}

export interface HealthQuery {
  readonly since: number
  readonly name?: string
}

export interface HealthStore {
  readonly put: (rows: readonly HealthRow[]) => Promise<void>
  /** The newest hours first. */
  readonly read: (of: Tenancy, query: HealthQuery, limit: number) => Promise<readonly HealthRow[]>
}
