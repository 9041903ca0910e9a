// Owns claiming, extending and reaping: who may run an action until when. One probe per lane that was offered, each an
// index range; a row that cannot be read is set aside, so that it never stops the others.

import type { ActionError } from '../../core/action-error.ts'
import type { Claim, ClaimedAction, ClaimRequest, Extended } from '../store.ts'
import { type ClaimRecord, toClaimed } from './rows.ts'
import { seal } from './sealed.ts'
import type { Statements } from './statements.ts'
import type { Work } from './work.ts'

const UNREADABLE: ActionError = {
  type: 'invalid_configuration',
  message: 'the stored action does not fit its checksum: the file is damaged, restore the last backup',
  retryable: false,
}

/** Dead, where a person sees it; nothing of it is sent. */
export const quarantine = (work: Work, row: ClaimRecord, at: number): void => {
  work.sql.endAction.run({
    row: row.row,
    status: 'dead',
    attempt: row.attempt,
    lost: row.lost,
    reaps: row.reaps,
    started_at: null,
    finished_at: at,
    error: seal(UNREADABLE),
    fingerprint: 'unreadable',
  })
  work.count(row, 'actions.open', at, -1)
  work.count(row, 'actions.dead', at, 1)
}

/** The rows to take, in the order of the shares, until the batch or the bytes are used up. */
const probe = (sql: Statements, request: ClaimRequest, now: number): readonly number[] => {
  const rows: number[] = []
  let bytes = 0
  for (const { lane, n } of request.shares) {
    const limit = Math.min(n, request.batch - rows.length)
    // A lane that is not positive is parked, or nobody's.
    if (limit <= 0 || lane <= 0) continue
    for (const { row, size } of sql.probeLane.all<{ row: number; size: number }>({ lane, now, limit })) {
      bytes += size
      if (bytes > request.byteBudget && rows.length > 0) return rows
      rows.push(row)
    }
  }
  return rows
}

export const claimActions = (work: Work, request: ClaimRequest): readonly ClaimedAction[] => {
  const { sql } = work
  const clock = sql.clock.get<{ now: number }>()!.now
  const { now = clock, lease = clock, nonce, worker, leaseMs } = request
  const claim = { nonce, worker, lease_until: lease + leaseMs }
  const claimed = probe(sql, request, now).flatMap((row) => {
    const taken = sql.claimAction.get<ClaimRecord>({ row, ...claim })!
    try {
      return [toClaimed(taken)]
    } catch {
      quarantine(work, taken, now)
      return []
    }
  })
  work.flush()
  return claimed
}

export const extendLeases = (sql: Statements, claims: readonly Claim[], leaseUntil: number): Extended => {
  const lost: string[] = []
  const cancelled: string[] = []
  for (const { id, token, nonce } of claims) {
    const row = sql.extendLease.get<{ cancel_requested: number }>({
      id,
      token,
      nonce,
      lease_until: leaseUntil,
    })
    if (row === undefined) lost.push(id)
    else if (row.cancel_requested === 1) cancelled.push(id)
  }
  return { lost, cancelled }
}
