// Owns reading a store by SQL, past all of its ports: what the judge holds against what clients were told and what the
// receiver saw.

import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import type { JsonObject } from '../../src/core/json.ts'
import type { Ending, Op } from './part.ts'

export interface ExecutionFact {
  readonly id: string
  readonly definition: string
  readonly status: string
  readonly state: string | null
  readonly chain_number: number
  readonly chain_hash: string
}

/** One line of the history of an execution, or of the feed alone when it has no number. */
export interface LineFact {
  readonly execution: string | null
  readonly number: number | null
  readonly type: string
  readonly at: number
  readonly prev_hash: string | null
  readonly hash: string | null
  readonly data: JsonObject
}

export interface ActionFact {
  readonly id: string
  readonly execution: string | null
  readonly status: string
  readonly attempt: number
  readonly reaps: number
  readonly plan: {
    readonly stepKey: string
    readonly delivery: string
    readonly config: { readonly body: { readonly me: string; readonly what: string } }
  }
}

export interface OccurrenceFact {
  readonly recurrence: string
  readonly at: number
  readonly fate: string
  readonly action: string | undefined
}

export interface CallFact {
  readonly key: string
  readonly path: string
  readonly body: string
}

/** What the store holds. */
export interface Stored {
  readonly executions: readonly ExecutionFact[]
  readonly lines: readonly LineFact[]
  readonly open: readonly ActionFact[]
  readonly ended: readonly ActionFact[]
  readonly inbox: readonly {
    readonly execution: string
    readonly event_id: string
    readonly isApplied: boolean
  }[]
  readonly occurrences: readonly OccurrenceFact[]
  readonly timers: readonly { readonly execution: string; readonly key: string }[]
  readonly counters: readonly { readonly name: string; readonly value: number }[]
}

export interface Evidence extends Stored {
  /** Operations that were answered. */
  readonly accepted: readonly Op[]
  readonly endings: readonly Ending[]
  readonly calls: readonly CallFact[]
}

type Row = Readonly<Record<string, unknown>>
type Query = (sql: string) => Promise<readonly Row[]>

const ACTION = 'id, execution, status, attempt, reaps, plan'

const OCCURRENCE = 'select recurrence, cast(at as double precision) as at, fate, details from occurrences'

/** What is counted, row by row. A part of it stands in tallies, and on PostgreSQL on receipts, too. */
const COUNTED = 'select name, value from counters'
const COUNTED_ON_SQLITE = `${COUNTED} union all
  select n.key, n.value from tallies t, json_each(substr(t.counts, 9)) c, json_each(c.value, '$[3]') n`
const COUNTED_ON_POSTGRES = `${COUNTED} union all
  select n ->> 2, (n ->> 4)::bigint from receipts cross join json_array_elements(counts) as n
  union all select name, amount from tallies cross join unnest(names, amounts) as w (name, amount)`

const readAll = async (query: Query, parse: (json: unknown) => unknown, counted: string): Promise<Stored> => {
  const actions = async (table: string) =>
    (await query(`select ${ACTION} from ${table}`)).map((row) => ({
      ...row,
      // A step that is called by the id of its row is not named in the plan.
      plan: { stepKey: row['id'], ...(parse(row['plan']) as object) },
    })) as unknown as readonly ActionFact[]
  const [executions, lines, inbox] = [
    await query('select id, definition, status, state, chain_number, chain_hash from executions'),
    await query(
      'select execution, number, type, cast(at as double precision) as at, prev_hash, hash, data from events order by execution, number, seq',
    ),
    await query('select execution, event_id, applied_at from inbox'),
  ]
  return {
    executions: executions as unknown as Stored['executions'],
    lines: lines.map((row) => ({ ...row, data: parse(row['data']) })) as unknown as Stored['lines'],
    open: await actions('actions'),
    ended: await actions('actions_done'),
    inbox: inbox.map((row) => ({
      execution: String(row['execution']),
      event_id: String(row['event_id']),
      isApplied: row['applied_at'] !== null,
    })),
    occurrences: (await query(OCCURRENCE)).map(({ details, ...row }) => ({
      ...(row as unknown as Omit<OccurrenceFact, 'action'>),
      action: (parse(details) as Partial<OccurrenceFact>).action,
    })),
    timers: (await query('select execution, key from timers')) as unknown as Stored['timers'],
    counters: (await query(
      `select name, cast(sum(value) as double precision) as value from (${counted}) c group by name`,
    )) as unknown as Stored['counters'],
  }
}

/** Texts of SQLite begin with their checksum. */
const CHECKSUM = 8

const readSqlite = async (file: string): Promise<Stored> => {
  const db = new DatabaseSync(file)
  try {
    return await readAll(
      async (sql) => db.prepare(sql).all(),
      (text) => JSON.parse(String(text).slice(CHECKSUM)),
      COUNTED_ON_SQLITE,
    )
  } finally {
    db.close()
  }
}

const readPostgres = async (url: string): Promise<Stored> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query('set search_path to pawl')
    return await readAll(
      async (sql) => (await client.query(sql)).rows,
      (json) => json,
      COUNTED_ON_POSTGRES,
    )
  } finally {
    await client.end()
  }
}

export const readStore = (url: string): Promise<Stored> =>
  url.startsWith('sqlite:') ? readSqlite(url.slice('sqlite:'.length)) : readPostgres(url)
