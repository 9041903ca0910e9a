// Owns a page of rows that one index gives and further filters narrow: it looks at a bounded number of rows, then the page
// says so and its cursor goes on from there.

import type { Json } from '../core/json.ts'
import type { Cursors } from './cursor.ts'
import type { Page, PageRequest } from './reader.ts'
import { readPage } from './unreadable.ts'

const WINDOW = 2000
const SLICE = 250

/** Where a row stands in its list, newest first. */
export interface Position {
  readonly at: number
  readonly id: string
}

/** Sorts after every instant. */
const NEWEST: Position = { at: Number.MAX_SAFE_INTEGER, id: '' }

export interface Narrowing<Row, Value> {
  /** Names everything that must be the same on the next page. */
  readonly query: Json
  readonly cursors: Cursors
  /** Rows behind a position, in the order of the list. */
  readonly fetch: (behind: Position, limit: number) => Promise<readonly Row[]>
  readonly fits: (row: Row) => boolean
  readonly read: (row: Row) => Value
}

interface Search<Row> {
  readonly found: readonly Row[]
  /** Where it stopped; undefined: there is no more. */
  readonly end: Position | undefined
  readonly isCut: boolean
}

const search = async <Row extends Position>(
  { fetch, fits }: Pick<Narrowing<Row, unknown>, 'fetch' | 'fits'>,
  start: Position,
  wanted: number,
): Promise<Search<Row>> => {
  const found: Row[] = []
  let from = start
  for (let looked = 0; looked < WINDOW; looked += SLICE) {
    const rows = await fetch(from, SLICE)
    for (const row of rows) {
      if (found.length === wanted) return { found, end: from, isCut: false }
      from = row
      if (fits(row)) found.push(row)
    }
    if (rows.length < SLICE) return { found, end: undefined, isCut: false }
  }
  return { found, end: from, isCut: true }
}

export const narrow = async <Row extends Position, Value>(
  narrowing: Narrowing<Row, Value>,
  { limit, after }: PageRequest,
): Promise<Page<Value>> => {
  const { query, cursors, read } = narrowing
  const start = after === undefined ? NEWEST : (cursors.read(query, after) as unknown as Position)
  const { found, end, isCut } = await search(narrowing, start, limit)
  const page = readPage(found, read)
  if (end === undefined) return page
  const next = cursors.sign(query, { at: end.at, id: end.id })
  return isCut ? { ...page, next, window: WINDOW } : { ...page, next }
}
