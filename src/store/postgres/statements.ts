// Owns the way a named statement is called: with an object of exactly the parameters it declares. SQL itself lives in
// sql/*.sql. Statements are prepared once per connection, except behind a pooler, where a connection is nobody's.

import type { ClientBase } from 'pg'
import { TYPES } from './driver.ts'
import { sql } from './generated/sql.ts'

export type StatementName = keyof typeof sql
type Value = string | number | boolean | null | Buffer | readonly (string | number | boolean)[]
export type Args<Of extends StatementName> = Readonly<Record<(typeof sql)[Of]['params'][number], Value>>
type Given<Of extends StatementName> = (typeof sql)[Of]['params'] extends readonly [] ? [] : [args: Args<Of>]

export interface Answer<Row> {
  readonly rows: readonly Row[]
  /** How many rows it changed, or read. */
  readonly count: number
}

export type Statements = {
  readonly [Of in StatementName]: <Row = never>(...args: Given<Of>) => Promise<Answer<Row>>
}

/** A connection as the statements need it. */
export interface Caller {
  /** It is ours: rows may travel as bytes. */
  readonly isOwn: boolean
  readonly sql: Statements
  /** Text without parameters: transactions and definitions of tables. Says what the last command was. */
  readonly run: (text: string) => Promise<string>
}

type Arguments = Readonly<Record<string, Value>>
type Call = (name: StatementName, args: Arguments | undefined) => Promise<Answer<never>>

/** A statement whose name is only known when it is called. */
export const invoke = (
  sql: Statements,
  name: StatementName,
  args: Arguments | undefined,
): Promise<Answer<never>> => (sql[name] as (args?: Arguments) => Promise<Answer<never>>)(args)

/** Every statement, called in the one way given. */
export const statementsBy = (call: Call): Statements =>
  Object.fromEntries(
    (Object.keys(sql) as StatementName[]).map((name) => [name, (args?: Arguments) => call(name, args)]),
  ) as unknown as Statements

const NAMES: Readonly<Record<string, StatementName>> = Object.fromEntries(
  Object.keys(sql).map((name) => [name, name as StatementName]),
)

/** As pg has it; a caller's own client may be made otherwise. */
interface Wired {
  readonly connection?: { readonly stream?: { readonly cork?: () => void; readonly uncork?: () => void } }
}

/** What is asked in one breath leaves in one piece: each statement by itself wakes the server, and is a call of the system. */
const gatheringOn = (client: Wired): (() => void) => {
  const stream = client.connection?.stream
  let isGathering = false
  return () => {
    if (isGathering || stream?.cork === undefined) return
    isGathering = true
    stream.cork()
    void Promise.resolve().then(() => {
      isGathering = false
      stream.uncork!()
    })
  }
}

export const createCaller = (client: Pick<ClientBase, 'query'> & Wired, isPrepared: boolean): Caller => {
  const gather = gatheringOn(client)
  return {
    isOwn: isPrepared,
    sql: statementsBy(async (name, args) => {
      const { text, params } = sql[name]
      const values = params.map((param) => args![param])
      const query = { text, values, types: TYPES, ...(isPrepared && { name: NAMES[name] }) }
      gather()
      const { rows, rowCount } = await client.query(query)
      return { rows: rows as never[], count: rowCount ?? 0 }
    }),
    run: async (text) => {
      gather()
      const answer = await client.query({ text, types: TYPES })
      const last = Array.isArray(answer) ? answer.at(-1) : answer
      return (last as { readonly command: string }).command
    },
  }
}
