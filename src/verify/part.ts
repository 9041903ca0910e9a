// Owns going through one table: slice by slice, every row judged, and every finding looked at a second time before it is
// told. Rows change under a running engine; what is wrong stays wrong.

import type { Position } from '../store/inspect.ts'
import { type Finding, keyOf } from './finding.ts'

export interface Slice {
  readonly rows: number
  readonly findings: readonly Finding[]
  /** Where the next slice begins; absent: there is none. */
  readonly next?: Position
}

/** One table, or one question, to go through. */
export interface Part {
  readonly name: string
  readonly slice: (after: Position, limit: number) => Promise<Slice>
}

interface Read<Row> {
  readonly rows: readonly Row[]
  readonly next?: Position
}

export interface PartOptions<Row> {
  readonly name: string
  readonly read: (after: Position, limit: number) => Promise<Read<Row>>
  /** The same row as it is now; undefined: it is gone. */
  readonly again: (row: Row, before: Position) => Promise<Row | undefined>
  readonly at: (row: Row) => Position
  readonly check: (row: Row) => readonly Finding[] | Promise<readonly Finding[]>
  readonly onRow?: (row: Row) => void
}

export const createPart = <Row>(options: PartOptions<Row>): Part => {
  const { name, read, again, at, check, onRow } = options
  /** What is found both times. */
  const confirmed = async (row: Row, before: Position): Promise<readonly Finding[]> => {
    const first = await check(row)
    if (first.length === 0) return first
    const now = await again(row, before)
    const second = new Set(now === undefined ? [] : (await check(now)).map(keyOf))
    return first.filter((found) => second.has(keyOf(found)))
  }
  return {
    name,
    slice: async (after, limit) => {
      const { rows, next } = await read(after, limit)
      const findings: Finding[] = []
      let before = after
      for (const row of rows) {
        onRow?.(row)
        findings.push(...(await confirmed(row, before)))
        before = at(row)
      }
      return { rows: rows.length, findings, ...(next && { next }) }
    },
  }
}

/** Rows that came between two looks may stand before the one that is looked for. */
const NEAR = 50

/** Most tables are read in the order of their keys, and a row is found again after the one before it. */
export const createTable = <Row>(
  options: Omit<PartOptions<Row>, 'read' | 'again'> & {
    readonly read: (after: Position, limit: number) => Promise<readonly Row[]>
  },
): Part => {
  const { at, read } = options
  const placeOf = (row: Row): string => JSON.stringify(at(row))
  return createPart({
    ...options,
    read: async (after, limit) => {
      const rows = await read(after, limit)
      const last = rows.at(-1)
      return last !== undefined && rows.length === limit ? { rows, next: at(last) } : { rows }
    },
    again: async (row, before) => (await read(before, NEAR)).find((other) => placeOf(other) === placeOf(row)),
  })
}
