// Owns the question whether a file is ours and sound, asked before anything of it is believed. A damaged file is refused
// with what to do about it; Pawl never repairs by going on.

import { existsSync, statSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { PawlError } from '../../core/errors.ts'
import { RESTORE } from './faults.ts'
import { isEmpty, sealQueries } from './schema.ts'

/** `PAWL` in the file's header. */
export const APPLICATION_ID = 0x5041574c

/** Beyond this, comparing every index with its table takes longer than a start should: `quick` leaves that out. */
const FULL_CHECK_BYTES = 256 * 1024 * 1024

export type Integrity = 'full' | 'quick'

const foreign = (file: string, why: string): PawlError =>
  new PawlError('store_foreign', `${file} ${why}`, {
    expected: 'a new file, or one made by Pawl; if this was one, restore its last backup',
  })

/** A file that is not there, or has nothing in it, is a new store. In a snapshot: another process may be making it. */
export const assertOurs = (db: DatabaseSync, file: string): void => {
  const id = db.prepare('pragma application_id').get()!['application_id']
  if (id === APPLICATION_ID) return
  if (id === 0 && isEmpty(db)) return
  throw foreign(file, 'is a SQLite database of another program')
}

const MAGIC = 'SQLite format 3\0'

/** Said before SQLite looks: to it, a text file and a damaged header are the same. */
export const assertDatabase = (file: string, firstBytes: string): void => {
  if (firstBytes !== '' && firstBytes !== MAGIC)
    throw foreign(file, 'is not a SQLite database, or its first bytes are damaged')
}

const defaultIntegrity = (file: string): Integrity =>
  existsSync(file) && statSync(file).size > FULL_CHECK_BYTES ? 'quick' : 'full'

export const checkIntegrity = (db: DatabaseSync, file: string, integrity = defaultIntegrity(file)): void => {
  const corrupt = (what: string): PawlError =>
    new PawlError('store_corrupt', `${file} is damaged: ${what.slice(0, 200)}`, RESTORE)
  const check = integrity === 'full' ? 'integrity_check' : 'quick_check'
  const said = Object.values(db.prepare(`pragma ${check}(1)`).get()!)[0]
  if (said !== 'ok') throw corrupt(String(said))
  for (const query of sealQueries(db)) {
    const row = db.prepare(query).get()
    if (row !== undefined) throw corrupt(`a row of ${String(row['name'])} does not fit its seal`)
  }
}
