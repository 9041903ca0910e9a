// Owns taking a request into the action that waits for others of its key, over SQLite. Whether it may, and what it
// becomes, is core's.

import type { ActionPlan } from '../../core/action.ts'
import { gatherInto } from '../../core/gathering.ts'
import type { Tenancy } from '../store.ts'
import { storedPlan } from '../stored-plan.ts'
import type { FenceRecord } from './fence.ts'
import { type ActionRecord, toAction } from './rows.ts'
import { seal } from './sealed.ts'
import type { Work } from './work.ts'

/** False: the new one begins a row of its own, and takes the key. */
export const takeIn = (work: Work, of: Tenancy, id: string, more: ActionPlan, at: number): boolean => {
  const { namespace, tenant } = of
  const row = work.sql.findFence.get<FenceRecord>({ id })
  if (row?.status !== 'queued' || row.attempt + row.lost + row.reaps > 0) return false
  const { plan, dueAt, createdAt } = toAction(
    work.sql.readAction.get<ActionRecord>({ namespace, tenant, id })!,
  )
  const gathered = gatherInto({ plan, dueAt, createdAt }, more, at)
  const text = seal(storedPlan(gathered?.plan ?? plan, { id, createdAt }))
  work.sql.amendAction.run({ row: row.row, due_at: gathered?.dueAt ?? at, size: text.length, plan: text })
  work.wakeLane(row.lane)
  if (gathered?.isFull) work.sql.dropDedup.run({ namespace, tenant, key: more.dedup!.key, action: id })
  return gathered !== undefined
}
