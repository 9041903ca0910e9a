// Owns the way a named statement is called: with an object of exactly the parameters it declares. SQL itself lives in
// sql/*.sql. Statements are prepared once per connection, except behind a pooler, where a connection is nobody's.

import type { ClientBase } from 'pg'
import { createBundles, type MakeQuery, type Reading } from './bundle.ts'
import { FRESH } from './claimed.ts'
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
  /** What was asked in this breath is waited for by what else is asked in it: it is answered as soon as it can be. */
  readonly hurry: () => void
  /** What was asked goes now: the server works on it while more is made ready. */
  readonly leave: () => void
  /** A statement by itself, whatever else is asked in this breath. */
  readonly apart: (name: StatementName, args: Arguments | undefined) => Promise<Answer<never>>
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

type Client = Pick<ClientBase, 'query'>

const run = async (client: Client, text: string): Promise<string> => {
  const answer = await client.query({ text, types: TYPES })
  const last = Array.isArray(answer) ? answer.at(-1) : answer
  return (last as { readonly command: string }).command
}

/** Over a connection that is somebody else's, or anybody's: each statement by itself, and none of them prepared. */
export const createCaller = (client: Client): Caller => {
  const call: Call = async (name, args) => {
    const { text, params } = sql[name]
    const values = params.map((param) => args![param])
    const { rows, rowCount } = await client.query({ text, values, types: TYPES })
    return { rows: rows as never[], count: rowCount ?? 0 }
  }
  return {
    isOwn: false,
    sql: statementsBy(call),
    run: (text) => run(client, text),
    hurry: () => undefined,
    leave: () => undefined,
    apart: call,
  }
}

/** Whose rows are read by the place of their columns. */
const READINGS: { readonly [Of in StatementName]?: Reading } = { claimActions: FRESH, claimedActions: FRESH }

/** Longer names are cut by the server. */
const LONGEST_NAME = 63

/** Over a connection that is ours: prepared, and what is asked together travels together. */
export const createOwnCaller = (client: Client, Query: MakeQuery): Caller => {
  const { ask, hurry, leave } = createBundles(client, Query)
  const call: Call = (name, args) => {
    const { text, params } = sql[name]
    return ask({ name, text, values: params.map((param) => args![param]), reading: READINGS[name] })
  }
  return {
    isOwn: true,
    hurry,
    leave,
    sql: statementsBy(call),
    apart: (name, args) => {
      leave()
      const answer = call(name, args)
      leave()
      return answer
    },
    run: async (text) => {
      if (text.length <= LONGEST_NAME && !text.includes(';'))
        return (await ask({ name: text, text, values: [] })).command
      leave()
      return run(client, text)
    },
  }
}
