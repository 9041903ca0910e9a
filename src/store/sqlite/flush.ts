// Owns the moment from which a commit survives the loss of power: the WAL is on the disk. SQLite would wait for that
// inside COMMIT, on the event loop and with the file locked (147 ms seen, 1 of them CPU). So it is told to write
// without waiting (synchronous = normal), and the wait is made here, before anyone is answered: by the thread pool, or by the
// event loop where it has nothing else to do and the disk is quick (wal.ts).
// D1  The WAL is one file in the order of commits: what is flushed includes every commit seen before, by any process.
// D2  Once a flush has failed nothing is believed to be on the disk any more, and no write is answered with success.

import type { DatabaseSync } from 'node:sqlite'
import { PawlError } from '../../core/errors.ts'
import { createNumber, createVersion } from './others.ts'
import type { Wal } from './wal.ts'

export interface Flush {
  /** Resolves when every commit that is visible now is on the disk. `isCalm`: nobody else waits for the event loop. */
  readonly flush: (isCalm?: boolean) => Promise<void>
  /** Throws once a flush has failed: for whoever is answered without one. */
  readonly assertSound: () => void
  /** The disk was heard not to keep something else that the store rests on: as if a flush had failed. */
  readonly doubt: (error: unknown) => void
  /** Room for the next commits, at a time when nobody waits for it. */
  readonly makeRoom: () => void
  readonly close: () => Promise<void>
}

const lost = (file: string, error: unknown): PawlError =>
  new PawlError(
    'store_unavailable',
    `${file} was written, and the disk did not say that it keeps it: ${String(error)}`.slice(0, 300),
    { outcome: 'unknown', expected: 'a sound disk; then start again' },
    error,
  )

/** What changes with every commit: of others, and of this connection. */
interface Mark {
  readonly theirs: unknown
  readonly ours: unknown
}

/** Unknown while the file cannot be read. */
const createMark = (db: DatabaseSync): (() => Mark | undefined) => {
  const theirs = createVersion(db)
  const ours = createNumber(db, 'select total_changes()')
  return () => {
    try {
      return { theirs: theirs(), ours: ours() }
    } catch {
      return undefined
    }
  }
}

/** One wait for the disk, where there is something to wait for, and what is known since. */
const createWait = (db: DatabaseSync, file: string, wal: Wal) => {
  const mark = createMark(db)
  let flushed: Mark | undefined
  let failure: PawlError | undefined

  const assertSound = (): void => {
    if (failure !== undefined) throw failure
  }
  return {
    assertSound,
    doubt: (error: unknown): void => {
      failure ??= lost(file, error)
    },
    /** Something was written that is no commit. */
    forget: (): void => {
      flushed = undefined
    },
    run: async (isCalm: boolean): Promise<void> => {
      assertSound()
      const seen = mark()
      if (seen !== undefined && seen.ours === flushed?.ours && seen.theirs === flushed?.theirs) return
      try {
        await wal.sync(isCalm)
      } catch (error) {
        failure = lost(file, error)
        throw failure
      }
      flushed = seen
    },
  }
}

export const createFlush = (db: DatabaseSync, file: string, wal: Wal): Flush => {
  const { run, forget, assertSound, doubt } = createWait(db, file, wal)
  let running: Promise<void> | undefined
  let next: Promise<void> | undefined

  const start = (isCalm: boolean): Promise<void> => {
    running = run(isCalm).finally(() => {
      running = undefined
    })
    return running
  }
  const startNext = (): Promise<void> => {
    next = undefined
    return start(false)
  }
  // One that began before this commit may have missed it: the next one is for all who came meanwhile. There is never more than one
  // under way, so that closing knows when there is none.
  const flush = (isCalm = false): Promise<void> => {
    if (running === undefined && next === undefined) return start(isCalm)
    next ??= running!.then(startNext, startNext)
    return next
  }
  return {
    flush,
    assertSound,
    doubt,
    makeRoom: () => {
      if (!lengthen(db, wal)) return
      forget()
      // What went wrong is told to whoever comes next (D2).
      void flush().catch(() => undefined)
    },
    close: async () => {
      for (let last = next ?? running; last !== undefined; last = next ?? running)
        await last.catch(() => undefined)
      wal.close()
    },
  }
}

/** Nobody else writes while this process may, so that nothing can come where the zeros go. */
const lengthen = (db: DatabaseSync, wal: Wal): boolean => {
  try {
    if (!wal.isShort()) return false
    db.exec('begin immediate')
    try {
      // Another process may have been quicker.
      if (wal.isShort()) wal.lengthen()
    } finally {
      db.exec('rollback')
    }
    return true
  } catch {
    // Others write, or a caller's transaction is open: this is for later, and there will be other times.
    return false
  }
}

/** Where there is no disk there is nothing to wait for. */
export const NO_FLUSH: Flush = {
  flush: () => Promise.resolve(),
  assertSound: () => undefined,
  doubt: () => undefined,
  makeRoom: () => undefined,
  close: () => Promise.resolve(),
}
