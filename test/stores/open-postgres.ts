// PostgreSQL for the conformance suite. One store stays open for all cases and is emptied before each: a database of its
// own for each costs two seconds of fsync, an emptied one milliseconds.

import pg from 'pg'
import { type OpenPostgres, openPostgres } from '../../src/store/postgres/open.ts'
import type { Opened } from '../../src/testing/store-conformance/bed.ts'
import { NOW } from '../../src/testing/store-conformance/members.ts'
import { SPOILT, type Stand } from './open-sqlite.ts'
import { createDatabase, releaseServer, useServer } from './postgres-server.ts'
import { BEHIND, randomText, realTimers } from './real-timers.ts'

const openUrl = (url: string): Promise<OpenPostgres> =>
  openPostgres({ url, random: randomText, timers: realTimers, ways: BEHIND })

interface Kept {
  readonly url: string
  readonly opened: OpenPostgres
  readonly client: pg.Client
  /** Opened once, by the first case that wants a second process. */
  readonly another: () => Promise<OpenPostgres>
  readonly empty: string
}

/** What an emptied store keeps: who it is, and lanes, whose numbers open stores remember. Receipts are opened again. */
const KEPT = ['store_meta', 'migrations', 'lanes']

const FORGET = `delete from pawl.store_meta where key = 'virtual_now'`
/** A store whose first event is not number 1 is one from which retention has taken some. */
const RESTART = 'alter table pawl.events alter column seq restart'

/** A list of verbs begins where the clock did: what a lane was searched from when the last one ended would be far ahead. */
const forgetMarks = async ({ client, opened }: Kept): Promise<void> => {
  const { rows } = await client.query('select lane from pawl.lanes')
  const shares = rows.map(({ lane }) => ({ lane: Number(lane), n: 1 }))
  // A lane that gives less than it was asked for is searched from its beginning.
  const asked = { shares, batch: 1, byteBudget: 1, worker: 'nobody', nonce: 'none', leaseMs: 1 }
  await opened.store.claim({ ...asked, now: NOW, lease: NOW })
}

const open = async (url: string): Promise<Kept> => {
  const opened = await openUrl(url)
  await opened.keeper.prepare(NOW)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query(
    `select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = 'pawl' and c.relkind in ('r', 'p') and not c.relispartition`,
  )
  const tables = rows.map(({ name }) => String(name)).filter((name) => !KEPT.includes(name))
  let other: Promise<OpenPostgres> | undefined
  const another = (): Promise<OpenPostgres> => {
    other ??= openUrl(url)
    return other
  }
  return {
    url,
    opened,
    client,
    another,
    empty: [FORGET, RESTART, ...tables.map((name) => `delete from pawl.${name}`)].join(';'),
  }
}

let kept: Promise<Kept> | undefined
let others: Promise<OpenPostgres>[] = []

const transactOn =
  ({ opened, client }: Kept): Opened['transact'] =>
  async (work) => {
    await client.query('begin')
    try {
      const value = await work(opened.store.in(client).commit)
      await client.query('commit')
      return value
    } catch (error) {
      await client.query('rollback')
      throw error
    }
  }

export const openEmptied = async (): Promise<Stand> => {
  kept ??= useServer().then(createDatabase).then(open)
  const stand = await kept
  await stand.client.query(stand.empty)
  await forgetMarks(stand)
  return {
    ...stand.opened,
    spoil: async ({ table, name, isGone }) => {
      const [key, json] = SPOILT[table]
      const how = isGone ? `delete from pawl.${table}` : `update pawl.${table} set ${json} = '"spoilt"'`
      await stand.client.query(`${how} where ${key} = $1`, [name])
    },
    another: () => {
      const other = stand.another()
      others = [...new Set([...others, other])]
      return other
    },
    transact: transactOn(stand),
    close: () => Promise.resolve(),
  }
}

/** The emptied store, with a transaction of one's own beside it, and eyes for who waits for it. */
export interface Arena extends Stand {
  readonly url: string
  readonly query: (sql: string) => Promise<readonly Record<string, unknown>[]>
  readonly isWaitedFor: () => Promise<boolean>
}

const BLOCKED = `select exists (
  select from pg_stat_activity where datname = current_database() and $1 = any (pg_blocking_pids(pid))
) as found`

export const openArena = async (): Promise<Arena> => {
  const stand = await openEmptied()
  const { client, url } = await kept!
  const watcher = new pg.Client({ connectionString: url })
  await watcher.connect()
  const { rows } = await client.query('select pg_backend_pid() as pid')
  return {
    ...stand,
    url,
    query: async (sql) => (await client.query(sql)).rows,
    isWaitedFor: async () => (await watcher.query(BLOCKED, [rows[0].pid])).rows[0].found,
    close: () => watcher.end(),
  }
}

/** Which server it is: a figure without it proves little. */
export const aboutServer = async (): Promise<string> => {
  const { version, pid } = await useServer()
  return `PostgreSQL ${version}, pid ${pid() ?? 'as printed at the start'}`
}

const closeStores = async (): Promise<void> => {
  const stand = await kept?.catch(() => undefined)
  kept = undefined
  for (const other of others) await (await other.catch(() => undefined))?.store.close()
  others = []
  await stand?.client.end()
  await stand?.opened.store.close()
}

/** For afterAll. */
export const closePostgres = async (): Promise<void> => {
  await closeStores()
  await releaseServer()
}
