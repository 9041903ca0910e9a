// Owns the reserve against a full disk. SQLite needs room even to delete, so a file beside the store, and the last pages
// below its quota, are kept for the day there is none. Half of it is given up at once: accepted work is settled in that
// room, new work is refused. The other half is only for pruning, without which the store would stay full for ever. The
// reserve is taken back as soon as there is room. All processes learn of it from store_meta.

import { rmSync, statfsSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import type { Connection } from './connection.ts'

export interface Ballast {
  readonly isFull: () => boolean
  /** Another process found the disk full, or found room again. */
  readonly hear: (isFull: boolean) => void
  /** Gives half of the reserve up; false when that was done before. */
  readonly relieve: () => boolean
  /** Gives all of it up; false when that was done before. */
  readonly relieveAll: () => boolean
  /** Is there room for the reserve, and as much again? */
  readonly hasRoom: () => boolean
  /** Takes the reserve back, inside a transaction, so that all are told; false when there was no room after all. */
  readonly restore: () => boolean
}

export interface BallastOptions {
  readonly reserveBytes: number
  /** The quota of the store; absent: the disk. */
  readonly maxBytes?: number
}

/** How much of the reserve is kept. */
type Kept = 'all' | 'half' | 'none'

/** One place where room can be kept. */
interface Reserve {
  readonly keep: (kept: Kept) => boolean
  readonly hasRoom: () => boolean
}

/** What `stat` counts in. */
const BLOCK = 512

const SHARE: Readonly<Record<Kept, number>> = { all: 1, half: 0.5, none: 0 }

export const pragmaNumber = (db: DatabaseSync, pragma: string): number =>
  Number(Object.values(db.prepare(`pragma ${pragma}`).get()!)[0])

/** Bytes no file system stores as a hole or presses together. */
const incompressible = (bytes: number): Uint32Array => {
  const words = new Uint32Array(Math.ceil(bytes / 4))
  let word = 0x9e3779b9
  for (let index = 0; index < words.length; index++) {
    word ^= word << 13
    word ^= word >>> 17
    word ^= word << 5
    words[index] = word
  }
  return words
}

/** Left whole by a process before, or beside, this one: then it is not written again with every start. */
const isWhole = (path: string, bytes: number): boolean => {
  const found = statSync(path, { throwIfNoEntry: false })
  return found !== undefined && found.size === bytes && found.blocks * BLOCK >= bytes
}

/** A file that holds room on the disk. */
const reserveFile = (path: string, bytes: number): Reserve => ({
  keep: (kept) => {
    try {
      if (kept === 'half') truncateSync(path, bytes * SHARE.half)
      else if (kept === 'none') rmSync(path, { force: true })
      else if (!isWhole(path, bytes)) writeFileSync(path, incompressible(bytes))
      return true
    } catch {
      // Full, or given up by another process.
      if (kept === 'all') rmSync(path, { force: true })
      return kept !== 'all'
    }
  },
  hasRoom: () => {
    const { bavail, bsize } = statfsSync(dirname(path))
    return bavail * bsize >= 2 * bytes
  },
})

/** The last pages below the quota. */
const reservePages = (db: DatabaseSync, bytes: number, maxBytes: number): Reserve => {
  const pageSize = pragmaNumber(db, 'page_size')
  const quota = Math.floor(maxBytes / pageSize)
  const reserve = Math.ceil(bytes / pageSize)
  return {
    keep: (kept) => {
      db.exec(`pragma max_page_count = ${quota - Math.ceil(reserve * SHARE[kept])}`)
      return true
    },
    hasRoom: () => quota - pragmaNumber(db, 'page_count') + pragmaNumber(db, 'freelist_count') >= 2 * reserve,
  }
}

const reservesOf = (
  { db, file }: Connection,
  { reserveBytes, maxBytes }: BallastOptions,
): readonly Reserve[] => [
  ...(file === ':memory:' || reserveBytes === 0 ? [] : [reserveFile(`${file}-reserve`, reserveBytes)]),
  ...(maxBytes === undefined ? [] : [reservePages(db, reserveBytes, maxBytes)]),
]

/** `wasFull` is what the store's own mark says. */
export const createBallast = (connection: Connection, options: BallastOptions, wasFull: boolean): Ballast => {
  const reserves = reservesOf(connection, options)
  let kept: Kept = 'none'
  let isUntold = false

  const keep = (next: Kept): boolean => {
    const isKept = reserves.every((reserve) => reserve.keep(next))
    if (isKept) kept = next
    return isKept
  }
  const tell = (value: string): void => {
    connection.sql.writeMeta.run({ key: 'full', value })
  }
  /** Someone else may be writing: then it is told with the next write of this process. */
  const tellOthers = (): void => {
    try {
      tell('1')
      isUntold = false
    } catch {
      isUntold = true
    }
  }
  const giveUp = (next: Kept): boolean => {
    keep(next)
    tellOthers()
    return true
  }
  if (!wasFull) keep('all')
  return {
    isFull: () => kept !== 'all',
    hear: (isFull) => {
      if (isUntold) tellOthers()
      else if (isFull && kept === 'all') keep('half')
      else if (!isFull && kept !== 'all') keep('all')
    },
    relieve: () => kept === 'all' && giveUp('half'),
    relieveAll: () => kept !== 'none' && giveUp('none'),
    hasRoom: () => reserves.every((reserve) => reserve.hasRoom()),
    restore: () => {
      if (!keep('all')) return false
      tell('0')
      return true
    },
  }
}
