// What the migrations of SQLite make, seen by making it. A bundle has the answer in place of this module: every process
// would make it again when it opens its store, and no database can be part of a snapshot.

import { DatabaseSync } from 'node:sqlite'
import { migrations } from '../../src/store/sqlite/generated/sql.ts'

const make = () => {
  const db = new DatabaseSync(':memory:')
  try {
    for (const { text } of migrations) db.exec(text)
    return db
      .prepare(`select name, sql from sqlite_schema where sql is not null and name not like 'sqlite%'`)
      .all()
  } finally {
    db.close()
  }
}

export const MADE: readonly object[] = make()
