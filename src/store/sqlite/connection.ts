// Owns one connection to the file: the database, its prepared statements, and undoing a part of a transaction.

import type { DatabaseSync } from 'node:sqlite'
import type { Statements } from './statements.ts'

export interface Connection {
  readonly db: DatabaseSync
  readonly sql: Statements
  /** As messages name it. */
  readonly file: string
}

/** SQLite ends the whole transaction by itself on some errors; then there is nothing left to undo. */
export const inSavepoint = <Value>(db: DatabaseSync, work: () => Value): Value => {
  db.exec('savepoint pawl')
  try {
    const value = work()
    db.exec('release pawl')
    return value
  } catch (error) {
    if (db.isTransaction) db.exec('rollback to pawl; release pawl')
    throw error
  }
}
