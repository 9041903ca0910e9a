// Owns copying a WAL into its file (SQLite: a passive checkpoint), on a connection that does nothing else. A passive one waits
// for nobody and holds nobody up; what is committed meanwhile it leaves. So it is made in rounds, each shorter than the last.
// SQLite waits for the disk twice: for the WAL before it copies, and, where a round got to the end of the WAL, for the file.
// Only then does it call the WAL copied, and only then does the next who writes begin it anew: at no time is what was
// committed in neither of the two, whoever dies when.

import type { DatabaseSync, StatementSync } from 'node:sqlite'

/** In frames, each a page. */
export interface Extent {
  readonly written: number
  readonly copied: number
}

export interface Copied extends Extent {
  /** Much is left: somebody else copies, or reads what would be written over. */
  readonly isHeldUp: boolean
}

export interface Rounds {
  /** Until little comes to it from one round to the next. */
  readonly most: () => Copied
  /** What is left, in one round: all of it if nobody commits meanwhile. */
  readonly rest: () => Copied
}

type Answer = readonly [busy: number, written: number, copied: number]

const prepare = (db: DatabaseSync, mode: 'noop' | 'passive'): (() => Answer) => {
  let prepared: StatementSync | undefined
  return () => {
    if (prepared === undefined) {
      prepared = db.prepare(`pragma wal_checkpoint(${mode})`)
      prepared.setReturnArrays(true)
    }
    return prepared.get() as unknown as Answer
  }
}

/** How much there is of a WAL: less than two microseconds. */
export const createExtent = (db: DatabaseSync): (() => Extent) => {
  const ask = prepare(db, 'noop')
  return () => {
    const [, written, copied] = ask()
    return { written, copied }
  }
}

/** A round of fewer is over within a millisecond, if it does not wait for the disk. */
const FEW = 256
/** Of so many small rounds one gets to the end of the WAL, and has what was copied before brought to the disk. */
const SMALL_ROUNDS = 4
/** Against whoever writes faster than is copied. */
const MOST_ROUNDS = 24

export const createRounds = (db: DatabaseSync): Rounds => {
  const ask = prepare(db, 'passive')
  const extent = createExtent(db)
  const round = (): Copied => {
    const [busy, written, copied] = ask()
    return { written, copied, isHeldUp: busy !== 0 || written - copied >= FEW }
  }
  return {
    most: () => {
      let before = extent().copied
      for (let rounds = 1, small = 0; ; rounds++) {
        const made = round()
        const isStuck = made.isHeldUp && made.copied <= before
        if (made.copied - before < FEW) small += 1
        if (isStuck || small === SMALL_ROUNDS || rounds === MOST_ROUNDS) return made
        before = made.copied
      }
    },
    rest: round,
  }
}

/**
 * Before 3.51.3 SQLite could take a WAL that was begun anew for one that was copied, if somebody began to copy in the same
 * moment (https://sqlite.org/wal.html#walresetbug): rare between two processes, but not where a thread copies all day. Nor can an
 * older one say how much there is.
 */
export const isSafe = (version: string): boolean => {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number)
  return major > 3 || (major === 3 && (minor > 51 || (minor === 51 && patch >= 3)))
}
