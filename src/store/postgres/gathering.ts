// Owns taking a request into the action that waits for others of its key, over PostgreSQL. Whether it may, and what it
// becomes, is core's.

import type { ActionPlan } from '../../core/action.ts'
import { gatherInto } from '../../core/gathering.ts'
import { storedPlan } from '../stored-plan.ts'
import { type Draft, type GatheringRow, keyOf } from './draft.ts'
import { Overtaken } from './faults.ts'
import type { ActionState } from './states.ts'

/** False: the new one begins a row of its own, and takes the key. */
export const takeIn = (draft: Draft, id: string, more: ActionPlan, at: number): boolean => {
  const row = draft.actions.get(id)
  const waiting = row && waitingOf(draft, row)
  if (row === undefined || waiting === undefined) {
    // It took the key after the keys were looked up, so that it is not locked; one that was looked for is not there.
    if (!draft.world.sought.has(id)) throw new Overtaken('a key was taken meanwhile')
    return false
  }
  if (row.status !== 'queued' || row.attempt + row.lost + row.reaps > 0) return false
  const { plan, created_at: createdAt } = waiting
  const gathered = gatherInto({ plan, dueAt: row.due_at, createdAt }, more, at)
  amend(draft, row, { ...waiting, plan: gathered?.plan ?? plan }, gathered?.dueAt ?? at)
  draft.wakeLane(row.lane)
  if (gathered?.isFull) draft.dedup.set(keyOf(row.namespace, row.tenant, more.dedup!.key), undefined)
  return gathered !== undefined
}

/** One that was born in this very commit has its plan with it. */
const waitingOf = (draft: Draft, { id, birth, created_at }: ActionState): GatheringRow | undefined =>
  birth === undefined ? draft.amended.get(id) : { id, created_at: created_at!, plan: birth.plan }

const amend = (draft: Draft, row: ActionState, to: GatheringRow, due_at: number): void => {
  if (row.birth === undefined) {
    draft.actions.set(row.id, { ...row, due_at })
    draft.amended.set(row.id, to)
  } else {
    const plan = JSON.stringify(storedPlan(to.plan, { id: to.id, createdAt: to.created_at }))
    draft.actions.set(row.id, { ...row, due_at, birth: { plan: to.plan }, plan, size: plan.length })
  }
}
