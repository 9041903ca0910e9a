// Owns claiming and extending: who may run an action until when. One probe per lane that was offered, each an index
// range.

import type { Claim, ClaimedAction, ClaimRequest, Extended, UnreadableAction } from '../store.ts'
import { planOrWhy } from './rows.ts'
import type { Statements } from './statements.ts'

/** The columns of `probeLane`, in its order. */
type Probed = readonly [
  row: number,
  size: number,
  id: string,
  namespace: string,
  tenant: string,
  lane: number,
  execution: string | null,
  sourceKind: ClaimedAction['source']['kind'],
  sourceId: string,
  dueAt: number,
  attempt: number,
  lost: number,
  reaps: number,
  token: number,
  cancelRequested: number,
  createdAt: number,
  plan: string,
]

/** The rows to take, in the order of the shares, until the batch or the bytes are used up. */
const probe = (sql: Statements, request: ClaimRequest, now: number): readonly Probed[] => {
  const rows: Probed[] = []
  let bytes = 0
  for (const { lane, n } of request.shares) {
    const limit = Math.min(n, request.batch - rows.length)
    // A lane that is not positive is parked, or nobody's.
    if (limit <= 0 || lane <= 0) continue
    for (const row of sql.probeLane.each<Probed>({ lane, now, limit })) {
      bytes += row[1]
      if (bytes > request.byteBudget && rows.length > 0) return rows
      rows.push(row)
    }
  }
  return rows
}

/** By their places: a claim reads as many as a batch, and a list is not taken apart for nothing. */
const toClaimed = (probed: Probed, nonce: string, leaseUntil: number): ClaimedAction | UnreadableAction => {
  const id = probed[2]
  return {
    id,
    namespace: probed[3],
    tenant: probed[4],
    lane: probed[5],
    execution: probed[6],
    source: { kind: probed[7], id: probed[8] },
    dueAt: probed[9],
    attempt: probed[10],
    lost: probed[11],
    reaps: probed[12],
    token: probed[13] + 1,
    cancelRequested: probed[14] === 1,
    createdAt: probed[15],
    nonce,
    leaseUntil,
    ...planOrWhy({ id, created_at: probed[15], plan: probed[16] }),
  }
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
  const taken = JSON.stringify(rows.map(([row]) => row))
  sql.claimActions.run({ rows: taken, nonce, worker, lease_until: leaseUntil })
  return rows.map((row) => toClaimed(row, nonce, leaseUntil))
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
