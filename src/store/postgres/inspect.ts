// Owns looking at a whole PostgreSQL store, in slices: one statement each, or one short transaction that can only read.

import type { ActionPlan } from '../../core/action.ts'
import type { Bulk } from '../../core/bulk.ts'
import type { Execution } from '../../core/execution.ts'
import type { JsonObject } from '../../core/json.ts'
import type { ExecutionFile, Inspector, Position, TenantCounters } from '../inspect.ts'
import {
  type AlertFactsRecord,
  type AuditFactsRecord,
  type BulkFactsRecord,
  type CoverageRecord,
  type FactsRecord,
  type HeadAtRecord,
  type InboxEntryRecord,
  type InspectedExecution,
  type LimitFactsRecord,
  numberOf,
  type OccurrenceRecord,
  type OutboxFactsRecord,
  type OwnedRecord,
  type PlannedRow,
  type StepRecord,
  type TimerEntryRecord,
  textsOf,
  toAlertFacts,
  toAuditFacts,
  toBulkFacts,
  toCoverage,
  toFacts,
  toFile,
  toHeadRow,
  toInboxEntry,
  toLimitFacts,
  toOccurrence,
  toOutboxFacts,
  toOwned,
  toStep,
  toTimerEntry,
  toToldRow,
} from '../inspected.ts'
import type { OccurrenceDetails } from '../occurrences.ts'
import type { ExecutionRef, Tenancy } from '../store.ts'
import type { StoredPlan } from '../stored-plan.ts'
import { type CounterRecord, fromCounters, fromRows, type StatusRecord } from '../tally.ts'
import { readOr } from '../unreadable.ts'
import { type AuditRecord, toEntry } from './audit.ts'
import type { Connections } from './connections.ts'
import { type Patience, patiently } from './patience.ts'
import { type EventRecord, planOf, toHistory } from './rows.ts'
import { damaged, shaped } from './shape.ts'
import { invoke, type StatementName, type Statements } from './statements.ts'

/** The beginning is before every text, and before one that is empty. */
const isFirst = (after: Position): boolean => after.length === 0

const planIn = (row: PlannedRow) => (): ActionPlan => planOf({ ...row, plan: row.plan as StoredPlan })

const toLine = (row: EventRecord) =>
  readOr(
    () => toHistory(row),
    (unreadable) => ({ number: row.number!, unreadable }),
  )

type Of<Record> = Record & Tenancy & { readonly execution: string }

const keyOf = (namespace: string, tenant: string, id: string): string =>
  JSON.stringify([namespace, tenant, id])

const byExecution = <Row>(rows: readonly Of<Row>[]): ((ref: ExecutionRef) => readonly Of<Row>[]) => {
  const groups = Map.groupBy(rows, ({ namespace, tenant, execution }) => keyOf(namespace, tenant, execution))
  return ({ namespace, tenant, id }) => groups.get(keyOf(namespace, tenant, id)) ?? []
}

type InspectedRecord = InspectedExecution & Pick<Execution, 'visits' | 'pending'>

const snapshotOf = ({ id, visits, pending }: InspectedRecord) => {
  const what = `the pending steps of execution ${id}`
  const { timers, actions } = shaped(pending, what)
  if (!Array.isArray(timers) || !Array.isArray(actions)) throw damaged(what)
  return { visits: shaped(visits, `the visits of execution ${id}`), pending }
}

const readFiles = async (
  sql: Statements,
  refs: readonly ExecutionRef[],
  most: number,
): Promise<readonly ExecutionFile[]> => {
  const keysOf = (of: readonly ExecutionRef[]) => ({
    namespaces: of.map(({ namespace }) => namespace),
    tenants: of.map(({ tenant }) => tenant),
    ids: of.map(({ id }) => id),
  })
  const { rows } = await sql.inspectExecutions<InspectedRecord>(keysOf(refs))
  const after = rows.map((row) => Math.max(0, row.chain_number - most))
  const of = { ...keysOf(rows), limit: most }
  const lines = byExecution((await sql.inspectLines<Of<EventRecord>>({ ...keysOf(rows), after })).rows)
  const live = byExecution((await sql.inspectLiveSteps<Of<StepRecord<ActionPlan>>>(of)).rows)
  const done = byExecution((await sql.inspectDoneSteps<Of<StepRecord<ActionPlan>>>(of)).rows)
  const inbox = byExecution((await sql.inspectInboxOf<Of<InboxEntryRecord>>(of)).rows)
  const timers = byExecution((await sql.inspectTimersOf<Of<TimerEntryRecord>>(of)).rows)
  return rows.map((row) => {
    const steps = [...live(row), ...done(row)]
    const isCut = [steps, inbox(row), timers(row)].some((own) => own.length >= most)
    return toFile(row, () => snapshotOf(row), {
      lines: lines(row).map(toLine),
      steps: steps.map((step) => toStep(step, planIn(step))),
      inbox: inbox(row).map(toInboxEntry),
      timers: timers(row).map(toTimerEntry),
      isCut: isCut || row.chain_number > most,
    })
  })
}

const tenantCounters = async (sql: Statements, { namespace, tenant }: Tenancy): Promise<TenantCounters> => ({
  namespace,
  tenant,
  ...fromCounters((await sql.inspectCounters<CounterRecord>({ namespace, tenant })).rows),
})

const readCounters = async (
  sql: Statements,
  after: Position,
  limit: number,
): Promise<readonly TenantCounters[]> => {
  const found: TenantCounters[] = []
  const [namespace, tenant] = textsOf(after, 2)
  let last: Tenancy = { namespace: namespace!, tenant: tenant! }
  while (found.length < limit) {
    const [next] = (await sql.inspectTenant<Tenancy>({ namespace: last.namespace, tenant: last.tenant })).rows
    if (next === undefined) break
    found.push(await tenantCounters(sql, next))
    last = next
  }
  return found
}

const readTally = async (sql: Statements, of: Tenancy): ReturnType<Inspector['tally']> => {
  const key = { namespace: of.namespace, tenant: of.tenant }
  return {
    ...(await tenantCounters(sql, of)),
    ...fromRows(
      (await sql.inspectLiveTally<StatusRecord>(key)).rows,
      (await sql.inspectDoneTally<StatusRecord>(key)).rows,
      (await sql.inspectExecutionTally<StatusRecord>(key)).rows,
    ),
  }
}

/** Those in which something of people's stands: who reads them, and by which key they are ordered. */
const TABLES: Readonly<Record<string, readonly [StatementName, ...string[]]>> = {
  executions: ['textsOfExecutions', 'namespace', 'tenant', 'id'],
  actions: ['textsOfActions', 'id'],
  actions_done: ['textsOfActionsDone', 'namespace', 'tenant', 'id'],
  attempts: ['textsOfAttempts', 'position'],
  events: ['textsOfEvents', 'xid', 'seq'],
  inbox: ['textsOfInbox', 'namespace', 'tenant', 'execution', 'event_id'],
  timers: ['textsOfTimers', 'namespace', 'tenant', 'execution', 'key'],
  dedup: ['textsOfDedup', 'namespace', 'tenant', 'key'],
  pauses: ['textsOfPauses', 'namespace', 'tenant', 'scope', 'value'],
  definitions: ['textsOfDefinitions', 'namespace', 'tenant', 'kind', 'id', 'hash'],
  lanes: ['textsOfLanes', 'lane'],
  workers: ['textsOfWorkers', 'id'],
  secrets: ['textsOfSecrets', 'namespace', 'tenant', 'name'],
  store_meta: ['textsOfStoreMeta', 'key'],
}

const NUMBERED: ReadonlySet<string> = new Set(['position', 'xid', 'seq', 'lane'])

const readTexts = async (
  sql: Statements,
  table: string,
  after: Position,
  limit: number,
): ReturnType<Inspector['texts']> => {
  const [statement, ...key] = TABLES[table]!
  const from = key.map((name, index) => [name, after[index] ?? (NUMBERED.has(name) ? 0 : '')] as const)
  const answer = await invoke(sql, statement, { ...Object.fromEntries(from), limit })
  const rows = answer.rows as readonly { readonly place: string; readonly text: string }[]
  return rows.map(({ place, text }) => ({ at: JSON.parse(place) as Position, text }))
}

const ownedBy = (sql: Statements): Pick<Inspector, 'attempts' | 'events' | 'inbox' | 'timers'> => ({
  attempts: async (after, limit) =>
    (
      await sql.inspectAttempts<OwnedRecord & { readonly position: number }>({
        position: numberOf(after),
        limit,
      })
    ).rows.map((row) => toOwned(row, [row.position])),
  events: async ([xid = 0, seq = 0], limit) =>
    (
      await sql.inspectEvents<OwnedRecord & { readonly xid: number; readonly seq: number }>({
        xid,
        seq,
        limit,
      })
    ).rows.map((row) => toOwned(row, [row.xid, row.seq])),
  inbox: async (after, limit) => {
    const [namespace, tenant, execution, event_id] = textsOf(after, 4) as [string, string, string, string]
    const { rows } = await sql.inspectInbox<OwnedRecord>({ namespace, tenant, execution, event_id, limit })
    return rows.map((row) => toOwned(row, [row.namespace, row.tenant, row.owner!, String(row.name)]))
  },
  timers: async (after, limit) => {
    const [namespace, tenant, execution, key] = textsOf(after, 4) as [string, string, string, string]
    const { rows } = await sql.inspectTimers<OwnedRecord>({ namespace, tenant, execution, key, limit })
    return rows.map((row) => toOwned(row, [row.namespace, row.tenant, row.owner!, String(row.name)]))
  },
})

const actionsOf = (sql: Statements): Pick<Inspector, 'live' | 'done'> => ({
  live: async (after, limit) =>
    (
      await sql.inspectLive<FactsRecord>({ id: textsOf(after, 1)[0]!, first: isFirst(after), limit })
    ).rows.map((row) => toFacts(row, true, planIn(row))),
  done: async (after, limit) => {
    const [namespace, tenant, id] = textsOf(after, 3) as [string, string, string]
    return (await sql.inspectDone<FactsRecord>({ namespace, tenant, id, limit })).rows.map((row) =>
      toFacts(row, false, planIn(row)),
    )
  },
})

const namedOf = (sql: Statements): Pick<Inspector, 'dedup' | 'pauses' | 'checkpoints'> => ({
  dedup: async (after, limit) => {
    const [namespace, tenant, key] = textsOf(after, 3) as [string, string, string]
    type Row = Awaited<ReturnType<Inspector['dedup']>>[number] & { readonly done: boolean }
    return (await sql.inspectDedup<Row>({ namespace, tenant, key, limit })).rows.map(({ done, ...row }) => ({
      ...row,
      isDone: done,
    }))
  },
  pauses: async (after, limit) => {
    const [namespace, tenant, scope, value] = textsOf(after, 4) as [string, string, string, string]
    type Row = Awaited<ReturnType<Inspector['pauses']>>[number] & { readonly known: boolean }
    return (await sql.inspectPauses<Row>({ namespace, tenant, scope, value, limit })).rows.map(
      ({ known, ...row }) => ({ ...row, isKnown: known }),
    )
  },
  checkpoints: async (after, limit) => {
    type Row = Awaited<ReturnType<Inspector['checkpoints']>>[number] & { readonly feed_position: number }
    return (await sql.inspectCheckpoints<Row>({ number: numberOf(after), limit })).rows.map(
      ({ feed_position, ...row }) => ({ ...row, feedPosition: feed_position }),
    )
  },
})

const toldBy = (sql: Statements): Pick<Inspector, 'occurrences' | 'told' | 'audit'> => ({
  occurrences: async (after, limit) => {
    const [namespace, tenant, recurrence] = textsOf(after, 3) as [string, string, string]
    type Row = OccurrenceRecord & { readonly details: OccurrenceDetails }
    const of = { namespace, tenant, recurrence, at: Number(after[3] ?? 0), limit }
    return (await sql.inspectOccurrences<Row>(of)).rows.map((row) =>
      toOccurrence(row, () => shaped(row.details, `the occurrence ${row.at} of ${row.recurrence}`)),
    )
  },
  told: async ({ namespace, tenant, id: recurrence }, limit) => {
    const of = { namespace, tenant, recurrence, at: Number.MAX_SAFE_INTEGER, limit }
    return (await sql.recentOccurrences<OccurrenceRecord>(of)).rows.map(toToldRow)
  },
  audit: async (after, limit) => {
    const [namespace, tenant] = textsOf(after, 2) as [string, string]
    const of = { namespace, tenant, number: Number(after[2] ?? 0), limit }
    const { rows } = await sql.inspectAudit<AuditFactsRecord & AuditRecord>(of)
    return rows.map((row) => toAuditFacts(row, () => toEntry(row)))
  },
})

const boundBy = (sql: Statements): Pick<Inspector, 'places' | 'tasks' | 'bulkItems' | 'bulks'> => ({
  places: async (after, limit) => {
    const [namespace, tenant, key, action] = textsOf(after, 4) as [string, string, string, string]
    const { rows } = await sql.inspectPlaces<OwnedRecord>({ namespace, tenant, key, action, limit })
    return rows.map((row) => toOwned(row, [row.namespace, row.tenant, String(row.name), row.owner!]))
  },
  tasks: async (after, limit) => {
    const [namespace, tenant, id] = textsOf(after, 3) as [string, string, string]
    const { rows } = await sql.inspectTasks<OwnedRecord>({ namespace, tenant, id, limit })
    return rows.map((row) => toOwned(row, [row.namespace, row.tenant, String(row.name)]))
  },
  bulkItems: async (after, limit) => {
    const [namespace, tenant, bulk, action] = textsOf(after, 4) as [string, string, string, string]
    const { rows } = await sql.inspectBulkItems<OwnedRecord>({ namespace, tenant, bulk, action, limit })
    return rows.map((row) => toOwned(row, [row.namespace, row.tenant, row.owner!, String(row.name)]))
  },
  bulks: async (after, limit) => {
    const [namespace, tenant, id] = textsOf(after, 3) as [string, string, string]
    type Row = BulkFactsRecord & { readonly content: Bulk }
    const { rows } = await sql.inspectBulks<Row>({ namespace, tenant, id, limit })
    return rows.map((row) =>
      toBulkFacts(row, () => shaped(row.content, `bulk operation ${row.id}`, ['kind'])),
    )
  },
})

const keptBy = (sql: Statements): Pick<Inspector, 'alerts' | 'outbox' | 'limits'> => ({
  alerts: async (after, limit) => {
    const [namespace, tenant, id] = textsOf(after, 3) as [string, string, string]
    type Row = AlertFactsRecord & { readonly details: JsonObject }
    const { rows } = await sql.inspectAlerts<Row>({ namespace, tenant, id, limit })
    return rows.map((row) => toAlertFacts(row, () => shaped(row.details, `alert ${row.id}`)))
  },
  outbox: async (after, limit) => {
    const [namespace, tenant, id] = textsOf(after, 3) as [string, string, string]
    type Row = OutboxFactsRecord & { readonly entry: JsonObject }
    const { rows } = await sql.inspectOutbox<Row>({ namespace, tenant, id, limit })
    return rows.map((row) =>
      toOutboxFacts(row, () => shaped(row.entry, `the entry ${row.id} of the outbox`, ['key'])),
    )
  },
  limits: async (after, limit) => {
    const [namespace, tenant, key] = textsOf(after, 3) as [string, string, string]
    type Row = LimitFactsRecord & { readonly state: JsonObject }
    const { rows } = await sql.inspectLimits<Row>({ namespace, tenant, key, limit })
    return rows.map((row) => toLimitFacts(row, () => shaped(row.state, `limit ${row.key}`)))
  },
})

interface FeedRecord extends Tenancy {
  readonly xid: string
  readonly seq: number
  readonly execution: string | null
  readonly type: string
  readonly at: number
  readonly data: JsonObject
}

const coveredBy = (sql: Statements): Pick<Inspector, 'coverage' | 'feed' | 'headsAt'> => ({
  coverage: async () => toCoverage((await sql.inspectCoverage<CoverageRecord>()).rows[0]!),
  feed: async (from, upto, [xid = from, seq = 0], limit) =>
    (
      await sql.inspectFeed<FeedRecord>({ xid: String(xid), seq: Number(seq), upto: String(upto), limit })
    ).rows.map(({ xid: place, at, data, ...row }) => ({
      ...row,
      at: [place, row.seq],
      time: at,
      data: readOr(
        () => shaped(data, `event ${row.seq}`),
        (unreadable) => ({ unreadable }),
      ),
    })),
  headsAt: async (place, after, limit) => {
    const [namespace, tenant, id] = textsOf(after, 3) as [string, string, string]
    const of = { namespace, tenant, id, place: String(place), limit }
    return (await sql.inspectHeadsAt<HeadAtRecord>(of)).rows.map(toHeadRow)
  },
})

/** Everything in a transaction that the server itself keeps from writing. */
const inspectBy = (sql: Statements): Omit<Inspector, 'tables'> => ({
  ...actionsOf(sql),
  ...ownedBy(sql),
  ...namedOf(sql),
  ...coveredBy(sql),
  ...toldBy(sql),
  ...boundBy(sql),
  ...keptBy(sql),
  clock: async () => (await sql.clock<{ now: number }>()).rows[0]!.now,
  horizons: async () => (await sql.inspectHorizons<Awaited<ReturnType<Inspector['horizons']>>>()).rows[0]!,
  lastSeen: async () => (await sql.inspectLastSeen<{ seen_at: number | null }>()).rows[0]!.seen_at,
  heads: async (after, limit) => {
    const [namespace, tenant, id] = textsOf(after, 3) as [string, string, string]
    type Row = Awaited<ReturnType<Inspector['heads']>>[number]
    return (await sql.inspectHeads<Row>({ namespace, tenant, id, first: isFirst(after), limit })).rows
  },
  files: (refs, most) => readFiles(sql, refs, most),
  lines: async ({ namespace, tenant, id }, after, limit) =>
    (await sql.readHistory<EventRecord>({ namespace, tenant, execution: id, after, limit })).rows.map(toLine),
  counters: (after, limit) => readCounters(sql, after, limit),
  tally: (of) => readTally(sql, of),
  texts: (table, after, limit) => readTexts(sql, table, after, limit),
})

export const createInspector = (connections: Connections, patience: Patience): Inspector => {
  type Slices = ReturnType<typeof inspectBy>
  type Call = (...given: readonly unknown[]) => Promise<unknown>
  const observed = (name: keyof Slices): Call => {
    return (...args) =>
      patiently(patience, () => connections.observe(({ sql }) => (inspectBy(sql)[name] as Call)(...args)))
  }
  const names = Object.keys(inspectBy({} as Statements)) as (keyof Slices)[]
  return {
    ...(Object.fromEntries(names.map((name) => [name, observed(name)])) as unknown as Slices),
    tables: Object.keys(TABLES),
  }
}
