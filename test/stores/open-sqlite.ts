// A new SQLite store for the conformance suite: in a file of its own, or in memory.

import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Inspector } from '../../src/store/inspect.ts'
import { type OpenSqlite, openSqlite, type SqliteOptions } from '../../src/store/sqlite/open.ts'
import type { Opened, Spoilt } from '../../src/testing/store-conformance/bed.ts'
import { inlineScribe } from '../sqlite/inline-scribe.ts'
import { memoryFolder } from './memory-folder.ts'
import { randomText, realTimers } from './real-timers.ts'

export interface Stand extends Opened {
  readonly inspector: Inspector
  readonly close: () => Promise<void>
}

const openFile = (file: string, options: Partial<SqliteOptions> = {}): Promise<OpenSqlite> =>
  openSqlite({
    file,
    random: randomText,
    timers: realTimers,
    reserveBytes: 0,
    integrity: 'quick',
    ...options,
  })

/** Which column names a row, and which one holds its JSON. */
export const SPOILT: Readonly<Record<Spoilt['table'], readonly [name: string, json: string]>> = {
  actions: ['id', 'plan'],
  events: ['type', 'data'],
  executions: ['id', 'variables'],
  inbox: ['event_id', 'event'],
  timers: ['key', 'event'],
}

/** The text stays; its checksum is no longer its own. */
const spoilIn =
  (db: DatabaseSync): Opened['spoil'] =>
  async ({ table, name, isGone }) => {
    const [key, json] = SPOILT[table]
    const how = isGone
      ? `delete from ${table}`
      : `update ${table} set ${json} = 'zzzzzzzz' || substr(${json}, 9)`
    db.prepare(`${how} where ${key} = ?`).run(name)
  }

const transactOn =
  (opened: OpenSqlite, client: () => DatabaseSync): Opened['transact'] =>
  async (work) => {
    const db = client()
    db.exec('begin immediate')
    try {
      const value = await work(opened.store.in(db).commit)
      db.exec('commit')
      return value
    } catch (error) {
      db.exec('rollback')
      throw error
    } finally {
      if (db !== opened.connection) db.close()
    }
  }

export const openSqliteMemory = async (): Promise<Stand> => {
  const opened = await openFile(':memory:')
  return {
    ...opened,
    spoil: spoilIn(opened.connection),
    another: () => Promise.resolve(opened),
    transact: transactOn(opened, () => opened.connection),
    close: opened.store.close,
  }
}

const openSqliteIn = async (options: Partial<SqliteOptions>): Promise<Stand> => {
  const folder = mkdtempSync(join(memoryFolder(), 'pawl-'))
  const file = join(folder, 'pawl.db')
  const opened = await openFile(file, options)
  const others: OpenSqlite[] = []
  return {
    ...opened,
    spoil: spoilIn(opened.connection),
    another: async () => {
      const other = await openFile(file, options)
      others.push(other)
      return other
    },
    transact: transactOn(opened, () => new DatabaseSync(file)),
    close: async () => {
      for (const { store } of [...others, opened]) await store.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export const openSqliteFile = (): Promise<Stand> => openSqliteIn({})

/** What can be foreseen is dictated, however little it is. */
export const openSqliteDictated = (): Promise<Stand> => openSqliteIn({ scribing: inlineScribe().scribing })
