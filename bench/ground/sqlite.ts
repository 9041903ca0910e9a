// Owns SQLite as a ground: files in a folder that is removed afterwards. The store waits for the disk by itself (flush.ts),
// so its commits and syncs are counted where it asks for them, in this process. What it gives its thread to write (scribe.ts) is
// one of each.

import fs, { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { Worker } from 'node:worker_threads'
import type { Readings } from '../figure.ts'
import type { Ground, Row, Sql, Transaction } from './ground.ts'

export const FSYNC = 'fsync before each answer'

const counted = { commits: 0, syncs: 0 }
let isCounting = false

/** Whoever commits or syncs from here on is counted. */
const count = (): void => {
  if (isCounting) return
  isCounting = true
  const { fdatasync, fdatasyncSync } = fs
  fs.fdatasync = ((...args: Parameters<typeof fdatasync>) => {
    counted.syncs += 1
    fdatasync(...args)
  }) as typeof fdatasync
  fs.fdatasyncSync = (descriptor) => {
    counted.syncs += 1
    fdatasyncSync(descriptor)
  }
  syncBuiltinESMExports()
  const { exec } = DatabaseSync.prototype
  DatabaseSync.prototype.exec = function (this: DatabaseSync, text: string) {
    if (text === 'commit') counted.commits += 1
    return exec.call(this, text)
  }
  const { postMessage } = Worker.prototype
  Worker.prototype.postMessage = function (this: Worker, message: { readonly script?: readonly unknown[] }) {
    if ((message.script?.length ?? 0) > 0) {
      counted.commits += 1
      counted.syncs += 1
    }
    postMessage.call(this, message)
  }
}

/** What this process has handed to the system to write; only Linux tells. */
const written = (): Readings => {
  const io = existsSync('/proc/self/io') ? readFileSync('/proc/self/io', 'utf8') : ''
  const told = /^wchar: (\d+)$/m.exec(io)?.[1]
  return told === undefined ? {} : { 'bytes written per action': Number(told) }
}

const fileOf = (store: string): string => store.slice('sqlite:'.length)

const GIVEN = '(select value ->> 0 as id, value ->> 1 as text from json_each(?1)) k'

const transacting =
  (db: DatabaseSync) =>
  (...texts: readonly string[]): Transaction => {
    const statements = texts.map((text) => ({ statement: db.prepare(text), isGiven: text.includes('?1') }))
    return async (given) => {
      const json = JSON.stringify(given)
      db.exec('begin immediate')
      const rows = statements.map(({ statement, isGiven }) =>
        isGiven ? statement.all(json) : statement.all(),
      )
      db.exec('commit')
      return rows.at(-1)!
    }
  }

const connect = async (store: string): Promise<Sql> => {
  const db = new DatabaseSync(fileOf(store))
  db.exec('pragma journal_mode = wal; pragma synchronous = full; pragma busy_timeout = 30000')
  db.exec('pragma cache_size = -65536')
  const query = async (text: string, values: readonly unknown[] = []): Promise<readonly Row[]> =>
    db.prepare(text).all(...(values as readonly SQLInputValue[]))
  return {
    query,
    table: (name) => name,
    tables: async () =>
      (await query(`select name from sqlite_schema where type = 'table' and name not like 'sqlite%'`)).map(
        (row) => String(row['name']),
      ),
    columns: async (table) =>
      // A number that the database draws is left to it.
      (await query(`select name from pragma_table_xinfo('${table}') where hidden = 0`)).flatMap((row) => {
        const name = String(row['name'])
        return name === 'position' || name === 'seq' ? [] : [name]
      }),
    series: (from, to) =>
      `(with recursive s(n) as (select ${from} union all select n + 1 from s where n < ${to}) select n from s) s`,
    padded: `printf('%026d', n)`,
    now: `cast(unixepoch('subsec') * 1000 as integer)`,
    json: (text) => text,
    text: String,
    given: GIVEN,
    transact: transacting(db),
    close: async () => db.close(),
  }
}

export const openSqlite = async (): Promise<Ground> => {
  const folder = mkdtempSync(join(tmpdir(), 'pawl-bench-'))
  count()
  let files = 0
  return {
    kind: 'sqlite',
    name: 'SQLite',
    durable: FSYNC,
    fresh: async () => {
      files += 1
      return `sqlite:${join(folder, `${files}.db`)}`
    },
    drop: async (store) => {
      for (const part of ['', '-wal', '-shm']) rmSync(`${fileOf(store)}${part}`, { force: true })
    },
    sql: connect,
    meter: async () => ({
      'commits per action': counted.commits,
      'fsyncs per action': counted.syncs,
      ...written(),
    }),
    stop: async () => rmSync(folder, { recursive: true, force: true }),
  }
}
