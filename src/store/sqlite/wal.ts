// Owns the WAL as a file beside SQLite, which writes it: waiting until the disk has it, and room ahead of what was written.
// Where a commit makes the file longer, the file system has to write down its new length too, in a journal of its own: a third
// of the wait. So zeros are put behind its end now and then, which later frames overwrite.
// A1  What was written is never written over: zeros go behind the end of the file, and only while nobody else may write.
// A2  To whoever reads the WAL, after a crash too, zeros are its end: no frame has a page 0, or a salt that fits.

import { closeSync, fdatasync, fdatasyncSync, fstatSync, openSync, readSync, writeSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { createPace } from './pace.ts'

/** The WAL of an open database: it stays the same file until the last process has closed it. */
export interface Wal {
  /** With `isCalm` nobody else waits for the event loop: where the disk is quick it is waited for there, without two threads to wake. */
  readonly sync: (isCalm: boolean) => Promise<void> | undefined
  /** Is what lies ahead nearly used up? */
  readonly isShort: () => boolean
  /** Only inside a transaction that writes, before it has written. */
  readonly lengthen: () => void
  /** Only when no sync is under way: its number would be that of another file. */
  readonly close: () => void
}

/** About fifty small commits. */
const ROOM = 1024 * 1024
const LEAST_ROOM = ROOM / 4
/** More than a page: wherever it lies, the head of a frame is in it. */
const GLANCE = 8192

const ZEROS = new Uint8Array(ROOM)

interface Descriptor {
  readonly get: () => number
  readonly close: () => void
}

/** Opened when it is first asked for. */
export const createDescriptor = (path: string): Descriptor => {
  let opened: number | undefined
  let isClosed = false
  return {
    get: () => {
      if (isClosed) throw new Error('it was closed')
      // Only for writing may it be flushed on every system.
      opened ??= openSync(path, 'r+')
      return opened
    },
    close: () => {
      isClosed = true
      if (opened !== undefined) closeSync(opened)
      opened = undefined
    },
  }
}

/** The two ways to wait until the disk has a file. */
export interface Waits {
  readonly inThePool: (descriptor: number) => Promise<void>
  readonly here: (descriptor: number) => void
}

const WAITS: Waits = {
  inThePool: (descriptor) =>
    new Promise((resolve, reject) => {
      fdatasync(descriptor, (error) => {
        if (error === null) resolve()
        else reject(error)
      })
    }),
  here: (descriptor) => fdatasyncSync(descriptor),
}

const createSync = (
  descriptor: () => number,
  { inThePool, here }: Waits,
  monotonic: () => number,
): Wal['sync'] => {
  const pace = createPace()
  return (isCalm) => {
    const began = monotonic()
    const noted = (): void => pace.note(monotonic() - began)
    if (!isCalm || !pace.isQuick()) return inThePool(descriptor()).then(noted)
    here(descriptor())
    noted()
    return undefined
  }
}

/** `monotonic` is milliseconds of a clock; without one nobody knows that the disk is quick. */
export const openWal = (db: DatabaseSync, monotonic: (() => number) | undefined, waits = WAITS): Wal => {
  const file = createDescriptor(`${db.location()}-wal`)
  const seen = new Uint8Array(GLANCE)
  let isTooLong = false
  return {
    sync:
      monotonic === undefined ? () => waits.inThePool(file.get()) : createSync(file.get, waits, monotonic),
    isShort: () => {
      if (isTooLong) return false
      const glance = fstatSync(file.get()).size - LEAST_ROOM
      if (glance < 0) return true
      const length = readSync(file.get(), seen, 0, GLANCE, glance)
      return Buffer.compare(seen.subarray(0, length), ZEROS.subarray(0, length)) !== 0
    },
    lengthen: () => {
      try {
        writeSync(file.get(), ZEROS, 0, ROOM, fstatSync(file.get()).size)
      } catch {
        // A full disk: the next commits will say so, and need what is left of it.
        isTooLong = true
      }
    },
    close: file.close,
  }
}
