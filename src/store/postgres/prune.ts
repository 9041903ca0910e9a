// Owns retention: whole months that are past their time are dropped with their partition, the rest goes in bounded
// slices. A partition that is in use is left for the next time rather than waited for: whoever waits for it would be
// waited for by every query after.

import type { Retention } from '../keeper.ts'
import type { Connections } from './connections.ts'
import { faultOf } from './faults.ts'
import {
  dropPartition,
  type Month,
  monthsOf,
  nextMonth,
  type Partitioned,
  partitionName,
  startOf,
} from './partitions.ts'
import type { Caller, Statements } from './statements.ts'
import { MOST_AT_ONCE } from './tallies.ts'

const WAIT = `set local lock_timeout = '250ms'`

/** The attempts of the actions in a partition go first: they are kept by their action, not by their own age. */
const dropAttempts = async (caller: Caller, month: Month): Promise<void> => {
  await caller.run(
    `delete from pawl.attempts t using pawl.${partitionName('actions_done', month)} d where t.action = d.id`,
  )
}

const dropMonth = async (caller: Caller, table: Partitioned, month: Month): Promise<boolean> => {
  await caller.run('begin')
  try {
    await caller.run(WAIT)
    if (table === 'actions_done') await dropAttempts(caller, month)
    await dropPartition(caller, table, month)
    await caller.run('commit')
    return true
  } catch (error) {
    await caller.run('rollback')
    if (faultOf(error) === 'again') return false
    throw error
  }
}

/** How many partitions went. */
const dropMonths = async (caller: Caller, table: Partitioned, before: number): Promise<number> => {
  const past = (await monthsOf(caller.sql, table)).filter((month) => startOf(nextMonth(month)) <= before)
  let dropped = 0
  for (const month of past) if (await dropMonth(caller, table, month)) dropped += 1
  return dropped
}

const countOf = async (answer: Promise<{ readonly rows: readonly { readonly count: number }[] }>) =>
  (await answer).rows[0]!.count

/** Fewer than that are all there were: those that come meanwhile are folded by who writes them, and nobody waits for their end. */
const foldLeft = async (sql: Statements, limit: number): Promise<number> => {
  const count = await countOf(sql.foldTallies<{ count: number }>({ limit }))
  return count < limit ? 0 : count
}

type Step = (left: number) => Promise<number>

const slices = ({ sql }: Caller, retention: Retention): readonly Step[] => {
  const { doneBefore, eventsBefore, inboxBefore, dedupBefore } = retention
  return [
    (limit) => countOf(sql.pruneDone<{ count: number }>({ before: doneBefore, limit })),
    (limit) => countOf(sql.pruneEvents<{ count: number }>({ before: eventsBefore, limit })),
    async (limit) => (await sql.pruneInbox({ before: inboxBefore, limit })).count,
    async (limit) => (await sql.pruneDedup({ before: dedupBefore, limit })).count,
    async (limit) => (await sql.pruneTasks({ before: doneBefore, limit })).count,
    async (limit) => (await sql.pruneOutbox({ before: doneBefore, limit })).count,
    async (limit) => (await sql.pruneHealth({ before: eventsBefore, limit })).count,
    async (limit) => (await sql.pruneOccurrences({ before: eventsBefore, limit })).count,
    async (limit) => (await sql.pruneBulkItems({ before: doneBefore, limit })).count,
    async (limit) => (await sql.pruneBulks({ before: doneBefore, limit })).count,
    async (limit) => (await sql.pruneAlerts({ before: eventsBefore, limit })).count,
    (limit) => countOf(sql.pruneReceipts<{ count: number }>({ limit })),
    (limit) => foldLeft(sql, Math.min(limit, MOST_AT_ONCE)),
    (limit) => countOf(sql.foldCounters<{ count: number }>({ before: doneBefore, limit })),
  ]
}

/** True when something went. */
export const pruneSlice = ({ alone }: Connections, retention: Retention, limit: number): Promise<boolean> =>
  alone(async (caller) => {
    const done = await dropMonths(caller, 'actions_done', retention.doneBefore)
    const events = await dropMonths(caller, 'events', retention.eventsBefore)
    let removed = 0
    for (const step of slices(caller, retention)) if (removed < limit) removed += await step(limit - removed)
    return removed + done + events > 0
  })
