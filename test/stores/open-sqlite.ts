// A new SQLite store for the conformance suite: in a file of its own, or in memory.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type OpenSqlite, openSqlite } from '../../src/store/sqlite/open.ts'
import type { Opened } from '../../src/testing/store-conformance/bed.ts'
import { randomText, realTimers } from './real-timers.ts'

export interface Stand extends Opened {
  readonly close: () => Promise<void>
}

const openFile = (file: string): Promise<OpenSqlite> =>
  openSqlite({
    file,
    random: randomText,
    timers: realTimers,
    reserveBytes: 0,
    integrity: 'quick',
  })

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
    another: () => Promise.resolve(opened),
    transact: transactOn(opened, () => opened.connection),
    close: opened.store.close,
  }
}

export const openSqliteFile = async (): Promise<Stand> => {
  const folder = mkdtempSync(join(tmpdir(), 'pawl-'))
  const file = join(folder, 'pawl.db')
  const opened = await openFile(file)
  const others: OpenSqlite[] = []
  return {
    ...opened,
    another: async () => {
      const other = await openFile(file)
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
