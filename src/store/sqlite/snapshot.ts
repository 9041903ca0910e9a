// Owns reading several things that must agree with each other: all of them as of one moment, whatever others commit
// meanwhile.

import type { DatabaseSync } from 'node:sqlite'

/** Inside a transaction that is already open, its moment is the one. */
export const inSnapshot = <Value>(db: DatabaseSync, read: () => Value): Value => {
  if (db.isTransaction) return read()
  db.exec('begin')
  try {
    return read()
  } finally {
    if (db.isTransaction) db.exec('commit')
  }
}
