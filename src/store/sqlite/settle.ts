// Owns what a settlement writes: the action's new place, the attempt, the key it lets go of. What the end of the
// attempt means was decided in core; that the claim still held was checked before.

import type { Member, Settle } from '../store.ts'
import { releaseKey } from './actions.ts'
import type { FenceRecord } from './fence.ts'
import { sealOptional } from './sealed.ts'
import type { Work } from './work.ts'

const writeAttempt = (work: Work, member: Member, settle: Settle): void => {
  const { settlement, claim } = settle
  // A success at the first try is told by the action's own row.
  if (settlement.status === 'succeeded' && settle.attempt <= 1) return
  work.sql.insertAttempt.run({
    action: claim.id,
    number: settle.attempt,
    namespace: member.namespace,
    tenant: member.tenant,
    outcome: settlement.outcome,
    reason: settlement.reason,
    started_at: settle.startedAt,
    ended_at: settle.endedAt,
    worker: settle.worker,
    error: sealOptional(settlement.error),
  })
}

const count = (work: Work, member: Member, ended: string): void => {
  work.count(member, 'actions.open', member.at, -1)
  work.count(member, ended, member.at, 1)
}

/** `row` is undefined when it was not read: it succeeded, and is moved if its claim holds. */
export const settleAction = (
  work: Work,
  member: Member,
  settle: Settle,
  row: FenceRecord | undefined,
): void => {
  writeAttempt(work, member, settle)
  if (row === undefined) {
    work.settle(member, settle)
    count(work, member, 'actions.succeeded')
  } else settleRead(work, member, settle, row)
}

const settleRead = (work: Work, member: Member, settle: Settle, row: FenceRecord): void => {
  const { settlement, claim } = settle
  const { status, lost, reaps } = settlement
  const attempt = Math.max(row.attempt, settle.attempt)
  const startedAt = row.started_at ?? (settle.attempt > 0 ? settle.startedAt : null)
  const error = sealOptional(settlement.error)
  const written = { row: row.row, attempt, lost, reaps, started_at: startedAt, error }

  if (status === 'queued') {
    const { at } = member
    work.sql.requeueAction.run({ ...written, at, due_at: settlement.dueAt ?? at, hold: null })
    work.wakeLane(row.lane)
    return
  }
  if (status === 'dead' || status === 'review') {
    const fingerprint = settle.fingerprint ?? ''
    work.sql.endAction.run({ ...written, status, finished_at: settle.endedAt, fingerprint })
  } else {
    const result = sealOptional(settlement.result)
    const finishedAt = settle.endedAt
    work.finish(claim.id, row.row, { status, attempt, lost, reaps, startedAt, finishedAt, error, result })
  }
  if (status !== 'review')
    releaseKey(work, member, { id: claim.id, dedup_key: row.dedup_key }, status === 'dead')
  count(work, member, `actions.${status}`)
}
