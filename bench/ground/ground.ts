// Owns what a store is to the bench: where a new one is, what its counters say, and plain SQL beside the engine, with which
// rows that the engine wrote are copied by the hundred thousand.

import type { Readings } from '../figure.ts'

export type Row = Readonly<Record<string, unknown>>

export type Pair = readonly [id: string, text: string]
export type Transaction = (given: readonly Pair[]) => Promise<readonly Row[]>

/** A connection of the bench's own. */
export interface Sql {
  readonly query: (text: string, values?: readonly unknown[]) => Promise<readonly Row[]>
  /** As statements write it. */
  readonly table: (name: string) => string
  readonly tables: () => Promise<readonly string[]>
  /** Those that are written; not what the database computes. */
  readonly columns: (table: string) => Promise<readonly string[]>
  /** A source of rows with a column `n` from `from` to `to`, for a `from` clause. */
  readonly series: (from: number, to: number) => string
  /** `n` as text of 26 digits. */
  readonly padded: string
  /** The database's clock in milliseconds. */
  readonly now: string
  /** SQL of a text that goes into a column of JSON, and such a column as it is read. */
  readonly json: (text: string) => string
  readonly text: (value: unknown) => string
  /** A source of rows (id, text) that are given, for a `from` clause. */
  readonly given: string
  /** One transaction over some statements that may use `given`; answers the rows of the last. Prepared once. */
  readonly transact: (...texts: readonly string[]) => Transaction
  readonly close: () => Promise<unknown>
}

export interface Ground {
  readonly kind: 'sqlite' | 'postgres'
  /** As in "PostgreSQL 18.4". */
  readonly name: string
  /** When a commit of ours is believed. */
  readonly durable: string
  /** The URL of a new, empty store. */
  readonly fresh: () => Promise<string>
  /** One that is not needed any more. */
  readonly drop: (store: string) => Promise<unknown>
  readonly sql: (store: string) => Promise<Sql>
  /** Counters that only grow. */
  readonly meter: (store: string) => Promise<Readings>
  readonly stop: () => Promise<unknown>
}

interface Copies {
  readonly table: string
  /** Which rows are copied. */
  readonly where: string
  /** For each row of this. */
  readonly source: string
  /** SQL over the row `e` that is copied and the source, by column. */
  readonly set: Readonly<Record<string, string>>
  /** In which order they are written. */
  readonly order?: string
}

/** The statement that writes each row that fits again for each row of the source. */
export const copying = async (sql: Sql, { table, where, source, set, order }: Copies): Promise<string> => {
  const columns = await sql.columns(table)
  const values = columns.map((name) => set[name] ?? `e.${name}`)
  const name = sql.table(table)
  return `insert into ${name} (${columns.join(', ')}) select ${values.join(', ')}
    from (select * from ${name} where ${where}) e, ${source}${order === undefined ? '' : ` order by ${order}`}`
}

export const countRows = async (sql: Sql, table: string, where = 'true'): Promise<number> => {
  const [row] = await sql.query(`select count(*) as n from ${sql.table(table)} where ${where}`)
  return Number(row!['n'])
}

/** What a run cost, by what the counters say before and after. */
export const metered = (before: Readings, after: Readings, count: number): Readings =>
  Object.fromEntries(
    Object.entries(after).map(([name, value]) => [name, (value - (before[name] ?? 0)) / count]),
  )
