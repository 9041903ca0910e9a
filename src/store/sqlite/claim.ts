// Owns claiming and extending: who may run an action until when. One probe per lane that was offered, each an index
// range.

import type { Claim, ClaimedAction, ClaimRequest, Extended, UnreadableAction } from '../store.ts'
import { type ClaimRecord, toClaimed } from './rows.ts'
import type { Statements } from './statements.ts'

type ProbedRecord = Omit<ClaimRecord, 'nonce' | 'lease_until'> & { readonly size: number }

/** The rows to take, in the order of the shares, until the batch or the bytes are used up. */
const probe = (sql: Statements, request: ClaimRequest, now: number): readonly ProbedRecord[] => {
  const rows: ProbedRecord[] = []
  let bytes = 0
  for (const { lane, n } of request.shares) {
    const limit = Math.min(n, request.batch - rows.length)
    // A lane that is not positive is parked, or nobody's.
    if (limit <= 0 || lane <= 0) continue
    for (const row of sql.probeLane.each<ProbedRecord>({ lane, now, limit })) {
      bytes += row.size
      if (bytes > request.byteBudget && rows.length > 0) return rows
      rows.push(row)
    }
  }
  return rows
}

export const claimActions = (
  sql: Statements,
  request: ClaimRequest,
): readonly (ClaimedAction | UnreadableAction)[] => {
  const clock = sql.clock.get<{ now: number }>()!.now
  const { now = clock, lease = clock, nonce, worker, leaseMs } = request
  const rows = probe(sql, request, now)
  if (rows.length === 0) return []
  const leaseUntil = lease + leaseMs
  const taken = JSON.stringify(rows.map(({ row }) => row))
  sql.claimActions.run({ rows: taken, nonce, worker, lease_until: leaseUntil })
  return rows.map((row) => toClaimed(row, { token: row.token + 1, nonce, leaseUntil }))
}

/** A claim that the power took is as if it had never been, unless it is the mark that an effect may have begun (KERNEL §5). */
export const mayBeForgotten = (claimed: readonly (ClaimedAction | UnreadableAction)[]): boolean =>
  claimed.every((action) => 'plan' in action && action.plan.delivery !== 'at_most_once')

export const extendLeases = (sql: Statements, claims: readonly Claim[], leaseUntil: number): Extended => {
  const lost: Claim[] = []
  const cancelled: Claim[] = []
  for (const claim of claims) {
    const { id, token, nonce } = claim
    const fence = { id, token, nonce, lease_until: leaseUntil }
    const row = sql.extendLease.get<{ cancel_requested: number }>(fence)
    if (row === undefined) lost.push(claim)
    else if (row.cancel_requested === 1) cancelled.push(claim)
  }
  return { lost, cancelled }
}
