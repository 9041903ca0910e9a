// Owns looking at a file before it is opened as a store: nothing is made, migrated or written.

import { existsSync, statSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { compareLedger, type Durability, type Examined } from '../examined.ts'
import { loadSqlite } from './driver.ts'
import { storeError } from './faults.ts'
import { migrations } from './generated/sql.ts'
import { assertOurs } from './integrity.ts'
import { isEmpty } from './schema.ts'
import { prepareStatements } from './statements.ts'

/** Commits wait for the disk in flush.ts, whatever a connection is set to: what is left to see is the journal. */
const durabilityOf = (db: DatabaseSync): readonly Durability[] => {
  const mode = String(db.prepare('pragma journal_mode').get()!['journal_mode'])
  const isSafe = mode === 'wal'
  return [
    {
      name: 'journal_mode',
      value: mode,
      isSafe,
      ...(!isSafe && { advice: 'a store is kept in WAL mode; open it once with Pawl, on a local disk' }),
    },
  ]
}

const look = (db: DatabaseSync, file: string): Examined => {
  assertOurs(db, file)
  const sql = prepareStatements(db)
  const isNew = isEmpty(db)
  return {
    engine: `SQLite ${process.versions.sqlite ?? ''}`.trim(),
    isNew,
    ...compareLedger(isNew ? [] : sql.readMigrations.all(), migrations),
    durability: isNew ? [] : durabilityOf(db),
    now: sql.clock.get<{ now: number }>()!.now,
  }
}

export const examineSqlite = async (file: string): Promise<Examined> => {
  const { DatabaseSync: Database } = await loadSqlite()
  const isThere = file !== ':memory:' && existsSync(file) && statSync(file).size > 0
  try {
    const db = new Database(isThere ? file : ':memory:', { readOnly: isThere })
    try {
      return look(db, file)
    } finally {
      db.close()
    }
  } catch (error) {
    throw storeError(error, file)
  }
}
