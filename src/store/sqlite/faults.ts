// Owns what an error of SQLite means: whose fault it is and what can be done about it. A member's own fault concerns
// that member alone; everything else concerns the store.

import { PawlError } from '../../core/errors.ts'

export type Fault =
  /** Someone else writes: wait. */
  | 'busy'
  /** No room: free the reserve. */
  | 'full'
  /** The file is not what was written. */
  | 'corrupt'
  /** What was asked cannot be: a constraint, a value of the wrong kind, a thrown error of ours. */
  | 'member'
  /** Reading or writing failed, or a statement is wrong. */
  | 'store'

/** Primary result codes of SQLite; an extended code has them in its low byte. */
const FAULTS: ReadonlyMap<number, Fault> = new Map([
  [5, 'busy'], // SQLITE_BUSY
  [6, 'busy'], // SQLITE_LOCKED
  [11, 'corrupt'], // SQLITE_CORRUPT
  [13, 'full'], // SQLITE_FULL
  [15, 'busy'], // SQLITE_PROTOCOL: the race for the WAL's locks was lost too often
  [18, 'member'], // SQLITE_TOOBIG
  [19, 'member'], // SQLITE_CONSTRAINT
  [20, 'member'], // SQLITE_MISMATCH
  [26, 'corrupt'], // SQLITE_NOTADB
])

/** What SQLite would say if it knew. */
export const busyError = (): Error =>
  Object.assign(new Error('database is locked'), { code: 'ERR_SQLITE_ERROR', errcode: 5 })

const codeOf = (error: unknown): number | undefined => {
  const { code, errcode } = error as { readonly code?: unknown; readonly errcode?: unknown }
  return code === 'ERR_SQLITE_ERROR' && typeof errcode === 'number' ? errcode & 0xff : undefined
}

export const faultOf = (error: unknown): Fault => {
  if (!(error instanceof Error)) return 'member'
  if (error instanceof PawlError) return error.code === 'store_corrupt' ? 'corrupt' : 'member'
  const code = codeOf(error)
  return code === undefined ? 'member' : (FAULTS.get(code) ?? 'store')
}

/** The store's own fault, as its caller sees it. */
export const storeError = (error: unknown, file: string): PawlError => {
  if (error instanceof PawlError) return error
  const said = error instanceof Error ? error.message : String(error)
  switch (faultOf(error)) {
    case 'busy':
      return new PawlError('store_busy', `${file} is locked by another process`, {}, error)
    case 'full':
      return new PawlError('store_full', `there is no room for ${file}`, FREE_SOME, error)
    case 'corrupt':
      return new PawlError('store_corrupt', `${file} is damaged: ${said}`, RESTORE, error)
    default:
      return new PawlError('store_unavailable', `${file} could not be used: ${said}`, {}, error)
  }
}

const FREE_SOME = { expected: 'room on the disk: free some, or let retention remove what is past its time' }
export const RESTORE = {
  expected:
    'a sound file: stop every process that uses it, move it and its -wal and -shm aside, put the last backup in its place',
}

/** A member's own fault, as its result carries it. */
export const memberError = (error: unknown): PawlError =>
  error instanceof PawlError
    ? error
    : new PawlError(
        'commit_refused',
        `the database refused the change: ${error instanceof Error ? error.message : String(error)}`.slice(
          0,
          300,
        ),
        {},
        error,
      )
