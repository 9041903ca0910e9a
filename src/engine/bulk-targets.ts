// Owns the search for the actions a bulk operation is about: slice by slice behind a cursor that can be stored, so that it
// goes on after any crash. What no index serves is looked at row by row, a bounded number at a time.

import { type Bulk, matches, START, type Target } from '../core/bulk.ts'
import type { ActionRow } from '../store/reader.ts'
import type { Tenancy } from '../store/store.ts'
import type { DeadPlace, Found, TimePlace, Triage } from '../store/triage.ts'

export type Wanted = Pick<Bulk, 'kind' | 'filter' | 'group'>

export interface Slice {
  readonly rows: readonly ActionRow[]
  /** Where to go on; null: there is no more. */
  readonly cursor: string | null
}

/** Rows read at once, and looked at in one call. */
const READ = 250
const LOOK = 2000

const targetOf = (row: ActionRow): Target => ({
  id: row.id,
  type: row.plan.type,
  name: row.plan.name,
  tags: row.plan.tags,
  execution: row.execution,
  errorType: row.error?.type,
  at: row.finishedAt ?? row.dueAt,
})

/** Up to `limit` that match; possibly fewer, or none, although there is more. */
export const searchTargets = (
  triage: Triage,
  of: Tenancy,
  wanted: Wanted,
  cursor: string,
  limit: number,
): Promise<Slice> =>
  wanted.kind === 'cancel'
    ? searchQueued(triage, of, wanted, cursor, limit)
    : searchDead(triage, of, wanted, cursor, limit)

/** All that match, in slices. */
export async function* everyTarget(triage: Triage, of: Tenancy, wanted: Wanted): AsyncGenerator<Slice> {
  for (let cursor: string | null = START; cursor !== null; ) {
    const slice: Slice = await searchTargets(triage, of, wanted, cursor, READ)
    yield slice
    cursor = slice.cursor
  }
}

interface Gathered<Place> {
  readonly rows: readonly ActionRow[]
  /** Behind the last row that was looked at. */
  readonly place: Place
  readonly end: 'full' | 'looked' | 'no more'
}

const gather = async <Place>(
  read: (place: Place, limit: number) => Promise<Found<ActionRow> & { readonly last?: Place }>,
  placeOf: (row: ActionRow) => Place,
  { filter }: Wanted,
  start: Place,
  limit: number,
): Promise<Gathered<Place>> => {
  const rows: ActionRow[] = []
  let place = start
  for (let looked = 0; looked < LOOK; looked += READ) {
    const page = await read(place, READ)
    for (const row of page.rows) {
      if (rows.length === limit) return { rows, place, end: 'full' }
      place = placeOf(row)
      if (matches(filter, targetOf(row))) rows.push(row)
    }
    if (page.last === undefined) return { rows, place, end: 'no more' }
    place = page.last
  }
  return { rows, place, end: 'looked' }
}

const searchDead = async (
  triage: Triage,
  of: Tenancy,
  wanted: Wanted,
  cursor: string,
  limit: number,
): Promise<Slice> => {
  const start: DeadPlace = cursor === START ? { fingerprint: '', id: '' } : JSON.parse(cursor)
  const { rows, place, end } = await gather(
    (behind, most) => triage.dead(of, wanted.group, behind, most),
    ({ fingerprint = '', id }): DeadPlace => ({ fingerprint, id }),
    wanted,
    start,
    limit,
  )
  return { rows, cursor: end === 'no more' ? null : JSON.stringify(place) }
}

interface QueuedPlace extends TimePlace {
  readonly lane: number
}

const LANE_START: TimePlace = { at: Number.MIN_SAFE_INTEGER, id: '' }

/** Lane by lane: those of the type, and the parked ones of each. */
const searchQueued = async (
  triage: Triage,
  of: Tenancy,
  wanted: Wanted,
  cursor: string,
  limit: number,
): Promise<Slice> => {
  const from: QueuedPlace | undefined = cursor === START ? undefined : JSON.parse(cursor)
  const known = await triage.lanes(of)
  const lanes = known
    .flatMap(({ lane }) => [lane, -lane])
    .filter((lane) => from === undefined || lane >= from.lane)
    .sort((a, b) => a - b)
  const rows: ActionRow[] = []
  for (const lane of lanes) {
    const start = lane === from?.lane ? from : LANE_START
    const found = await gather(
      (behind, most) => triage.queued(of, lane, behind, most),
      ({ dueAt, id }): TimePlace => ({ at: dueAt, id }),
      wanted,
      { at: start.at, id: start.id },
      limit - rows.length,
    )
    rows.push(...found.rows)
    if (found.end !== 'no more') return { rows, cursor: JSON.stringify({ lane, ...found.place }) }
  }
  return { rows, cursor: null }
}
