// Owns the list of actions, newest first by id, over live rows and history as one. Live rows of a tenant are found by
// its lanes, its execution or its dead letters, as ids from an index; the history by the tenant and id. What no index
// serves (a name, a tag, a status or type of the history) narrows a bounded window, and the page says so.

import type { Cursors } from '../cursor.ts'
import type { ActionFilter, ActionRow, Page, PageRequest } from '../reader.ts'
import type { Tenancy } from '../store.ts'
import { readPage } from '../unreadable.ts'
import { type ActionRecord, toAction } from './rows.ts'
import type { Statements } from './statements.ts'

/** Live ids gathered per source: beyond them the list is no longer exact. */
const LIVE_WINDOW = 10_000
/** Rows looked at for one page. */
const WINDOW = 2000
const SLICE = 250
/** Sorts after every id. */
const NEWEST = '\u{10FFFF}'

const DONE = ['succeeded', 'cancelled', 'skipped']

interface Live {
  readonly ids: readonly string[]
  readonly isCut: boolean
}

const laneFits = (laneType: string, type: string | undefined): boolean =>
  type === undefined || laneType === type || laneType.startsWith(`${type}@`)

const liveIds = (
  sql: Statements,
  of: Tenancy,
  filter: ActionFilter,
  before: string,
  wanted: number,
): Live => {
  const { namespace, tenant } = of
  const ids: string[] = []
  let isCut = false
  const gather = (rows: readonly { readonly id: string }[], limit: number): void => {
    isCut ||= rows.length === limit && limit === LIVE_WINDOW
    for (const { id } of rows) if (id < before) ids.push(id)
  }
  const wants = (status: string): boolean => filter.status === undefined || filter.status === status
  const limit = LIVE_WINDOW
  if (filter.execution !== undefined) {
    gather(sql.executionIds.all({ namespace, tenant, execution: filter.execution, limit }), limit)
    return { ids, isCut }
  }
  if (filter.fingerprint !== undefined) {
    const group = { namespace, tenant, fingerprint: filter.fingerprint, before, limit: wanted + 1 }
    if (wants('dead')) gather(sql.deadIdsOf.all(group), wanted + 1)
    if (wants('review')) gather(sql.reviewIdsOf.all(group), wanted + 1)
    return { ids, isCut }
  }
  const lanes = sql.tenantLanes.all<{ lane: number; type: string }>({ namespace, tenant })
  if (wants('queued'))
    for (const { lane, type } of lanes)
      if (laneFits(type, filter.type))
        for (const side of [lane, -lane]) gather(sql.queuedIds.all({ lane: side, limit }), limit)
  if (wants('running')) gather(sql.runningIds.all({ namespace, tenant, limit }), limit)
  if (wants('dead')) gather(sql.deadIds.all({ namespace, tenant, limit }), limit)
  if (wants('review')) gather(sql.reviewIds.all({ namespace, tenant, limit }), limit)
  return { ids, isCut }
}

const fits = (action: ActionRow, filter: ActionFilter): boolean =>
  (filter.status === undefined || (action.status === filter.status && action.archivedAt === undefined)) &&
  (filter.type === undefined || action.plan.type === filter.type) &&
  (filter.execution === undefined || action.execution === filter.execution) &&
  (filter.fingerprint === undefined || action.fingerprint === filter.fingerprint) &&
  (filter.name === undefined || action.plan.name === filter.name) &&
  (filter.tag === undefined || action.plan.tags.includes(filter.tag))

/** Both sources as one sequence of rows, newest first. Stops when both are used up. */
function* newestFirst(
  sql: Statements,
  of: Tenancy,
  filter: ActionFilter,
  start: string,
  live: readonly string[],
): Generator<ActionRecord> {
  const { namespace, tenant } = of
  const ids = [...new Set(live)].sort((a, b) => (a < b ? 1 : -1))
  let next = 0
  function* liveAfter(id: string): Generator<ActionRecord> {
    for (; next < ids.length && ids[next]! > id; next++)
      yield sql.readAction.get<ActionRecord>({ namespace, tenant, id: ids[next]! })!
  }
  const inHistory = filter.status === undefined || DONE.includes(filter.status)
  for (let before = start, rows: readonly ActionRecord[] = []; inHistory; ) {
    const range = { namespace, tenant, before, limit: SLICE }
    rows =
      filter.execution === undefined
        ? sql.doneBefore.all(range)
        : sql.doneOfExecution.all({ ...range, execution: filter.execution })
    for (const row of rows) {
      yield* liveAfter(row.id)
      yield row
    }
    if (rows.length < SLICE) break
    before = rows.at(-1)!.id
  }
  yield* liveAfter('')
}

export const listActions = (
  sql: Statements,
  cursors: Cursors,
  of: Tenancy,
  filter: ActionFilter,
  { limit, after }: PageRequest,
): Page<ActionRow> => {
  const query = ['actions', of.namespace, of.tenant, { ...filter }]
  const start = after === undefined ? NEWEST : String(cursors.read(query, after))
  const live = liveIds(sql, of, filter, start, limit)
  const data: ActionRow[] = []
  const unreadable: string[] = []
  let looked = 0
  let last = start
  let isMore = false
  for (const row of newestFirst(sql, of, filter, start, live.ids)) {
    if (data.length === limit || looked === WINDOW) {
      isMore = true
      break
    }
    looked += 1
    last = row.id
    const read = readPage([row], toAction)
    data.push(...read.data.filter((action) => fits(action, filter)))
    unreadable.push(...(read.unreadable ?? []))
  }
  const window = looked === WINDOW ? WINDOW : LIVE_WINDOW
  return {
    data,
    ...(unreadable.length > 0 && { unreadable }),
    ...(isMore && { next: cursors.sign(query, last) }),
    ...((live.isCut || (isMore && looked === WINDOW)) && { window }),
  }
}
