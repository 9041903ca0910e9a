// Owns noticing that somebody else writes to the file: another process, or another connection of this one.

import type { DatabaseSync, StatementSync } from 'node:sqlite'

/** One number that SQLite gives. As a list, which costs half: it is asked for with every commit. */
export const createNumber = (db: DatabaseSync, text: string): (() => unknown) => {
  let prepared: StatementSync | undefined
  return () => {
    if (prepared === undefined) {
      prepared = db.prepare(text)
      prepared.setReturnArrays(true)
    }
    return (prepared.get() as unknown as readonly unknown[])[0]
  }
}

/** Another one with every commit of somebody else. Throws while the file cannot be read. */
export const createVersion = (db: DatabaseSync): (() => unknown) => createNumber(db, 'pragma data_version')

/** Has anybody else committed since it was last asked? Nobody had, the first time. Throws while the file cannot be read. */
export const createLookout = (db: DatabaseSync): (() => boolean) => {
  const version = createVersion(db)
  let last: unknown
  return () => {
    const seen = version()
    const hasChanged = last !== undefined && seen !== last
    last = seen
    return hasChanged
  }
}
