// Owns the write port over SQLite: each verb is one job of the writer, or one read. What a verb does is in the module
// of its name; what is wrong with a member is its result, what is wrong with the store is thrown.

import type { DatabaseSync } from 'node:sqlite'
import type { Result, Store, TransactionalStore } from '../store.ts'
import { readOr } from '../unreadable.ts'
import type { Backfill } from './backfill.ts'
import type { Ballast } from './ballast.ts'
import { claimActions, extendLeases, mayBeForgotten } from './claim.ts'
import { commitMembers } from './commit.ts'
import type { Connection } from './connection.ts'
import { createEntrance } from './entrance.ts'
import { memberError } from './faults.ts'
import type { Flush } from './flush.ts'
import { createGuests } from './guests.ts'
import { createHeads } from './heads.ts'
import { createLookout } from './others.ts'
import { createQueues } from './queues.ts'
import { type ExecutionRecord, toExecution } from './rows.ts'
import { type Part, split } from './split.ts'
import type { Statements } from './statements.ts'
import type { Watch } from './watch.ts'
import type { LaneCache } from './work.ts'
import type { Writer } from './writer.ts'

export interface StoreParts {
  readonly connection: Connection
  readonly id: string
  readonly writer: Writer
  readonly disk: Flush
  readonly backfill: Backfill
  readonly watch: Watch
  readonly ballast: Ballast
  /** A row was set aside because it cannot be read. */
  readonly onWarning: (message: string) => void
}

export type SqliteStore = Store & TransactionalStore<DatabaseSync>

export const createStore = (parts: StoreParts): SqliteStore => {
  const { connection, writer, watch, ballast } = parts
  const { sql } = connection
  const lanes: LaneCache = new Map()
  const enter = createEntrance(connection, lanes, ballast)
  const clock = (): number => sql.clock.get<{ now: number }>()!.now
  const readHeads = createHeads(sql)

  const claim: Store['claim'] = (request) =>
    writer.runAlong(
      request.batch,
      () => {
        enter()
        return claimActions(sql, request)
      },
      mayBeForgotten,
    )
  const extend: Store['extend'] = (claims, leaseMs, clocks) =>
    claims.length === 0
      ? Promise.resolve({ lost: [], cancelled: [] })
      : writer.run(claims.length, () => extendLeases(sql, claims, (clocks.lease ?? clock()) + leaseMs))
  const close: Store['close'] = async () => {
    watch.close()
    await writer.close()
    await parts.backfill.close()
    await parts.disk.close()
    closeConnection(connection.db)
  }
  return {
    id: parts.id,
    // There is one writer: two would only take turns.
    flights: 1,
    commit: createCommit({ connection, writer, watch, lanes, enter }),
    claim,
    extend,
    ...createQueues({ connection, writer, clock, onWarning: parts.onWarning }),
    load: (refs) => writer.read(() => load(sql, refs)),
    heads: (clocks) => writer.read(() => readHeads(clocks.now ?? clock())),
    wake: watch.listen,
    close,
    in: createGuests({ connection, lanes, enter, watch }),
  }
}

const load = (sql: Statements, refs: Parameters<Store['load']>[0]): Awaited<ReturnType<Store['load']>> =>
  refs.flatMap(({ namespace, tenant, id }) => {
    const row = sql.loadExecution.get<ExecutionRecord & { waiting: number }>({ namespace, tenant, id })
    if (row === undefined) return []
    const ref = { namespace, tenant, id }
    return [
      readOr(
        () => ({ ...toExecution(row), waiting: row.waiting === 1 }),
        (unreadable) => ({ ref, unreadable }),
      ),
    ]
  })

interface CommitParts extends Pick<StoreParts, 'connection' | 'writer' | 'watch'> {
  readonly lanes: LaneCache
  readonly enter: () => boolean
}

const createCommit = ({ connection, writer, watch, lanes, enter }: CommitParts): Store['commit'] => {
  const haveOthersWritten = createLookout(connection.db)
  const commitPart = async ({ members, weight }: Part): Promise<readonly Result[]> => {
    const { results, works } = await writer.run(weight, (isCareful) => {
      const mood = { full: enter(), isCareful, isAlone: !haveOthersWritten() }
      return commitMembers(connection, lanes, mood, members)
    })
    for (const work of works) {
      work.adopt()
      watch.tell(work.news())
    }
    return results
  }
  return async (batch) => {
    const results: Result[] = []
    for (const part of split(batch))
      try {
        results.push(...(await commitPart(part)))
      } catch (error) {
        if (results.length === 0) throw error
        // What came before is on disk and must be told.
        results.push(...part.members.map(() => ({ status: 'refused' as const, error: memberError(error) })))
      }
    return results
  }
}

const closeConnection = (db: DatabaseSync): void => {
  try {
    db.exec('pragma wal_checkpoint(truncate)')
  } catch {
    // Another process is reading or writing: the WAL is complete without it.
  }
  db.close()
}
