// Owns what a commit does not read: the row of an action that succeeded is taken for what its claim says it is, and moved
// to the history only if it is (settleActions counts). A claim that no longer holds is rare: then the whole is done again,
// with every row locked and looked at, and who lost is told. It saved a third of a settlement in the process.

import type { Member, Settle, Tenancy } from '../store.ts'
import { newActionsOf } from './needs.ts'
import type { ActionState } from './states.ts'

/** Nothing in it asks for rows by anything but the claims it settles and the executions it names. */
const isPlain = (member: Member): boolean =>
  (member.control?.length ?? 0) === 0 &&
  (member.advance?.cancel.actions.length ?? 0) === 0 &&
  newActionsOf(member).every(({ plan }) => plan.dedup === undefined)

export const assumedAction = ({ namespace, tenant }: Tenancy, { claim, worker }: Settle): ActionState => ({
  id: claim.id,
  namespace,
  tenant,
  lane: 0,
  execution: null,
  status: 'running',
  due_at: 0,
  attempt: 0,
  lost: 0,
  reaps: 0,
  token: claim.token,
  nonce: claim.nonce,
  worker,
  lease_until: null,
  hold: null,
  cancel_requested: false,
  dedup_key: null,
  fingerprint: null,
  started_at: null,
  finished_at: null,
  error: null,
  assumed: claim,
})

export const isSettledSurely = ({ settlement, onlyIfExpired }: Settle): boolean =>
  settlement.status === 'succeeded' && onlyIfExpired !== true

/** By id, the rows that need not be read. */
export const assumedBy = (batch: readonly Member[]): ReadonlyMap<string, ActionState> => {
  const rows = new Map<string, ActionState>()
  if (!batch.every(isPlain)) return rows
  for (const member of batch)
    for (const settle of member.settle ?? [])
      if (isSettledSurely(settle)) rows.set(settle.claim.id, assumedAction(member, settle))
  return rows
}
