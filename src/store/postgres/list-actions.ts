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

type Id = { readonly id: string }

const laneFits = (laneType: string, type: string | undefined): boolean =>
  type === undefined || laneType === type || laneType.startsWith(`${type}@`)

const queuedIds = async (sql: Statements, of: Tenancy, type: string | undefined): Promise<readonly Id[]> => {
  const { namespace, tenant } = of
  const known = (await sql.tenantLanes<{ lane: number; type: string }>({ namespace, tenant })).rows
  // The lane of a parked row is the negative of its own.
  const lanes = known.filter((lane) => laneFits(lane.type, type)).flatMap(({ lane }) => [lane, -lane])
  return (await sql.queuedIds<Id>({ lanes, limit: LIVE_WINDOW })).rows
}

const groupIds = async (
  sql: Statements,
  of: Tenancy,
  filter: ActionFilter,
  before: string,
  wanted: number,
) => {
  const { namespace, tenant } = of
  const group = { namespace, tenant, fingerprint: filter.fingerprint!, before, limit: wanted + 1 }
  const wants = (status: string): boolean => filter.status === undefined || filter.status === status
  const dead = wants('dead') ? (await sql.deadIdsOf<Id>(group)).rows : []
  const review = wants('review') ? (await sql.reviewIdsOf<Id>(group)).rows : []
  return [...dead, ...review].map(({ id }) => id)
}

const liveIds = async (
  sql: Statements,
  of: Tenancy,
  filter: ActionFilter,
  before: string,
  wanted: number,
): Promise<Live> => {
  const { namespace, tenant } = of
  const limit = LIVE_WINDOW
  if (filter.fingerprint !== undefined && filter.execution === undefined)
    return { ids: await groupIds(sql, of, filter, before, wanted), isCut: false }
  const wants = (status: string): boolean => filter.status === undefined || filter.status === status
  const sources: (readonly Id[])[] = []
  if (filter.execution !== undefined)
    sources.push((await sql.executionIds<Id>({ namespace, tenant, execution: filter.execution, limit })).rows)
  else {
    if (wants('queued')) sources.push(await queuedIds(sql, of, filter.type))
    if (wants('running')) sources.push((await sql.runningIds<Id>({ namespace, tenant, limit })).rows)
    if (wants('dead')) sources.push((await sql.deadIds<Id>({ namespace, tenant, limit })).rows)
    if (wants('review')) sources.push((await sql.reviewIds<Id>({ namespace, tenant, limit })).rows)
  }
  return {
    ids: sources.flat().flatMap(({ id }) => (id < before ? [id] : [])),
    isCut: sources.some((rows) => rows.length >= limit),
  }
}

const fits = (action: ActionRow, filter: ActionFilter): boolean =>
  (filter.status === undefined || (action.status === filter.status && action.archivedAt === undefined)) &&
  (filter.type === undefined || action.plan.type === filter.type) &&
  (filter.execution === undefined || action.execution === filter.execution) &&
  (filter.fingerprint === undefined || action.fingerprint === filter.fingerprint) &&
  (filter.name === undefined || action.plan.name === filter.name) &&
  (filter.tag === undefined || action.plan.tags.includes(filter.tag))

/** Live rows by their ids, newest first, read in slices as far as they are wanted. */
async function* liveRows(
  sql: Statements,
  { namespace, tenant }: Tenancy,
  live: readonly string[],
): AsyncGenerator<ActionRecord> {
  const ids = [...new Set(live)].sort((a, b) => (a < b ? 1 : -1))
  for (let from = 0; from < ids.length; from += SLICE) {
    const slice = ids.slice(from, from + SLICE)
    const { rows } = await sql.readActions<ActionRecord>({ namespace, tenant, ids: slice })
    yield* rows.toSorted((a, b) => (a.id < b.id ? 1 : -1))
  }
}

async function* doneRows(
  sql: Statements,
  { namespace, tenant }: Tenancy,
  filter: ActionFilter,
  start: string,
): AsyncGenerator<ActionRecord> {
  if (filter.status !== undefined && !DONE.includes(filter.status)) return
  for (let before = start; ; ) {
    const range = { namespace, tenant, before, limit: SLICE }
    const { execution } = filter
    const { rows } =
      execution === undefined
        ? await sql.doneBefore<ActionRecord>(range)
        : await sql.doneOfExecution<ActionRecord>({ ...range, execution })
    yield* rows
    if (rows.length < SLICE) return
    before = rows.at(-1)!.id
  }
}

/** Two sequences, each newest first, as one. */
async function* merged(
  a: AsyncGenerator<ActionRecord>,
  b: AsyncGenerator<ActionRecord>,
): AsyncGenerator<ActionRecord> {
  let [left, right] = [await a.next(), await b.next()]
  for (;;)
    if (left.done !== true && (right.done === true || left.value.id > right.value.id)) {
      yield left.value
      left = await a.next()
    } else if (right.done !== true) {
      yield right.value
      right = await b.next()
    } else return
}

export const listActions = async (
  sql: Statements,
  cursors: Cursors,
  of: Tenancy,
  filter: ActionFilter,
  { limit, after }: PageRequest,
): Promise<Page<ActionRow>> => {
  const query = ['actions', of.namespace, of.tenant, { ...filter }]
  const start = after === undefined ? NEWEST : String(cursors.read(query, after))
  const live = await liveIds(sql, of, filter, start, limit)
  const data: ActionRow[] = []
  const unreadable: string[] = []
  let looked = 0
  let last = start
  let isMore = false
  for await (const row of merged(liveRows(sql, of, live.ids), doneRows(sql, of, filter, start))) {
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
