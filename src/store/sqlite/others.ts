// Owns noticing that somebody else writes to the file: another process, or another connection of this one. What the scribe writes
// (scribe.ts) is this process's own.

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

/** What this process writes by another connection than the one that looks. */
export interface Partner {
  /** Whether something of it may just be being written. */
  readonly isWriting: () => boolean
  /** Another number with everything it was given, and with every end of it. */
  readonly turns: () => number
  /** How often it saw that neither it nor the one that looks had written last. */
  readonly strangers: () => number
}

export const NO_PARTNER: Partner = { isWriting: () => false, turns: () => 0, strangers: () => 0 }

/** `ours`: the partner has written since, and behind that others may have. */
export type Change = 'none' | 'ours' | 'others'

/** What has been committed by others since it was last asked? Nothing, the first time. Throws while the file cannot be read. */
export const createLookout = (db: DatabaseSync, partner: Partner): (() => Change) => {
  const version = createVersion(db)
  let last: { readonly seen: unknown; readonly turns: number; readonly strangers: number } | undefined
  return () => {
    const before = last
    last = { seen: version(), turns: partner.turns(), strangers: partner.strangers() }
    if (before === undefined) return 'none'
    if (last.strangers !== before.strangers) return 'others'
    if (last.turns !== before.turns || partner.isWriting()) return 'ours'
    return last.seen === before.seen ? 'none' : 'others'
  }
}
