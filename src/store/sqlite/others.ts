// Owns noticing that somebody else writes to the file: another process, or another connection of this one.

import type { DatabaseSync, StatementSync } from 'node:sqlite'

/** Has anybody else committed since it was last asked? Nobody had, the first time. Throws while the file cannot be read. */
export const createLookout = (db: DatabaseSync): (() => boolean) => {
  let version: StatementSync | undefined
  let last: unknown
  return () => {
    version ??= db.prepare('pragma data_version')
    const seen = version.get()!['data_version']
    const hasChanged = last !== undefined && seen !== last
    last = seen
    return hasChanged
  }
}
