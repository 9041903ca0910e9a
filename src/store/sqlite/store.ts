// Owns the write port over SQLite: each verb is one job of the writer, or one read. What a verb does is in the module
// of its name; what is wrong with a member is its result, what is wrong with the store is thrown.

import type { DatabaseSync } from 'node:sqlite'
import type { Member, Result, Store, TransactionalStore } from '../store.ts'
import { readOr } from '../unreadable.ts'
import type { Ways } from '../ways.ts'
import type { Backfill } from './backfill.ts'
import type { Ballast } from './ballast.ts'
import type { Begun } from './begun.ts'
import { claimActions, extendLeases, mayBeForgotten } from './claim.ts'
import { type Committed, commitMembers, together } from './commit.ts'
import type { Connection } from './connection.ts'
import { createDictation } from './dictation.ts'
import { createEntrance, type Entrance } from './entrance.ts'
import { memberError } from './faults.ts'
import type { Flush } from './flush.ts'
import { createGuests } from './guests.ts'
import { createHeads } from './heads.ts'
import { createLookout } from './others.ts'
import { createQueues } from './queues.ts'
import { type ExecutionRecord, toExecution } from './rows.ts'
import type { Scribe } from './scribe.ts'
import { type Part, split } from './split.ts'
import type { Statements } from './statements.ts'
import type { Watch } from './watch.ts'
import type { LaneCache } from './work.ts'
import type { Draft, Writer } from './writer.ts'

export interface StoreParts {
  readonly connection: Connection
  readonly id: string
  readonly writer: Writer
  readonly disk: Flush
  readonly backfill: Backfill
  readonly scribe: Scribe
  readonly begun: Begun
  readonly watch: Watch
  readonly ballast: Ballast
  readonly ways: Ways | undefined
  /** A row was set aside because it cannot be read. */
  readonly onWarning: (message: string) => void
}

export type SqliteStore = Store & TransactionalStore<DatabaseSync>

export const createStore = (parts: StoreParts): SqliteStore => {
  const { connection, writer, watch, ballast } = parts
  const { sql } = connection
  const lanes: LaneCache = new Map()
  const entrance = createEntrance(connection, lanes, ballast)
  const { enter } = entrance
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
    await parts.scribe.close()
    await parts.backfill.close()
    await parts.disk.close()
    closeConnection(connection.db)
  }
  return {
    id: parts.id,
    // There is one writer: two would only take turns, unless it writes one while the next one is decided, or the disk waited for.
    flights: () => (writer.isDictating() || parts.ways?.now() === 'beside' ? 2 : 1),
    claims: 1,
    commit: createCommit({ ...parts, lanes, entrance }),
    claim,
    extend,
    ...createQueues({ connection, writer, clock, onWarning: parts.onWarning }),
    load: (refs) => writer.glance(() => load(sql, refs)),
    heads: (clocks) => writer.glance(() => readHeads(clocks.now ?? clock())),
    wake: watch.listen,
    close,
    in: createGuests({ connection, lanes, enter, begun: parts.begun, watch }),
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

interface CommitParts
  extends Pick<StoreParts, 'connection' | 'writer' | 'watch' | 'scribe' | 'begun' | 'ways'> {
  readonly lanes: LaneCache
  readonly entrance: Entrance
}

/** What only moves executions can mostly be foreseen; undefined where it cannot. */
const createDraft = ({ connection, begun, lanes, entrance }: CommitParts) => {
  const dictation = createDictation(connection.sql)
  return (members: readonly Member[]): Draft<Committed> | undefined => {
    const epoch = entrance.epoch()
    if (epoch === undefined || members.some(({ advance }) => advance === undefined)) return undefined
    dictation.take()
    try {
      const mood = { full: false, isAlone: true, bundling: begun.dictate(dictation.sql) }
      const value = together(dictation.sql, lanes, mood, members)
      return { asked: { epoch, script: dictation.take() }, value }
    } catch {
      // Unforeseen, or wrong: then it is found to be so again, and told, by who writes it here. That may fail before it unfolds any.
      begun.forget()
      return undefined
    }
  }
}

const createCommit = (parts: CommitParts): Store['commit'] => {
  const { connection, writer, watch, scribe, ways, lanes, entrance } = parts
  const lookout = createLookout(connection.db, scribe)
  const draft = createDraft(parts)
  const commitPart = async ({ members, weight }: Part): Promise<readonly Result[]> => {
    const run = (isCareful: boolean): Committed => {
      const mood = { full: entrance.enter(), isCareful, isAlone: lookout() !== 'others' }
      return commitMembers(connection, lanes, mood, members)
    }
    const { results, works } = await writer.run(weight, run, () => draft(members))
    for (const work of works) {
      work.adopt()
      watch.tell(work.news())
    }
    return results
  }
  const commitParts = async (batch: readonly Member[]): Promise<readonly Result[]> => {
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
  return (batch) => {
    const arrived = ways?.depart(batch.length)
    return commitParts(batch).finally(arrived)
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
