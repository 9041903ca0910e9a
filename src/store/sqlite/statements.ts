// Owns the way a named statement is called: with an object of exactly the parameters it declares, prepared once per
// connection, at its first use. SQL itself lives in sql/*.sql.

import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import { sql } from './generated/sql.ts'
import { partsOf, preparing } from './many.ts'

type Name = keyof typeof sql
type Args<Of extends Name> = Readonly<Record<(typeof sql)[Of]['params'][number], SQLInputValue>>
type Given<Of extends Name> = (typeof sql)[Of]['params'] extends readonly [] ? [] : [args: Args<Of>]

export interface Statement<Of extends Name> {
  /** How many rows it changed. `rows` is how many it must, for who only writes it down (dictation.ts). */
  readonly run: (...args: [...Given<Of>, rows?: number]) => number
  /** How many it changed in all, of one that is said of each row by its `values` (many.ts). */
  readonly list: (rows: readonly Args<Of>[]) => number
  readonly get: <Row>(...args: Given<Of>) => Row | undefined
  readonly all: <Row>(...args: Given<Of>) => readonly Row[]
  /** Lists of columns, which cost half of what objects do; read one by one, no further than they are asked for. */
  readonly each: <Row extends readonly unknown[]>(...args: Given<Of>) => Iterable<Row>
}

export type Statements = { readonly [Of in Name]: Statement<Of> }

const statement = (db: DatabaseSync, name: Name): Statement<Name> => {
  const { text, params } = sql[name]
  const ofRows = preparing(db, text)
  let listing: StatementSync | undefined
  const ready = (): StatementSync => ofRows(1)
  const lists = (): StatementSync => {
    if (listing === undefined) {
      listing = db.prepare(text)
      listing.setReturnArrays(true)
    }
    return listing
  }
  const values = (args: Readonly<Record<string, SQLInputValue>> | undefined): SQLInputValue[] =>
    params.map((param) => args![param]!)
  const list = (rows: readonly Readonly<Record<string, SQLInputValue>>[]): number => {
    let at = 0
    let changed = 0
    for (const length of partsOf(rows.length)) {
      const given: SQLInputValue[] = []
      for (const end = at + length; at < end; at++) for (const param of params) given.push(rows[at]![param]!)
      changed += Number(ofRows(length).run(...given).changes)
    }
    return changed
  }
  return {
    list,
    run: (args?) => Number(ready().run(...values(args)).changes),
    get: <Row>(args?: Args<Name>) => ready().get(...values(args)) as Row | undefined,
    all: <Row>(args?: Args<Name>) => ready().all(...values(args)) as unknown as readonly Row[],
    each: <Row extends readonly unknown[]>(args?: Args<Name>) =>
      lists().iterate(...values(args)) as unknown as Iterable<Row>,
  }
}

export const prepareStatements = (db: DatabaseSync): Statements =>
  Object.fromEntries((Object.keys(sql) as Name[]).map((name) => [name, statement(db, name)])) as Statements
