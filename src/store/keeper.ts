// The housekeeping port: what workers do one at a time so that tables stay small and chains stay provable. Each call
// does one bounded slice and says whether there is more.

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

export interface Keeper {
  /** The right to one chore until a time; false when another process has it. */
  readonly take: (chore: string, worker: string, leaseMs: number) => Promise<boolean>
  /** Removes at most `limit` rows past their time, or one partition that is past it whole; false when nothing is left. */
  readonly prune: (retention: Retention, limit: number) => Promise<boolean>
  /** Partitions for this month and the next, where the store has them. */
  readonly prepare: (now: number) => Promise<void>
  /** Writes down a hash over all chain heads and the feed, so that a later look can prove both. */
  readonly checkpoint: (now: number) => Promise<Checkpoint>
  /** A restore or failover: every claim made before is fenced from now on. */
  readonly newEpoch: () => Promise<number>
}
