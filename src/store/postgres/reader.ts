// Owns the read port over PostgreSQL: single rows, history, feed, counts. Lists of actions, which live in two tables,
// are in list-actions.ts. Every statement names namespace and tenant.

import type { ExecutionStatus } from '../../core/execution.ts'
import type { Cursors } from '../cursor.ts'
import type { Counts, DeadGroup, FeedRow, Page, PageRequest, Reader } from '../reader.ts'
import type { Tenancy } from '../store.ts'
import { readOr, unreadableNewest } from '../unreadable.ts'
import type { Connections } from './connections.ts'
import { listActions } from './list-actions.ts'
import { listExecutions } from './list-executions.ts'
import { type Patience, patiently } from './patience.ts'
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
import type { Statements } from './statements.ts'
import { repeatable } from './store.ts'

export const createReader = (connections: Connections, patience: Patience, cursors: Cursors): Reader => {
  const sql = repeatable(connections, patience)
  /** Several statements that must agree with each other see one moment. */
  const atOnce = <Value>(job: (sql: Statements) => Promise<Value>): Promise<Value> =>
    patiently(patience, () => connections.observe((caller) => job(caller.sql)))
  return {
    action: ({ namespace, tenant }, id) =>
      atOnce(async (sql) => {
        const key = { namespace, tenant, id }
        const [row] = (await sql.readAction<ActionRecord>(key)).rows
        if (row !== undefined) return toAction(row)
        const [done] = (await sql.readDone<ActionRecord>(key)).rows
        return done && toAction(done)
      }),
    attempts: async ({ namespace, tenant }, action) =>
      (await sql.readAttempts<AttemptRecord>({ namespace, tenant, action })).rows.map(toAttempt),
    actions: (of, filter, page) => atOnce((sql) => listActions(sql, cursors, of, filter, page)),
    execution: async ({ namespace, tenant }, id) => {
      const key = { namespaces: [namespace], tenants: [tenant], ids: [id] }
      const [row] = (await sql.readExecutions<ExecutionRecord>(key)).rows
      return row && toExecution(row)
    },
    executions: (of, filter, page) => atOnce((sql) => listExecutions(sql, cursors, of, filter, page)),
    history: (of, execution, page) => readHistory(sql, cursors, of, execution, page),
    feed: (of, after, limit) => readFeed(sql, cursors, of, after, limit),
    feedEnd: async ({ namespace, tenant }) => {
      const { xid } = (await sql.feedHorizon<{ xid: string }>()).rows[0]!
      return cursors.sign(['feed', namespace, tenant], [xid, 0])
    },
    deadGroups: (of, limit) => atOnce((sql) => readDeadGroups(sql, of, limit)),
    counts: (of) => atOnce((sql) => readCounts(sql, of)),
    definitions: async ({ namespace, tenant }, kind, id) =>
      (await sql.readDefinitions<DefinitionRecord>({ namespace, tenant })).rows
        .filter((row) => (kind === undefined || row.kind === kind) && (id === undefined || row.id === id))
        .map(toDefinition),
    pauses: async ({ namespace, tenant }) =>
      (
        await sql.readPauses<{ scope: string; value: string; reason: string; at: number }>({
          namespace,
          tenant,
        })
      ).rows,
  }
}

const readHistory = async (
  sql: Statements,
  cursors: Cursors,
  { namespace, tenant }: Tenancy,
  execution: string,
  { limit, after }: PageRequest,
): Promise<Page<ReturnType<typeof toHistory>>> => {
  const query = ['history', namespace, tenant, execution]
  const isNumber = after !== undefined && /^\d{1,9}$/.test(after)
  const from = after === undefined ? 0 : Number(isNumber ? after : cursors.read(query, after))
  const { rows } = await sql.readHistory<EventRecord>({
    namespace,
    tenant,
    execution,
    after: from,
    limit: limit + 1,
  })
  const data = rows.slice(0, limit).map(toHistory)
  return rows.length > limit ? { data, next: cursors.sign(query, data.at(-1)!.number) } : { data }
}

interface FeedRecord extends EventRecord {
  readonly xid: string
  readonly seq: number
}

/** Before every transaction. */
const OLDEST = ['0', 0] as const

const readFeed = async (
  sql: Statements,
  cursors: Cursors,
  { namespace, tenant }: Tenancy,
  after: string | undefined,
  limit: number,
): Promise<readonly FeedRow[]> => {
  const query = ['feed', namespace, tenant]
  const [xid, seq] = after === undefined ? OLDEST : (cursors.read(query, after) as [string, number])
  const { rows } = await sql.readFeed<FeedRecord>({ namespace, tenant, xid, seq, limit })
  return rows.map((row) => ({
    cursor: cursors.sign(query, [row.xid, row.seq]),
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

const readDeadGroups = async (
  sql: Statements,
  { namespace, tenant }: Tenancy,
  limit: number,
): Promise<readonly DeadGroup[]> => {
  const groups = (await sql.deadGroups<GroupRecord>({ namespace, tenant, limit })).rows
  const ids = groups.map(({ newest }) => newest)
  const { rows } = await sql.readActions<ActionRecord>({ namespace, tenant, ids })
  const byId = new Map(rows.map((row) => [row.id, row]))
  return groups.map((group) => {
    const row = byId.get(group.newest)!
    return {
      fingerprint: group.fingerprint,
      ...readOr(() => toNewest(row), unreadableNewest),
      count: group.count,
      firstAt: group.first_at,
      lastAt: group.last_at,
    }
  })
}

const readCounts = async (sql: Statements, { namespace, tenant }: Tenancy): Promise<Counts> => {
  const { rows } = await sql.readCounters<{ name: string; value: number }>({ namespace, tenant })
  const values = new Map(rows.map(({ name, value }) => [name, value]))
  const action = (name: string): number => values.get(`actions.${name}`) ?? 0
  const execution = (status: ExecutionStatus): number => values.get(`executions.${status}`) ?? 0
  const [{ count: running }] = (await sql.countRunning<{ count: number }>({ namespace, tenant }))
    .rows as readonly [{ count: number }]
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
