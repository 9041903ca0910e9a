// Owns the actions that a transaction has ended and not yet moved: they go to the history together, in the order they ended,
// by one statement instead of two for each. Until then a row is still there, and whoever would read it asks here first.
// One that succeeded need not be read before: its claim is checked by the statement that moves it. That a claim no longer holds
// is rare; then the transaction is undone and made again, with every row looked at, and who lost is told.

import type { Settle, Tenancy } from '../store.ts'
import type { Bundling } from './begun.ts'
import { LostMember } from './lost.ts'
import { sealOptional } from './sealed.ts'
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
  /** The same of one that succeeded, if its claim holds. */
  readonly settle: (of: Tenancy, settle: Settle) => void
  /** Ended in this transaction, and its row is still there. */
  readonly hasFinished: (id: string) => boolean
  readonly moveFinished: () => void
}

/** As its statement takes it. */
const settledRow = ({ namespace, tenant }: Tenancy, settle: Settle) => {
  const { claim, settlement, attempt } = settle
  return {
    id: claim.id,
    token: claim.token,
    nonce: claim.nonce,
    namespace,
    tenant,
    attempt,
    lost: settlement.lost,
    reaps: settlement.reaps,
    started_at: attempt > 0 ? settle.startedAt : null,
    finished_at: settle.endedAt,
    result: sealOptional(settlement.result),
  }
}

const createSettled = (sql: Statements) => {
  const rows = new Map<string, ReturnType<typeof settledRow>>()
  return {
    rows,
    move: (): void => {
      if (rows.size === 0) return
      if (sql.settleActions.list([...rows.values()]) < rows.size)
        throw new LostMember('conflict', rows.keys().next().value!)
      sql.deleteSettled.run({ ids: JSON.stringify([...rows.keys()]) }, rows.size)
      rows.clear()
    },
  }
}

export const createFinished = (sql: Statements, bundling?: Bundling): Finished => {
  const ended = new Map<string, { readonly row: number; readonly ending: Ending }>()
  const settled = createSettled(sql)
  return {
    finish: (id, row, ending) => void ended.set(id, { row, ending }),
    settle: (of, settle) => {
      if (bundling?.settle(of, settle) !== true) settled.rows.set(settle.claim.id, settledRow(of, settle))
    },
    hasFinished: (id) =>
      (ended.size > 0 && ended.has(id)) || settled.rows.has(id) || bundling?.hasSettled(id) === true,
    moveFinished: () => {
      settled.move()
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
