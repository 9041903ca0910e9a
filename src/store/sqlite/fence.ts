// Owns the fence: a change to a claimed action holds only while the row is running under this very claim, token and
// nonce, in the member's own tenant. A zombie's late write finds another nonce and changes nothing.

import type { Claim, Tenancy } from '../store.ts'
import type { Statements } from './statements.ts'

/** The live row behind a claim or a control. */
export interface FenceRecord extends Tenancy {
  readonly row: number
  readonly lane: number
  readonly status: 'queued' | 'running' | 'dead' | 'review'
  readonly token: number
  readonly nonce: string | null
  readonly lease_until: number | null
  readonly attempt: number
  readonly lost: number
  readonly reaps: number
  readonly started_at: number | null
  readonly finished_at: number | null
  readonly dedup_key: string | null
  readonly fingerprint: string | null
  readonly error: string | null
}

/** The row, while the claim still holds it; with `expiredAt`, only once its lease has run out. */
export const fenced = (
  sql: Statements,
  of: Tenancy,
  claim: Claim,
  expiredAt: number | undefined,
): FenceRecord | undefined => {
  const row = sql.findFence.get<FenceRecord>({ id: claim.id })
  const holds =
    row?.status === 'running' &&
    row.token === claim.token &&
    row.nonce === claim.nonce &&
    row.namespace === of.namespace &&
    row.tenant === of.tenant &&
    (expiredAt === undefined || row.lease_until! <= expiredAt)
  return holds ? row : undefined
}
