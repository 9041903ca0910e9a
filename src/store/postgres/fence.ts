// Owns the fence: a change to a claimed action holds only while the row is running under this very claim, token and
// nonce, in the member's own tenant. A zombie's late write finds another nonce and changes nothing.

import type { Claim, Tenancy } from '../store.ts'
import type { Draft } from './draft.ts'
import type { ActionState } from './states.ts'

/** The live row, whatever the members before made of it. */
export const findLive = (draft: Draft, of: Tenancy, id: string): ActionState | undefined => {
  const row = draft.actions.get(id)
  const isOwn = row !== undefined && row.namespace === of.namespace && row.tenant === of.tenant
  return isOwn && row.ended === undefined ? row : undefined
}

/** The row, while the claim still holds it; with `expiredAt`, only once its lease has run out. */
export const fenced = (
  draft: Draft,
  of: Tenancy,
  claim: Claim,
  expiredAt: number | undefined,
): ActionState | undefined => {
  const row = findLive(draft, of, claim.id)
  const holds =
    row?.status === 'running' &&
    row.token === claim.token &&
    row.nonce === claim.nonce &&
    (expiredAt === undefined || row.lease_until! <= expiredAt)
  return holds ? row : undefined
}
