// Owns one page of a list whose every row belongs to it: signed cursors, one row more than asked for to know whether there
// is more, and rows that cannot be read named instead of shown.

import type { Json, JsonObject } from '../core/json.ts'
import type { Cursors } from './cursor.ts'
import type { Page, PageRequest } from './reader.ts'
import { readOr } from './unreadable.ts'

/** Behind every row, in the order of time. */
export const NEWEST = { at: Number.MAX_SAFE_INTEGER, id: '' }

interface Listing<Row, Value, Place> {
  readonly fetch: (behind: Place, limit: number) => Promise<readonly Row[]>
  readonly read: (row: Row) => Value
  readonly placeOf: (row: Row) => Place
  readonly nameOf: (row: Row) => string
  /** Before the first row. */
  readonly start: Place
}

export const page = async <Row, Value, Place extends JsonObject>(
  cursors: Cursors,
  query: Json,
  { limit, after }: PageRequest,
  { fetch, read, placeOf, nameOf, start }: Listing<Row, Value, Place>,
): Promise<Page<Value>> => {
  const behind = after === undefined ? start : (cursors.read(query, after) as unknown as Place)
  const rows = await fetch(behind, limit + 1)
  const shown = rows.slice(0, limit)
  const unreadable: string[] = []
  const data = shown.flatMap((row) =>
    readOr(
      () => [read(row)],
      () => {
        unreadable.push(nameOf(row))
        return []
      },
    ),
  )
  return {
    data,
    ...(unreadable.length > 0 && { unreadable }),
    ...(rows.length > limit && { next: cursors.sign(query, placeOf(shown.at(-1)!)) }),
  }
}
