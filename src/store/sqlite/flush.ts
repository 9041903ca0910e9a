// Owns the moment from which a commit survives the loss of power: the WAL is on the disk. SQLite would wait for that
// inside COMMIT, on the event loop and with the file locked (147 ms seen, 1 of them CPU). So it is told to write
// without waiting (synchronous = normal), and the wait is made here, by the thread pool, before anyone is answered.
// D1  The WAL is one file in the order of commits: what is flushed includes every commit seen before, by any process.
// D2  Once a flush has failed nothing is believed to be on the disk any more, and no write is answered with success.

import { type FileHandle, open } from 'node:fs/promises'
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { PawlError } from '../../core/errors.ts'

export interface Flush {
  /** Resolves when every commit that is visible now is on the disk. */
  readonly flush: () => Promise<void>
  /** Throws once a flush has failed: for whoever is answered without one. */
  readonly assertSound: () => void
  readonly close: () => Promise<void>
}

/** The WAL of an open database: it stays the same file until the last process has closed it. */
interface Wal {
  readonly sync: () => Promise<void>
  readonly close: () => Promise<void>
}

export const openWal = (db: DatabaseSync): Wal => {
  const path = db.location()
  let handle: Promise<FileHandle> | undefined
  return {
    sync: async () => {
      // Only for writing may it be flushed on every system.
      handle ??= open(`${path}-wal`, 'r+')
      await (await handle).datasync()
    },
    close: async () => {
      await (await handle?.catch(() => undefined))?.close()
    },
  }
}

const lost = (file: string, error: unknown): PawlError =>
  new PawlError(
    'store_unavailable',
    `${file} was written, and the disk did not say that it keeps it: ${String(error)}`.slice(0, 300),
    { outcome: 'unknown', expected: 'a sound disk; then start again' },
    error,
  )

/** A mark that changes with every commit, of this connection and of others. Unknown while the file cannot be read. */
const createMark = (db: DatabaseSync): (() => string | undefined) => {
  let version: StatementSync | undefined
  let changes: StatementSync | undefined
  return () => {
    try {
      version ??= db.prepare('pragma data_version')
      changes ??= db.prepare('select total_changes() as n')
      return `${version.get()!['data_version']} ${changes.get()!['n']}`
    } catch {
      return undefined
    }
  }
}

export const createFlush = (db: DatabaseSync, file: string, wal: Wal): Flush => {
  const mark = createMark(db)
  let flushed: string | undefined
  let failure: PawlError | undefined
  let running: Promise<void> | undefined
  let next: Promise<void> | undefined

  const assertSound = (): void => {
    if (failure !== undefined) throw failure
  }
  const run = async (): Promise<void> => {
    assertSound()
    const seen = mark()
    if (seen !== undefined && seen === flushed) return
    try {
      await wal.sync()
    } catch (error) {
      failure = lost(file, error)
      throw failure
    }
    flushed = seen
  }
  const start = (): Promise<void> => {
    next = undefined
    running = run().finally(() => {
      running = undefined
    })
    return running
  }
  return {
    // One that began before this commit may have missed it: the next one is for all who came meanwhile.
    flush: () => {
      if (running === undefined) return start()
      next ??= running.then(start, start)
      return next
    },
    assertSound,
    close: wal.close,
  }
}

/** Where there is no disk there is nothing to wait for. */
export const NO_FLUSH: Flush = {
  flush: () => Promise.resolve(),
  assertSound: () => undefined,
  close: () => Promise.resolve(),
}
