// What the migrations of SQLite make. A bundle has the answer in place of this module: every process would make it again
// when it opens its store, and no database can be part of a snapshot.

import { DatabaseSync } from 'node:sqlite'
import { migrations } from '../../src/store/sqlite/generated/sql.ts'
import { madeBy } from '../../src/store/sqlite/schema.ts'

export const MADE: readonly object[] = madeBy(DatabaseSync, migrations)
