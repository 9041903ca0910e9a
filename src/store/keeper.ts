// The housekeeping port: what workers do one at a time so that tables stay small and chains stay provable. Each call
// is safe when two processes make it at once; those that remove do one bounded slice and say whether there is more.

import type { StoredExecution, Tenancy } from './store.ts'

export interface Retention {
  readonly doneBefore: number
  readonly eventsBefore: number
  /** Applied inbox ids: until then a repeated event is recognised. */
  readonly inboxBefore: number
  readonly dedupBefore: number
}

export interface Checkpoint {
  readonly at: number
  /** Executions covered, and the hash over their chain heads. */
  readonly heads: number
  readonly hash: string
}

/** Where a list of recurrences goes on. */
export interface WatchedPlace {
  readonly id: string
  readonly createdAt: number
}

/** A recurrence that is to fire again, and when its timer is due: null when there is none. */
export interface Watched extends WatchedPlace {
  readonly dueAt: number | null
  /** Absent when it cannot be read. */
  readonly stored?: StoredExecution
}

export interface Keeper {
  /** The right to one chore until a time; false when another process has it. */
  readonly take: (chore: string, worker: string, leaseMs: number) => Promise<boolean>
  /**
   * Removes what is past its time: at most `limit` rows, and on PostgreSQL beside them the partitions of months that
   * are past it as a whole, each a bounded piece of work. False when nothing is left. Safe from several processes at
   * once: a row goes once, a partition that is in use is left for the next time.
   */
  readonly prune: (retention: Retention, limit: number) => Promise<boolean>
  /** Partitions for this month and the next, where the store has them. */
  readonly prepare: (now: number) => Promise<void>
  /**
   * Writes down a hash over all chain heads and the feed, so that a later look can prove both. Reads all of it, in
   * slices that leave the process free. Of two made at once one stands, and both are told that one.
   */
  readonly checkpoint: (now: number) => Promise<Checkpoint>
  /** The next of all that have anything, in order; undefined: there is none. */
  readonly tenantAfter: (of: Tenancy) => Promise<Tenancy | undefined>
  /** Newest first: those of a tenant whose timer is due before an instant, or is not there. */
  readonly recurrences: (
    of: Tenancy,
    after: WatchedPlace | undefined,
    before: number,
    limit: number,
  ) => Promise<readonly Watched[]>
  /** The rules of time zones that next occurrences were last computed by, in the words of whoever did. */
  readonly zoneRules: () => Promise<string | undefined>
  readonly setZoneRules: (rules: string) => Promise<void>
  /** The instant a virtual clock stands at, where there is one. */
  readonly virtualNow: () => Promise<number | undefined>
  /** Moves it, never backwards. Returns where it then stands. */
  readonly setVirtualNow: (at: number) => Promise<number>
  /** A restore or failover: every claim made before is fenced from now on. */
  readonly newEpoch: () => Promise<number>
}
