// Owns the read port over SQLite: single rows, executions, history, feed, counts. Lists of actions, which live in two
// tables, are in list-actions.ts. Every statement names namespace and tenant.

import type { ExecutionStatus } from '../../core/execution.ts'
import type { Cursors } from '../cursor.ts'
import type { Counts, DeadGroup, FeedRow, Page, PageRequest, Reader } from '../reader.ts'
import type { Tenancy } from '../store.ts'
import { readOr, unreadableNewest } from '../unreadable.ts'
import type { Connection } from './connection.ts'
import type { Flush } from './flush.ts'
import { listActions } from './list-actions.ts'
import { listExecutions } from './list-executions.ts'
import {
  type ActionRecord,
  type AttemptRecord,
  type DefinitionRecord,
  type EventRecord,
  type ExecutionRecord,
  eventData,
  toAction,
  toAttempt,
  toDefinition,
  toExecution,
  toHistory,
  toNewest,
} from './rows.ts'
import { inSnapshot } from './snapshot.ts'
import type { Statements } from './statements.ts'
import { assertTallies } from './tallies.ts'
import type { Writer } from './writer.ts'

export interface ReaderParts {
  readonly connection: Connection
  readonly writer: Writer
  readonly disk: Flush
  readonly cursors: Cursors
}

export const createReader = ({ connection, writer, disk, cursors }: ReaderParts): Reader => {
  const { db, sql } = connection
  const atOnce = <Value>(job: () => Value): Promise<Value> => writer.read(() => inSnapshot(db, job))
  const { read } = writer
  return {
    action: ({ namespace, tenant }, id) =>
      atOnce(() => {
        const key = { namespace, tenant, id }
        const row = sql.readAction.get<ActionRecord>(key) ?? sql.readDone.get<ActionRecord>(key)
        return row && toAction(row)
      }),
    attempts: ({ namespace, tenant }, action) =>
      read(() => sql.readAttempts.all<AttemptRecord>({ namespace, tenant, action }).map(toAttempt)),
    actions: (of, filter, page) => atOnce(() => listActions(sql, cursors, of, filter, page)),
    execution: ({ namespace, tenant }, id) =>
      read(() => {
        const row = sql.readExecution.get<ExecutionRecord>({ namespace, tenant, id })
        return row && toExecution(row)
      }),
    executions: (of, filter, page) => atOnce(() => listExecutions(sql, cursors, of, filter, page)),
    history: (of, execution, page) => read(() => readHistory(sql, cursors, of, execution, page)),
    feed: async (of, after, limit) => {
      const rows = await read(() => readFeed(sql, cursors, of, after, limit))
      // A cursor may not stand for what the loss of power could still undo, and write another fact in its place.
      if (rows.length > 0) await disk.flush()
      return rows
    },
    feedEnd: async ({ namespace, tenant }) => {
      const { position } = await read(() => sql.feedPosition.get<{ position: number }>()!)
      await disk.flush()
      return cursors.sign(['feed', namespace, tenant], position)
    },
    deadGroups: (of, limit) => atOnce(() => readDeadGroups(sql, of, limit)),
    counts: (of) => atOnce(() => readCounts(sql, of)),
    definitions: ({ namespace, tenant }, kind, id) =>
      read(() =>
        sql.readDefinitions
          .all<DefinitionRecord>({ namespace, tenant })
          .filter((row) => (kind === undefined || row.kind === kind) && (id === undefined || row.id === id))
          .map(toDefinition),
      ),
    pauses: ({ namespace, tenant }) =>
      read(() =>
        sql.readPauses
          .all<{ scope: string; value: string; reason: string; at: number }>({ namespace, tenant })
          .map((row) => ({ ...row })),
      ),
  }
}

const readHistory = (
  sql: Statements,
  cursors: Cursors,
  { namespace, tenant }: Tenancy,
  execution: string,
  { limit, after }: PageRequest,
): Page<ReturnType<typeof toHistory>> => {
  const query = ['history', namespace, tenant, execution]
  const isNumber = after !== undefined && /^\d{1,15}$/.test(after)
  const from = after === undefined ? 0 : Number(isNumber ? after : cursors.read(query, after))
  const rows = sql.readHistory.all<EventRecord>({
    namespace,
    tenant,
    execution,
    after: from,
    limit: limit + 1,
  })
  const data = rows.slice(0, limit).map(toHistory)
  return rows.length > limit ? { data, next: cursors.sign(query, data.at(-1)!.number) } : { data }
}

const readFeed = (
  sql: Statements,
  cursors: Cursors,
  { namespace, tenant }: Tenancy,
  after: string | undefined,
  limit: number,
): readonly FeedRow[] => {
  const query = ['feed', namespace, tenant]
  const from = after === undefined ? 0 : Number(cursors.read(query, after))
  return sql.readFeed
    .all<EventRecord & { readonly seq: number }>({ namespace, tenant, after: from, limit })
    .map((row) => ({
      cursor: cursors.sign(query, row.seq),
      type: row.type,
      at: row.at,
      ...readOr(
        () => ({ data: eventData(row) }),
        (unreadable) => ({ data: {}, unreadable }),
      ),
      ...(row.execution !== null && { execution: row.execution }),
    }))
}

interface GroupRecord {
  readonly fingerprint: string
  readonly count: number
  readonly first_at: number
  readonly last_at: number
  readonly newest: string
}

const readDeadGroups = (sql: Statements, of: Tenancy, limit: number): readonly DeadGroup[] => {
  const { namespace, tenant } = of
  return sql.deadGroups.all<GroupRecord>({ namespace, tenant, limit }).map((group) => {
    const row = sql.readAction.get<ActionRecord>({ namespace, tenant, id: group.newest })!
    return {
      fingerprint: group.fingerprint,
      ...readOr(() => toNewest(row), unreadableNewest),
      count: group.count,
      firstAt: group.first_at,
      lastAt: group.last_at,
    }
  })
}

const readCounts = (sql: Statements, { namespace, tenant }: Tenancy): Counts => {
  assertTallies(sql)
  const rows = sql.readCounters.all<{ name: string; value: number }>({ namespace, tenant })
  const values = new Map(rows.map(({ name, value }) => [name, value]))
  const action = (name: string): number => values.get(`actions.${name}`) ?? 0
  const execution = (status: ExecutionStatus): number => values.get(`executions.${status}`) ?? 0
  const running = sql.countRunning.get<{ count: number }>({ namespace, tenant })!.count
  return {
    actions: {
      queued: action('open') - running,
      running,
      succeeded: action('succeeded'),
      dead: action('dead'),
      review: action('review'),
      cancelled: action('cancelled'),
      skipped: action('skipped'),
    },
    archived: action('archived'),
    executions: {
      active: execution('active'),
      waiting: execution('waiting'),
      paused: execution('paused'),
      completed: execution('completed'),
      failed: execution('failed'),
      cancelled: execution('cancelled'),
    },
  }
}
