// Owns looking at a whole SQLite store, in slices that leave the event loop free between them. Reads only; a file of an
// execution is read in one transaction that reads.

import type { Bulk } from '../../core/bulk.ts'
import type { JsonObject } from '../../core/json.ts'
import type { Inspector, Position, TenantCounters, TenantTally } from '../inspect.ts'
import {
  type AlertFactsRecord,
  type AuditFactsRecord,
  type BulkFactsRecord,
  type CoverageRecord,
  type FactsRecord,
  type HeadAtRecord,
  type LimitFactsRecord,
  numberOf,
  type OccurrenceRecord,
  type OutboxFactsRecord,
  type OwnedRecord,
  textsOf,
  toAlertFacts,
  toAuditFacts,
  toBulkFacts,
  toCoverage,
  toFacts,
  toHeadRow,
  toLimitFacts,
  toOccurrence,
  toOutboxFacts,
  toOwned,
  toToldRow,
} from '../inspected.ts'
import type { OccurrenceDetails } from '../occurrences.ts'
import type { Tenancy } from '../store.ts'
import { type CounterRecord, fromCounters, fromRows, type StatusRecord } from '../tally.ts'
import type { Timers } from '../timers.ts'
import { readOr } from '../unreadable.ts'
import { type AuditRecord, toEntry } from './audit.ts'
import type { Connection } from './connection.ts'
import { planIn, readFiles, readLines } from './inspect-files.ts'
import { type EventRecord, eventData } from './rows.ts'
import { unseal } from './sealed.ts'
import { inSnapshot } from './snapshot.ts'
import type { Statements } from './statements.ts'
import { assertTallies } from './tallies.ts'
import type { Writer } from './writer.ts'

/** The slices as they are read: at once. */
type Now<Of> = {
  readonly [Name in keyof Of]: Of[Name] extends (...args: infer Args) => Promise<infer Value>
    ? (...args: Args) => Value
    : Of[Name]
}

const tenantCounters = (sql: Statements, { namespace, tenant }: Tenancy): TenantCounters => ({
  namespace,
  tenant,
  ...fromCounters(sql.inspectCounters.all<CounterRecord>({ namespace, tenant })),
})

const readCounters = (sql: Statements, after: Position, limit: number): readonly TenantCounters[] => {
  assertTallies(sql)
  const found: TenantCounters[] = []
  const [namespace, tenant] = textsOf(after, 2)
  let last: Tenancy = { namespace: namespace!, tenant: tenant! }
  while (found.length < limit) {
    const next = sql.inspectTenant.get<Tenancy>({ namespace: last.namespace, tenant: last.tenant })
    if (next === undefined) break
    found.push(tenantCounters(sql, next))
    last = next
  }
  return found
}

/** Those in which something of people's stands. */
const TABLES = [
  ...['executions', 'actions', 'actions_done', 'attempts', 'events', 'inbox', 'timers', 'dedup', 'pauses'],
  ...['definitions', 'lanes', 'workers', 'secrets', 'store_meta'],
]

const textSlices = ({ db }: Connection): Now<Inspector>['texts'] => {
  const statements = new Map(
    TABLES.map((table) => [
      table,
      `select rowid as "at", * from ${table} where rowid > ? order by 1 limit ?`,
    ]),
  )
  return (table, after, limit) =>
    db
      .prepare(statements.get(table)!)
      .all(numberOf(after), limit)
      .map(({ at, ...row }) => ({ at: [Number(at)], text: Object.values(row).join('\n') }))
}

const ownedBy = (sql: Statements): Pick<Now<Inspector>, 'attempts' | 'events' | 'inbox' | 'timers'> => ({
  attempts: (after, limit) =>
    sql.inspectAttempts
      .all<OwnedRecord & { readonly position: number }>({ position: numberOf(after), limit })
      .map((row) => toOwned(row, [row.position])),
  events: (after, limit) =>
    sql.inspectEvents
      .all<OwnedRecord & { readonly seq: number }>({ seq: numberOf(after), limit })
      .map((row) => toOwned(row, [row.seq])),
  inbox: (after, limit) =>
    sql.inspectInbox
      .all<OwnedRecord & { readonly seq: number }>({ seq: numberOf(after), limit })
      .map((row) => toOwned(row, [row.seq])),
  timers: (after, limit) => {
    const [namespace, tenant, execution, key] = textsOf(after, 4) as [string, string, string, string]
    return sql.inspectTimers
      .all<OwnedRecord>({ namespace, tenant, execution, key, limit })
      .map((row) => toOwned(row, [row.namespace, row.tenant, row.owner!, String(row.name)]))
  },
})

const actionsOf = (sql: Statements): Pick<Now<Inspector>, 'live' | 'done'> => ({
  live: (after, limit) =>
    sql.inspectLive
      .all<FactsRecord>({ id: textsOf(after, 1)[0]!, limit })
      .map((row) => toFacts(row, true, planIn(row))),
  done: (after, limit) => {
    const [namespace, tenant, id] = textsOf(after, 3) as [string, string, string]
    return sql.inspectDone
      .all<FactsRecord>({ namespace, tenant, id, limit })
      .map((row) => toFacts(row, false, planIn(row)))
  },
})

const namedOf = (sql: Statements): Pick<Now<Inspector>, 'dedup' | 'pauses' | 'checkpoints'> => ({
  dedup: (after, limit) => {
    const [namespace, tenant, key] = textsOf(after, 3) as [string, string, string]
    type Row = Awaited<ReturnType<Inspector['dedup']>>[number] & { readonly done: number }
    return sql.inspectDedup
      .all<Row>({ namespace, tenant, key, limit })
      .map(({ done, ...row }) => ({ ...row, isDone: done === 1 }))
  },
  pauses: (after, limit) => {
    const [namespace, tenant, scope, value] = textsOf(after, 4) as [string, string, string, string]
    type Row = Awaited<ReturnType<Inspector['pauses']>>[number] & { readonly known: number }
    return sql.inspectPauses
      .all<Row>({ namespace, tenant, scope, value, limit })
      .map(({ known, ...row }) => ({ ...row, isKnown: known === 1 }))
  },
  checkpoints: (after, limit) => {
    type Row = Awaited<ReturnType<Inspector['checkpoints']>>[number] & { readonly feed_position: number }
    return sql.inspectCheckpoints
      .all<Row>({ number: numberOf(after), limit })
      .map(({ feed_position, ...row }) => ({ ...row, feedPosition: feed_position }))
  },
})

const toldBy = (sql: Statements): Pick<Now<Inspector>, 'occurrences' | 'told' | 'audit'> => ({
  occurrences: (after, limit) => {
    const [namespace, tenant, recurrence] = textsOf(after, 3) as [string, string, string]
    const at = Number(after[3] ?? 0)
    return sql.inspectOccurrences
      .all<OccurrenceRecord & { readonly details: string }>({ namespace, tenant, recurrence, at, limit })
      .map((row) =>
        toOccurrence(row, () => unseal<OccurrenceDetails>(row.details, `the occurrence ${row.at}`)),
      )
  },
  told: ({ namespace, tenant, id: recurrence }, limit) =>
    sql.recentOccurrences
      .all<OccurrenceRecord>({ namespace, tenant, recurrence, at: Number.MAX_SAFE_INTEGER, limit })
      .map(toToldRow),
  audit: (after, limit) => {
    const [namespace, tenant] = textsOf(after, 2) as [string, string]
    return sql.inspectAudit
      .all<AuditFactsRecord & AuditRecord>({ namespace, tenant, number: Number(after[2] ?? 0), limit })
      .map((row) => toAuditFacts(row, () => toEntry(row)))
  },
})

const boundBy = (sql: Statements): Pick<Now<Inspector>, 'places' | 'tasks' | 'bulkItems' | 'bulks'> => ({
  places: (after, limit) => {
    const [namespace, tenant, key, action] = textsOf(after, 4) as [string, string, string, string]
    return sql.inspectPlaces
      .all<OwnedRecord>({ namespace, tenant, key, action, limit })
      .map((row) => toOwned(row, [row.namespace, row.tenant, String(row.name), row.owner!]))
  },
  tasks: (after, limit) => {
    const [namespace, tenant, id] = textsOf(after, 3) as [string, string, string]
    return sql.inspectTasks
      .all<OwnedRecord>({ namespace, tenant, id, limit })
      .map((row) => toOwned(row, [row.namespace, row.tenant, String(row.name)]))
  },
  bulkItems: (after, limit) => {
    const [namespace, tenant, bulk, action] = textsOf(after, 4) as [string, string, string, string]
    return sql.inspectBulkItems
      .all<OwnedRecord>({ namespace, tenant, bulk, action, limit })
      .map((row) => toOwned(row, [row.namespace, row.tenant, row.owner!, String(row.name)]))
  },
  bulks: (after, limit) => {
    const [namespace, tenant, id] = textsOf(after, 3) as [string, string, string]
    return sql.inspectBulks
      .all<BulkFactsRecord & { readonly content: string }>({ namespace, tenant, id, limit })
      .map((row) => toBulkFacts(row, () => unseal<Bulk>(row.content, `bulk operation ${row.id}`)))
  },
})

const keptBy = (sql: Statements): Pick<Now<Inspector>, 'alerts' | 'outbox' | 'limits'> => ({
  alerts: (after, limit) => {
    const [namespace, tenant, id] = textsOf(after, 3) as [string, string, string]
    return sql.inspectAlerts
      .all<AlertFactsRecord & { readonly details: string }>({ namespace, tenant, id, limit })
      .map((row) => toAlertFacts(row, () => unseal<JsonObject>(row.details, `alert ${row.id}`)))
  },
  outbox: (after, limit) => {
    const [namespace, tenant, id] = textsOf(after, 3) as [string, string, string]
    return sql.inspectOutbox
      .all<OutboxFactsRecord & { readonly entry: string }>({ namespace, tenant, id, limit })
      .map((row) =>
        toOutboxFacts(row, () => unseal<JsonObject>(row.entry, `the entry ${row.id} of the outbox`)),
      )
  },
  limits: (after, limit) => {
    const [namespace, tenant, key] = textsOf(after, 3) as [string, string, string]
    return sql.inspectLimits
      .all<LimitFactsRecord & { readonly state: string }>({ namespace, tenant, key, limit })
      .map((row) => toLimitFacts(row, () => unseal<JsonObject>(row.state, `limit ${row.key}`)))
  },
})

const coveredBy = (sql: Statements): Pick<Now<Inspector>, 'coverage' | 'feed' | 'headsAt'> => ({
  coverage: () => toCoverage(sql.inspectCoverage.get<CoverageRecord>()!),
  feed: (from, upto, after, limit) =>
    sql.inspectFeed
      .all<EventRecord & Tenancy & { readonly seq: number }>({ seq: numberOf(after) || from, upto, limit })
      .map((row) => ({
        at: [row.seq],
        seq: row.seq,
        namespace: row.namespace,
        tenant: row.tenant,
        execution: row.execution,
        type: row.type,
        time: row.at,
        data: readOr(
          () => eventData(row),
          (unreadable) => ({ unreadable }),
        ),
      })),
  headsAt: (place, after, limit) => {
    const [namespace, tenant, id] = textsOf(after, 3) as [string, string, string]
    return sql.inspectHeadsAt.all<HeadAtRecord>({ namespace, tenant, id, place, limit }).map(toHeadRow)
  },
})

const readTally = (sql: Statements, of: Tenancy): TenantTally => {
  const { namespace, tenant } = of
  const key = { namespace, tenant }
  return {
    ...tenantCounters(sql, of),
    ...fromRows(
      sql.inspectLiveTally.all<StatusRecord>(key),
      sql.inspectDoneTally.all<StatusRecord>(key),
      sql.inspectExecutionTally.all<StatusRecord>(key),
    ),
  }
}

/** Each slice is read by itself. */
const apart = <Of extends Partial<Inspector>>(slices: Now<Of>, read: Writer['read']): Of =>
  Object.fromEntries(
    Object.entries(slices as Readonly<Record<string, (...args: unknown[]) => unknown>>).map(
      ([name, slice]) => [name, (...args: unknown[]) => read(() => slice(...args))],
    ),
  ) as unknown as Of

type Slices = Pick<
  Inspector,
  | 'live'
  | 'done'
  | 'attempts'
  | 'events'
  | 'inbox'
  | 'timers'
  | 'dedup'
  | 'pauses'
  | 'checkpoints'
  | 'texts'
  | 'coverage'
  | 'feed'
  | 'headsAt'
  | 'occurrences'
  | 'told'
  | 'audit'
  | 'places'
  | 'tasks'
  | 'bulkItems'
  | 'bulks'
  | 'alerts'
  | 'outbox'
  | 'limits'
>

export const createInspector = (connection: Connection, writer: Writer, timers: Timers): Inspector => {
  const { db, sql } = connection
  /** What is read at once is answered at once: without a turn the process would do nothing else until the end. */
  const read: Writer['read'] = async (job) => {
    const value = await writer.read(job)
    await timers.turn()
    return value
  }
  const atOnce = <Value>(job: () => Value): Promise<Value> => read(() => inSnapshot(db, job))
  return {
    ...apart<Slices>(
      {
        ...actionsOf(sql),
        ...ownedBy(sql),
        ...namedOf(sql),
        ...coveredBy(sql),
        ...toldBy(sql),
        ...boundBy(sql),
        ...keptBy(sql),
        texts: textSlices(connection),
      },
      read,
    ),
    tables: TABLES,
    clock: () => read(() => sql.clock.get<{ now: number }>()!.now),
    horizons: () =>
      read(() => ({ ...sql.inspectHorizons.get<Awaited<ReturnType<Inspector['horizons']>>>()! })),
    lastSeen: () => read(() => sql.inspectLastSeen.get<{ seen_at: number | null }>()!.seen_at),
    heads: (after, limit) =>
      read(() => {
        const [namespace, tenant, id] = textsOf(after, 3) as [string, string, string]
        return sql.inspectHeads.all({ namespace, tenant, id, limit })
      }),
    files: (refs, most) => atOnce(() => readFiles(sql, refs, most)),
    lines: (ref, after, limit) => read(() => readLines(sql, ref, after, limit)),
    counters: (after, limit) => atOnce(() => readCounters(sql, after, limit)),
    tally: (of) => atOnce(() => readTally(sql, of)),
  }
}
