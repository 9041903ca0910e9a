// Owns when the WAL is copied into the file, so that it can begin anew. SQLite would do so inside a COMMIT, on the event loop:
// 50 ms with every 64 MiB, and one in a hundred actions was late by it. Here a thread copies most of it while the store goes on,
// then the rest while the writer, and nobody else, waits for it; the next transaction begins the WAL anew.
// B1  Nothing depends on it: without the thread, or where it does not keep up, SQLite does it as ever (open.ts).
// B2  A thread is only started by who writes a lot.
// B3  Where the disk did not keep what was copied, the store is no longer believed (flush.ts, D2).

import type { DatabaseSync } from 'node:sqlite'
import type { Backfiller, Said } from './backfiller.ts'
import { type Copied, createExtent, isSafe } from './rounds.ts'

export interface Backfill {
  /** Between two transactions. Where there is something to wait for, the next one is not to begin before. */
  readonly look: () => Promise<void> | undefined
  /** Is the next look one that nobody should write beside? */
  readonly isWaiting: () => boolean
  /** The disk is at work for it: whoever waits for it now may wait for long. */
  readonly isCopying: () => boolean
  /** Before the connection is closed: who closes last copies what is left. */
  readonly close: () => Promise<void>
}

export interface BackfillOptions {
  readonly start: (file: string) => Backfiller
  /** There is no thread (any more). */
  readonly onWarning: (message: string) => void
  /** The disk did not keep the file. */
  readonly onLost: (error: unknown) => void
}

/** 32 MiB: half of what SQLite lets it become. */
const ENOUGH = 8000
/** How much more there must be before it is tried again, when it could not be begun anew. */
const MORE = 1000
/** Transactions from one look to the next. */
const TURNS_PER_LOOK = 8

const SQLITE_FULL = 13
const SQLITE_IOERR_FSYNC = 1034

/** No copying yet; a thread copies; it has copied most. */
type Stage = 'idle' | 'copying' | 'copied'

export const NO_BACKFILL: Backfill = {
  look: () => undefined,
  isWaiting: () => false,
  isCopying: () => false,
  close: () => Promise.resolve(),
}

export const createBackfill = (db: DatabaseSync, options: BackfillOptions): Backfill => {
  const file = db.location()
  return file === null ? NO_BACKFILL : backfillOf(db, file, options)
}

/** Not asked for before somebody writes: even that reads the schema, which may be damaged. */
const versionOf = (db: DatabaseSync): string =>
  String(db.prepare('select sqlite_version() as version').get()!['version'])

/** What the thread is asked, and what that means for the store; undefined where nothing was copied. */
const createAsk = (file: string, { start, onWarning, onLost }: BackfillOptions) => {
  let backfiller: Backfiller | undefined
  let isOff = false

  const giveUp = (why: unknown): undefined => {
    isOff = true
    onWarning(`${file}: its WAL is copied by the event loop, which waits for it: ${String(why)}`)
  }
  const hear = (said: Said): Copied | undefined => {
    if ('copied' in said) return said.copied
    // Room is for others to make; there will be another time.
    if ((said.code & 0xff) === SQLITE_FULL) return undefined
    if (said.code === SQLITE_IOERR_FSYNC) onLost(said.failed)
    return giveUp(said.failed)
  }
  return {
    isOff: () => isOff,
    ask: async (what: 'most' | 'rest'): Promise<Copied | undefined> => {
      try {
        backfiller ??= start(file)
        return hear(await backfiller.ask(what))
      } catch (error) {
        return giveUp(error)
      }
    },
    close: async (): Promise<void> => {
      isOff = true
      await backfiller?.close()
    },
  }
}

const backfillOf = (db: DatabaseSync, file: string, options: BackfillOptions): Backfill => {
  const extent = createExtent(db)
  const { ask, isOff, close } = createAsk(file, options)
  let stage: Stage = 'idle'
  let turns = 0
  let enough = ENOUGH
  let isAble: boolean | undefined

  const copyMost = async (written: number): Promise<void> => {
    stage = 'copying'
    enough = written + MORE
    const copied = await ask('most')
    stage = copied === undefined || copied.isHeldUp ? 'idle' : 'copied'
  }
  const copyRest = async (): Promise<void> => {
    stage = 'copying'
    await ask('rest')
    stage = 'idle'
  }
  const begin = (): Promise<void> | undefined => {
    isAble ??= isSafe(versionOf(db))
    if (!isAble) return undefined
    const { written, copied } = extent()
    const isMostCopied = stage === 'copied'
    stage = 'idle'
    if (written < ENOUGH) enough = ENOUGH
    if (written < ENOUGH || written === copied) return undefined
    if (isMostCopied) return copyRest()
    if (written >= enough) void copyMost(written)
    return undefined
  }
  return {
    look: () => {
      turns += 1
      if (isOff() || stage === 'copying' || (stage === 'idle' && turns % TURNS_PER_LOOK !== 0))
        return undefined
      try {
        return begin()
      } catch {
        // Busy recovering, or a caller's transaction is open: there will be other times.
        return undefined
      }
    },
    isWaiting: () => stage === 'copied',
    isCopying: () => stage === 'copying',
    close,
  }
}
