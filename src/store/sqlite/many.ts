// Owns a statement for many rows: what it says of one row, the list of its `values`, is said as often as there are rows.
// Beginning and ending a statement is a fifth of what an insertion costs, and values that are bound need not be read out of JSON.
// Only a few lengths are used, so that few statements are prepared.

import type { DatabaseSync, StatementSync } from 'node:sqlite'

/** A line of history is 4.2 µs by itself, and 3 in sixteens; beyond that little is won. */
const LENGTHS = [16, 4, 1]

/** So many rows, in parts that are as long as can be. */
export function* partsOf(rows: number): Generator<number> {
  let left = rows
  for (const length of LENGTHS) for (; left >= length; left -= length) yield length
}

/** Values may be given to functions; there is nothing deeper. */
const VALUES = /\bvalues (\((?:[^()]|\([^()]*\))*\))/

/** The same of so many rows. */
export const timesOver = (text: string, rows: number): string =>
  text.replace(VALUES, (_, list: string) => `values ${Array.from({ length: rows }, () => list).join(', ')}`)

/** The statement of so many rows, prepared at its first use. */
export const preparing = (db: DatabaseSync, text: string): ((rows: number) => StatementSync) => {
  const prepared: StatementSync[] = []
  return (rows) => {
    prepared[rows] ??= db.prepare(rows === 1 ? text : timesOver(text, rows))
    return prepared[rows]
  }
}
