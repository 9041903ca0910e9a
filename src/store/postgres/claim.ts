// Owns claiming, extending and reaping: who may run an action until when. One statement each. When the answer to a
// claim is lost, what it took is found again by its nonce.

import type { Claim, ClaimedAction, ClaimRequest, Clocks, Extended, UnreadableAction } from '../store.ts'
import { keyOf } from './draft.ts'
import { type Patience, patiently } from './patience.ts'
import { type ClaimRecord, toClaimed } from './rows.ts'
import type { Statements } from './statements.ts'

type Taken = ClaimedAction | UnreadableAction

/** In the order of the shares, then oldest first. */
const inOrder = (request: ClaimRequest, rows: readonly ClaimRecord[]): readonly Taken[] => {
  const place = new Map(request.shares.map(({ lane }, index) => [lane, index]))
  const at = ({ lane }: Taken): number => place.get(lane) ?? place.size
  return rows.map(toClaimed).sort((a, b) => at(a) - at(b) || a.dueAt - b.dueAt || (a.id < b.id ? -1 : 1))
}

export const claimActions = async (
  sql: Statements,
  patience: Patience,
  request: ClaimRequest,
): Promise<readonly Taken[]> => {
  const shares = request.shares.filter(({ lane, n }) => lane > 0 && n > 0)
  if (shares.length === 0 || request.batch <= 0) return []
  let isLost = false
  const claim = async (): Promise<readonly ClaimRecord[]> => {
    if (isLost) {
      const { rows } = await sql.claimedActions<ClaimRecord>({ nonce: request.nonce })
      if (rows.length > 0) return rows
    }
    isLost = true
    const { rows } = await sql.claimActions<ClaimRecord>({
      lanes: shares.map(({ lane }) => lane),
      shares: shares.map(({ n }) => n),
      now: request.now ?? null,
      batch: request.batch,
      budget: request.byteBudget,
      lease_ms: request.leaseMs,
      nonce: request.nonce,
      worker: request.worker,
      lease: request.lease ?? null,
    })
    return rows
  }
  return inOrder(request, await patiently(patience, claim))
}

const proofOf = ({ id, token, nonce }: Claim): string => keyOf(id, token, nonce)

export const extendLeases = async (
  sql: Statements,
  claims: readonly Claim[],
  leaseMs: number,
  { lease }: Clocks,
): Promise<Extended> => {
  const sorted = claims.toSorted((a, b) => (a.id < b.id ? -1 : 1))
  const { rows } = await sql.extendLeases<Claim & { cancel_requested: boolean }>({
    ids: sorted.map(({ id }) => id),
    tokens: sorted.map(({ token }) => token),
    nonces: sorted.map(({ nonce }) => nonce),
    lease_ms: leaseMs,
    lease: lease ?? null,
  })
  const held = new Map(rows.map((row) => [proofOf(row), row.cancel_requested]))
  return {
    lost: claims.filter((claim) => !held.has(proofOf(claim))),
    cancelled: claims.filter((claim) => held.get(proofOf(claim)) === true),
  }
}
