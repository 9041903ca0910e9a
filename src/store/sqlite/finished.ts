// Owns the actions that a transaction has ended and not yet moved: they go to the history together, in the order they ended,
// by one statement instead of two for each. Until then a row is still there, and whoever would read it asks here first.

import { LostMember } from './lost.ts'
import type { Statements } from './statements.ts'

/** What its end adds to a row. */
export interface Ending {
  readonly status: 'succeeded' | 'cancelled' | 'skipped' | 'dead' | 'review'
  readonly finishedAt: number
  readonly archivedAt?: number
  readonly attempt: number
  readonly lost: number
  readonly reaps: number
  readonly startedAt: number | null
  /** Sealed. */
  readonly error: string | null
  /** Sealed. */
  readonly result?: string | null
}

export interface Finished {
  /** Out of the live rows, into the history, with all that have ended. */
  readonly finish: (id: string, row: number, ending: Ending) => void
  /** Ended in this transaction, and its row is still there. */
  readonly hasFinished: (id: string) => boolean
  readonly moveFinished: () => void
}

export const createFinished = (sql: Statements): Finished => {
  const ended = new Map<string, { readonly row: number; readonly ending: Ending }>()
  return {
    finish: (id, row, ending) => void ended.set(id, { row, ending }),
    hasFinished: (id) => ended.has(id),
    moveFinished: () => {
      if (ended.size === 0) return
      const moves = Array.from(ended.values(), ({ row, ending }) => [
        row,
        ending.status,
        ending.attempt,
        ending.lost,
        ending.reaps,
        ending.startedAt,
        ending.finishedAt,
        ending.archivedAt ?? null,
        ending.error,
        ending.result ?? null,
      ])
      const moved = sql.moveActions.run({ moves: JSON.stringify(moves) })
      if (moved < moves.length) throw new LostMember('conflict', ended.keys().next().value!)
      sql.deleteActions.run({ rows: JSON.stringify(moves.map(([row]) => row)) })
      ended.clear()
    },
  }
}
