// What the engine's behaviour is tested on: the same cases on each store, a clock that stands still until it is moved,
// and everything that a case opened closed after it. A database of PostgreSQL is made once for a process, and emptied before
// each case: to make one costs more than most cases.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { afterAll, afterEach, beforeEach, describe } from 'vitest'
import type { JsonObject } from '../../src/core/json.ts'
import type { Level } from '../../src/engine/log.ts'
import { Pawl, type PawlOptions } from '../../src/index.ts'
import { createDatabase, releaseServer, type Server, useServer } from '../stores/postgres-server.ts'

export const START = '2026-01-05T09:00:00.000Z'
export const NOW: number = Date.parse(START)
export const MINUTE = 60_000
export const HOUR = 3_600_000
export const DAY = 86_400_000

export const at = (ms: number): string => new Date(NOW + ms).toISOString()

interface Line {
  readonly level: Level
  readonly message: string
  readonly fields: JsonObject
}

/** One store and the Pawls a case opens on it. */
export interface Bed {
  readonly open: (options?: Partial<PawlOptions>) => Promise<Pawl>
  /** What was logged by all of them. */
  readonly lines: readonly Line[]
  readonly url: () => string
  /** The caller's own transaction: committed, unless the work throws. */
  readonly transact: <T>(work: (client: unknown) => Promise<T>) => Promise<T>
  /** Every text of the store, table by table. */
  readonly dump: () => Promise<string>
}

/** What a kind of store gives to a bed. */
interface Ground {
  readonly fresh: () => Promise<string>
  readonly drop: () => Promise<void>
  readonly end: () => Promise<void>
  readonly transact: Bed['transact']
  readonly dump: Bed['dump']
}

const sqliteMemory = (): Ground => ({
  fresh: async () => 'sqlite::memory:',
  drop: async () => undefined,
  end: async () => undefined,
  transact: () => Promise.reject(new Error('a store in memory has one connection')),
  dump: () => Promise.reject(new Error('a store in memory has one connection')),
})

const sqliteFile = (): Ground => {
  let folder = ''
  const file = (): string => join(folder, 'pawl.db')
  return {
    fresh: async () => {
      folder = mkdtempSync(join(tmpdir(), 'pawl-engine-'))
      return `sqlite:${file()}`
    },
    drop: async () => rmSync(folder, { recursive: true, force: true }),
    end: async () => undefined,
    transact: async (work) => {
      const db = new DatabaseSync(file())
      db.exec('begin immediate')
      try {
        const value = await work(db)
        db.exec('commit')
        return value
      } catch (error) {
        db.exec('rollback')
        throw error
      } finally {
        db.close()
      }
    },
    dump: async () => {
      const db = new DatabaseSync(file(), { readOnly: true })
      const tables = db.prepare(`select name from sqlite_schema where type = 'table'`).all()
      const rows = tables.map(({ name }) => JSON.stringify([name, db.prepare(`select * from ${name}`).all()]))
      db.close()
      return rows.join('\n')
    },
  }
}

const TABLES = `select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = 'pawl' and c.relkind in ('r', 'p') and not c.relispartition`
/** What an emptied store keeps: who it is, and lanes, whose numbers open stores remember. */
const KEPT = ['store_meta', 'migrations', 'lanes']

/** By server: one that was stopped took its database along. */
const databases = new Map<string, Promise<string>>()

const databaseOf = (server: Server): Promise<string> => {
  const made = databases.get(server.url) ?? makeDatabase(server)
  databases.set(server.url, made)
  return made
}

const makeDatabase = async (server: Server): Promise<string> => {
  const url = await createDatabase(server)
  await (await Pawl.open({ store: url })).close()
  return url
}

const postgres = (): Ground => {
  let kept: Promise<{ readonly url: string; readonly client: pg.Client }> | undefined
  const connect = async () => {
    const url = await databaseOf(await useServer())
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    return { url, client }
  }
  const stand = () => {
    kept ??= connect()
    return kept
  }
  const tables = async (client: pg.Client): Promise<readonly string[]> =>
    (await client.query(TABLES)).rows.map(({ name }) => String(name))
  return {
    fresh: async () => {
      const { client, url } = await stand()
      const emptied = (await tables(client)).filter((name) => !KEPT.includes(name))
      const forget = `delete from pawl.store_meta where key = 'virtual_now'`
      await client.query([forget, ...emptied.map((name) => `delete from pawl.${name}`)].join(';'))
      return url
    },
    drop: async () => undefined,
    end: async () => {
      if (kept === undefined) return
      await (await kept).client.end()
      await releaseServer()
    },
    transact: async (work) => {
      const { client } = await stand()
      await client.query('begin')
      try {
        const value = await work(client)
        await client.query('commit')
        return value
      } catch (error) {
        await client.query('rollback')
        throw error
      }
    },
    dump: async () => {
      const { client } = await stand()
      const rows: string[] = []
      for (const name of await tables(client))
        rows.push(JSON.stringify([name, (await client.query(`select * from pawl.${name}`)).rows]))
      return rows.join('\n')
    },
  }
}

const makeBed = (ground: Ground): Bed => {
  let url = ''
  const opened: Pawl[] = []
  const lines: Line[] = []
  beforeEach(async () => {
    url = await ground.fresh()
    lines.length = 0
  })
  afterEach(async () => {
    for (const pawl of opened.splice(0)) await pawl.close().catch(() => undefined)
    await ground.drop()
  })
  afterAll(() => ground.end())
  return {
    open: async (options = {}) => {
      const pawl = await Pawl.open({
        store: url,
        clock: `virtual:${START}`,
        log: (level, message, fields) => void lines.push({ level, message, fields }),
        secrets: { env: {} },
        ...options,
      })
      opened.push(pawl)
      return pawl
    },
    lines,
    url: () => url,
    transact: ground.transact,
    dump: ground.dump,
  }
}

type Cases = (bed: Bed) => void

const on = (stores: Readonly<Record<string, () => Ground>>) => (name: string, cases: Cases) =>
  describe.each(Object.keys(stores))(`${name}, on %s`, (store) => cases(makeBed(stores[store]!())))

/** One Pawl is enough: SQLite in memory, and PostgreSQL. */
export const onEachStore = on({ 'SQLite in memory': sqliteMemory, PostgreSQL: postgres })
/** Several Pawls share it, or the caller has a connection of their own. */
export const onEachShared = on({ 'a SQLite file': sqliteFile, PostgreSQL: postgres })
