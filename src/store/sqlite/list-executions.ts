// Owns the list of executions: newest first, by the index of the most telling filter. Filters beside that one narrow the
// rows it yields, up to a bound per page; then the page says so and its cursor goes on from there.

import type { Cursors } from '../cursor.ts'
import type { ExecutionFilter, Page, PageRequest } from '../reader.ts'
import type { StoredExecution, Tenancy } from '../store.ts'
import { readPage } from '../unreadable.ts'
import { type ExecutionRecord, toExecution } from './rows.ts'
import type { Statements } from './statements.ts'

const WINDOW = 2000
const SLICE = 250
/** The same where SQLite narrows by itself: some 20 ms. */
const WIDE_WINDOW = 20_000

interface Position {
  readonly created_at: number
  readonly id: string
}

/** Sorts after every instant. */
const NEWEST: Position = { created_at: Number.MAX_SAFE_INTEGER, id: '' }

/** Those without an index of their own, or every execution that ends well would pay for it: what is recent is mostly one of them. */
const isCommon = (status: string): boolean => status === 'active' || status === 'completed'

type Fetch = (from: Position, limit: number) => readonly ExecutionRecord[]

const fetcher = (sql: Statements, { namespace, tenant }: Tenancy, filter: ExecutionFilter): Fetch => {
  const by =
    (value: string, statement: Statements['executionsOfStanding']): Fetch =>
    ({ created_at, id }, limit) =>
      statement.all({ namespace, tenant, value, created_at, id, limit })
  if (filter.definition !== undefined) return by(filter.definition, sql.executionsOfDefinition)
  if (filter.kind === 'recurrence')
    return ({ created_at, id }, limit) =>
      sql.recentRecurrences.all({ namespace, tenant, created_at, id, limit })
  if (filter.status !== undefined && !isCommon(filter.status))
    return by(filter.status, sql.executionsOfStanding)
  return ({ created_at, id }, limit) => sql.recentExecutions.all({ namespace, tenant, created_at, id, limit })
}

const fits = (row: ExecutionRecord, { kind, definition, status, state }: ExecutionFilter): boolean =>
  (kind === undefined || row.kind === kind) &&
  (definition === undefined || row.definition === definition) &&
  (status === undefined || row.status === status) &&
  (state === undefined || row.state === state)

interface Found {
  readonly found: readonly ExecutionRecord[]
  readonly end: Position | undefined
  readonly isCut: boolean
}

/** At most as many rows as asked for; `end` is where the search stopped, undefined when there is no more. */
const search = (fetch: Fetch, filter: ExecutionFilter, start: Position, wanted: number): Found => {
  const found: ExecutionRecord[] = []
  let from = start
  for (let looked = 0; looked < WINDOW; looked += SLICE) {
    const rows = fetch(from, SLICE)
    for (const row of rows) {
      if (found.length === wanted) return { found, end: from, isCut: false }
      from = row
      if (fits(row, filter)) found.push(row)
    }
    if (rows.length < SLICE) return { found, end: undefined, isCut: false }
  }
  return { found, end: from, isCut: true }
}

/** The same for a status that many have, narrowed by SQLite. */
const searchCommon = (
  sql: Statements,
  { namespace, tenant }: Tenancy,
  value: string,
  from: Position,
  wanted: number,
): Found => {
  const place = { namespace, tenant, created_at: from.created_at, id: from.id }
  const window = WIDE_WINDOW
  const rows = sql.recentOfStatus.all<ExecutionRecord>({ ...place, value, window, limit: wanted + 1 })
  const found = rows.slice(0, wanted)
  if (rows.length > wanted) return { found, end: found.at(-1), isCut: false }
  const end = sql.recentEnd.get<Position>({ ...place, before: window - 1 })
  return { found, end, isCut: end !== undefined }
}

export const listExecutions = (
  sql: Statements,
  cursors: Cursors,
  of: Tenancy,
  filter: ExecutionFilter,
  { limit, after }: PageRequest,
): Page<StoredExecution> => {
  const query = ['executions', of.namespace, of.tenant, { ...filter }]
  const start = after === undefined ? NEWEST : (cursors.read(query, after) as unknown as Position)
  const { status, ...others } = filter
  const isAlone = Object.values(others).every((value) => value === undefined)
  const isPlain = status !== undefined && isCommon(status) && isAlone
  const { found, end, isCut } = isPlain
    ? searchCommon(sql, of, status, start, limit)
    : search(fetcher(sql, of, filter), filter, start, limit)
  const page = readPage(found, toExecution)
  if (end === undefined) return page
  const next = cursors.sign(query, { created_at: end.created_at, id: end.id })
  return isCut ? { ...page, next, window: isPlain ? WIDE_WINDOW : WINDOW } : { ...page, next }
}
