// Owns what a settlement writes: the action's new place, the attempt, the key it lets go of. What the end of the
// attempt means was decided in core; that the claim still held was checked before.

import type { Member, Settle } from '../store.ts'
import { dueOf, holdOf, moveToDone, releaseKey } from './actions.ts'
import type { Draft } from './draft.ts'
import type { ActionState } from './states.ts'

const writeAttempt = (draft: Draft, member: Member, settle: Settle): void => {
  const { settlement, claim } = settle
  // A success at the first try is told by the action's own row.
  if (settlement.status === 'succeeded' && settle.attempt <= 1) return
  draft.attempts.add({
    action: claim.id,
    number: settle.attempt,
    namespace: member.namespace,
    tenant: member.tenant,
    outcome: settlement.outcome,
    reason: settlement.reason,
    started_at: settle.startedAt,
    ended_at: settle.endedAt,
    worker: settle.worker,
    error: settlement.error === undefined ? null : { ...settlement.error },
  })
}

/** One that succeeded and was not read: what its row was is told by the row. */
const settleAssumed = (draft: Draft, member: Member, settle: Settle, row: ActionState): void => {
  const { settlement, attempt, startedAt, endedAt } = settle
  const { lost, reaps, result } = settlement
  draft.actions.set(row.id, {
    ...row,
    status: 'succeeded',
    attempt,
    lost,
    reaps,
    started_at: attempt > 0 ? startedAt : null,
    finished_at: endedAt,
    ended: { archived_at: null, result: result === undefined ? null : JSON.stringify(result) },
  })
  draft.count(member, 'actions.open', member.at, -1)
  draft.count(member, 'actions.succeeded', member.at, 1)
}

export const settleAction = (draft: Draft, member: Member, settle: Settle, row: ActionState): void => {
  writeAttempt(draft, member, settle)
  if (row.assumed === undefined) settleRead(draft, member, settle, row)
  else settleAssumed(draft, member, settle, row)
}

const settleRead = (draft: Draft, member: Member, settle: Settle, row: ActionState): void => {
  const { settlement } = settle
  const { status, lost, reaps } = settlement
  const written = {
    lost,
    reaps,
    attempt: Math.max(row.attempt, settle.attempt),
    started_at: row.started_at ?? (settle.attempt > 0 ? settle.startedAt : null),
    error: settlement.error ?? null,
    nonce: null,
    lease_until: null,
  }
  if (status === 'queued') {
    const due_at = dueOf(row, member, settlement.dueAt)
    draft.actions.set(row.id, { ...row, ...written, status, due_at, worker: null, hold: holdOf(row, null) })
    draft.wakeLane(row.lane)
    return
  }
  const ending = { ...written, status, finished_at: settle.endedAt }
  if (status === 'dead' || status === 'review')
    draft.actions.set(row.id, { ...row, ...ending, fingerprint: settle.fingerprint ?? '' })
  else {
    const { result } = settlement
    const text = result === undefined ? null : JSON.stringify(result)
    moveToDone(draft, row, ending, { archived_at: null, result: text })
  }
  if (status !== 'review') releaseKey(draft, row, status === 'dead')
  draft.count(member, 'actions.open', member.at, -1)
  draft.count(member, `actions.${status}`, member.at, 1)
}
