// Owns how much is done: in a whole run, in a quick one, and in the one that only shows that every part still runs.

import type { Sizes } from './queue/queue.ts'
import type { Effort } from './rate.ts'

export interface Extent extends Sizes {
  readonly pure: Effort
  readonly rounds: number
  /** Rounds of what takes long by its nature: waiting for due times, filling stores. What takes longer still is done once. */
  readonly longRounds: number
  /** From the filling of a store to the first that is due. */
  readonly leadMs: number
  /** Executions of three steps, at least. */
  readonly executions: number
  /** Executions whose timers are due within `dueMs`. */
  readonly timers: number
  readonly recurrences: number
  /** Live actions, and finished ones, in the stores that must not become slow. */
  readonly backlog: number
  readonly tenants: number
  /** Actions processed per round in such a store: 5,000 were a fifth of a second, and the machine's own ups and downs. */
  readonly share: number
  /** Actions held in memory's measure. */
  readonly held: number
  readonly reads: number
}

export const WHOLE: Extent = {
  pure: { rounds: 11, roundMs: 100 },
  rounds: 5,
  longRounds: 3,
  one: 2000,
  leastMs: 2000,
  many: 20_000,
  long: 100_000,
  latencies: 600,
  latencyMs: 4000,
  due: 20_000,
  dueMs: 10_000,
  leadMs: 3000,
  executions: 1000,
  timers: 100_000,
  recurrences: 10_000,
  backlog: 1_000_000,
  tenants: 1000,
  share: 20_000,
  held: 50_000,
  reads: 200,
}

export const QUICK: Extent = {
  pure: { rounds: 3, roundMs: 25 },
  rounds: 1,
  longRounds: 1,
  one: 500,
  leastMs: 0,
  many: 1000,
  long: 5000,
  latencies: 30,
  latencyMs: 1000,
  due: 1000,
  dueMs: 1000,
  leadMs: 2000,
  executions: 100,
  timers: 2000,
  recurrences: 500,
  backlog: 100_000,
  tenants: 100,
  share: 1000,
  held: 2000,
  reads: 30,
}

/** Proves nothing but that it runs. */
export const TINY: Extent = {
  ...QUICK,
  pure: { rounds: 1, roundMs: 1 },
  one: 50,
  many: 50,
  long: 100,
  latencies: 5,
  due: 50,
  dueMs: 50,
  leadMs: 200,
  executions: 10,
  timers: 20,
  recurrences: 10,
  backlog: 200,
  tenants: 5,
  share: 50,
  held: 50,
  reads: 3,
}
