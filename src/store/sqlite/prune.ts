// Owns retention: one bounded slice of what is past its time, from every table that grows. Rows of the history and the feed
// are written in the order of time, so the oldest are the first ones and no index is needed to find them.

import type { Retention } from '../keeper.ts'
import type { Statements } from './statements.ts'
import { foldTallies } from './tallies.ts'

const pruneDone = (sql: Statements, before: number, limit: number): number => {
  const gone = sql.pruneDone.all<{ id: string }>({ before, limit })
  for (const { id } of gone) sql.deleteAttempts.run({ action: id })
  return gone.length
}

interface Bucket {
  readonly namespace: string
  readonly tenant: string
  readonly name: string
  readonly bucket: number
  readonly shard: number
  readonly value: number
}

/** Counts stay, their hour does not: they are added to the bucket that has none. */
const foldCounters = (sql: Statements, before: number, limit: number): number => {
  foldTallies(sql)
  const buckets = sql.oldCounters.all<Bucket>({ before, limit })
  for (const { namespace, tenant, name, bucket, shard, value } of buckets) {
    sql.deleteCounter.run({ namespace, tenant, name, bucket, shard })
    sql.bumpCounter.run({ namespace, tenant, name, bucket: 0, by: value })
  }
  return buckets.length
}

/** How many rows went; 0 when nothing is left to remove. */
export const pruneSlice = (sql: Statements, retention: Retention, limit: number): number => {
  let removed = pruneDone(sql, retention.doneBefore, limit)
  const steps = [
    (left: number) => sql.pruneEvents.run({ before: retention.eventsBefore, limit: left }),
    (left: number) => sql.pruneInbox.run({ before: retention.inboxBefore, limit: left }),
    (left: number) => sql.pruneDedup.run({ before: retention.dedupBefore, limit: left }),
    (left: number) => sql.pruneTasks.run({ before: retention.doneBefore, limit: left }),
    (left: number) => sql.pruneOutbox.run({ before: retention.doneBefore, limit: left }),
    (left: number) => sql.pruneHealth.run({ before: retention.eventsBefore, limit: left }),
    (left: number) => sql.pruneOccurrences.run({ before: retention.eventsBefore, limit: left }),
    (left: number) => sql.pruneBulkItems.run({ before: retention.doneBefore, limit: left }),
    (left: number) => sql.pruneBulks.run({ before: retention.doneBefore, limit: left }),
    (left: number) => sql.pruneAlerts.run({ before: retention.eventsBefore, limit: left }),
    (left: number) => foldCounters(sql, retention.doneBefore, left),
  ]
  for (const step of steps) if (removed < limit) removed += step(limit - removed)
  return removed
}
