// Owns reading executions with everything that belongs to them: many at once, one statement for each table, and one by one
// where they have more rows than should be in memory together.

import type { ActionPlan } from '../../core/action.ts'
import type { Execution } from '../../core/execution.ts'
import type { ExecutionFile } from '../inspect.ts'
import {
  type InboxEntryRecord,
  type InspectedExecution,
  type PlannedRow,
  type StepRecord,
  type TimerEntryRecord,
  toFile,
  toInboxEntry,
  toStep,
  toTimerEntry,
} from '../inspected.ts'
import type { ExecutionRef, Tenancy } from '../store.ts'
import { readOr } from '../unreadable.ts'
import { type EventRecord, planOf, toHistory } from './rows.ts'
import { unseal } from './sealed.ts'
import type { Statements } from './statements.ts'

export const planIn = (row: PlannedRow) => (): ActionPlan => planOf({ ...row, plan: row.plan as string })

const toLine = (row: EventRecord) =>
  readOr(
    () => toHistory(row),
    (unreadable) => ({ number: row.number!, unreadable }),
  )

export const readLines = (
  sql: Statements,
  { namespace, tenant, id }: ExecutionRef,
  after: number,
  limit: number,
): ExecutionFile['lines'] =>
  sql.readHistory.all<EventRecord>({ namespace, tenant, execution: id, after, limit }).map(toLine)

type InspectedRecord = InspectedExecution & { readonly visits: string; readonly pending: string }

/** The rows of one execution, as they are stored. */
interface Rows {
  readonly lines: ExecutionFile['lines']
  readonly steps: readonly StepRecord<string>[]
  readonly inbox: readonly InboxEntryRecord[]
  readonly timers: readonly TimerEntryRecord[]
}

const fileOf = (row: InspectedRecord, { lines, steps, inbox, timers }: Rows, most: number): ExecutionFile => {
  const snapshotOf = (): Pick<Execution, 'visits' | 'pending'> => ({
    visits: unseal(row.visits, `the visits of execution ${row.id}`),
    pending: unseal(row.pending, `the pending steps of execution ${row.id}`),
  })
  return toFile(row, snapshotOf, {
    lines,
    steps: steps.map((step) => toStep(step, planIn(step))),
    inbox: inbox.map(toInboxEntry),
    timers: timers.map(toTimerEntry),
    isCut: row.chain_number > most || [steps, inbox, timers].some((rows) => rows.length >= most),
  })
}

const readOne = (sql: Statements, row: InspectedRecord, most: number): ExecutionFile => {
  const { namespace, tenant, id } = row
  const of = { namespace, tenant, execution: id, limit: most }
  const steps = [
    ...sql.inspectLiveSteps.all<StepRecord<string>>(of),
    ...sql.inspectDoneSteps.all<StepRecord<string>>(of),
  ]
  const inbox = sql.inspectInboxOf.all<InboxEntryRecord>(of)
  const timers = sql.inspectTimersOf.all<TimerEntryRecord>(of)
  const lines = readLines(sql, row, Math.max(0, row.chain_number - most), most)
  return fileOf(row, { lines, steps, inbox, timers }, most)
}

type Of<Row> = Row & Tenancy & { readonly execution: string }

const keyOf = (namespace: string, tenant: string, id: string): string =>
  `${namespace}\u0000${tenant}\u0000${id}`

const grouped = <Row>(rows: readonly Of<Row>[]): ((ref: ExecutionRef) => readonly Row[]) => {
  const groups = Map.groupBy(rows, ({ namespace, tenant, execution }) => keyOf(namespace, tenant, execution))
  return ({ namespace, tenant, id }) => groups.get(keyOf(namespace, tenant, id)) ?? []
}

/** Rows of one table in memory at a time; the one more says that there are others. */
const TOGETHER = 20_000

/** Undefined: together they have too many rows. */
const readTogether = (
  sql: Statements,
  rows: readonly InspectedRecord[],
  refs: string,
): ((row: InspectedRecord) => Rows) | undefined => {
  const of = { refs, limit: TOGETHER + 1 }
  const lines = sql.inspectLines.all<Of<EventRecord>>(of)
  const live = sql.inspectLiveStepsOf.all<Of<StepRecord<string>>>(of)
  const done = sql.inspectDoneStepsOf.all<Of<StepRecord<string>>>(of)
  const inbox = sql.inspectInboxesOf.all<Of<InboxEntryRecord>>(of)
  const timers = sql.inspectTimersOfAll.all<Of<TimerEntryRecord>>(of)
  if (rows.length < 2 || [lines, live, done, inbox, timers].some(({ length }) => length > TOGETHER))
    return undefined
  const [linesOf, liveOf, doneOf] = [grouped(lines), grouped(live), grouped(done)]
  const [inboxOf, timersOf] = [grouped(inbox), grouped(timers)]
  return (row) => ({
    lines: linesOf(row).map(toLine),
    steps: [...liveOf(row), ...doneOf(row)],
    inbox: inboxOf(row),
    timers: timersOf(row),
  })
}

export const readFiles = (
  sql: Statements,
  refs: readonly ExecutionRef[],
  most: number,
): readonly ExecutionFile[] => {
  const named = JSON.stringify(refs.map(({ namespace, tenant, id }) => [namespace, tenant, id]))
  const rows = sql.inspectExecutions.all<InspectedRecord>({ refs: named })
  const isShort = rows.every(({ chain_number }) => chain_number <= most)
  const rowsOf = isShort ? readTogether(sql, rows, named) : undefined
  return rows.map((row) => (rowsOf === undefined ? readOne(sql, row, most) : fileOf(row, rowsOf(row), most)))
}
