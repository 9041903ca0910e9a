// Owns an action's rows from birth to history: inserting it with its dedup key, moving it to actions_done, letting go
// of its key, and the counts that go with each. When it may do so was checked before.

import type { ActionPlan } from '../../core/action.ts'
import type { ActionError } from '../../core/action-error.ts'
import { isFullAlone } from '../../core/gathering.ts'
import { type Inserted, NOTHING, told } from '../inserted.ts'
import type { Member, NewAction, Tenancy } from '../store.ts'
import { storedPlan } from '../stored-plan.ts'
import type { FenceRecord } from './fence.ts'
import type { Ending } from './finished.ts'
import { takeIn } from './gathering.ts'
import { seal, sealOptional } from './sealed.ts'
import type { Work } from './work.ts'

export interface Born {
  readonly at: number
  readonly execution: string | null
  /** Why its rows are parked, when they are. */
  readonly parked: string | undefined
  readonly leaseNow: () => number
}

interface Held {
  readonly action: string
  readonly until: number | null
}

/** Who has a key at an instant. */
const heldBy = (
  { sql }: Work,
  { namespace, tenant }: Tenancy,
  key: string,
  at: number,
): string | undefined => {
  const held = sql.findDedup.get<Held>({ namespace, tenant, key })
  return held !== undefined && (held.until === null || held.until > at) ? held.action : undefined
}

/** Of one that may have been written before: who has its id. */
const idHolder = ({ sql }: Work, { namespace, tenant }: Tenancy, action: NewAction): string | undefined =>
  action.mayExist === true && sql.actionExists.get({ namespace, tenant, id: action.id }) !== undefined
    ? action.id
    : undefined

/** A request of a name of its own is heard once: who took it in is remembered. */
const holderOf = (work: Work, of: Tenancy, action: NewAction, at: number): string | undefined => {
  const { id, asked } = action
  if (asked === undefined) return keyHolder(work, of, action, at)
  const before = heldBy(work, of, asked.key, at)
  if (before !== undefined) return before
  const holder = keyHolder(work, of, action, at)
  const { namespace, tenant } = of
  work.sql.takeDedup.run({ namespace, tenant, key: asked.key, action: holder ?? id, until: asked.until })
  return holder
}

const keyHolder = (work: Work, of: Tenancy, { id, plan }: NewAction, at: number): string | undefined => {
  if (plan.dedup === undefined || plan.status !== 'queued') return undefined
  const key = { namespace: of.namespace, tenant: of.tenant, key: plan.dedup.key }
  const held = heldBy(work, of, plan.dedup.key, at)
  if (held !== undefined && (plan.gather === undefined || takeIn(work, of, held, plan, at))) return held
  if (isFullAlone(plan)) return undefined
  const until = plan.dedup.forMs === undefined ? null : at + plan.dedup.forMs
  work.sql.takeDedup.run({ ...key, action: id, until })
  return undefined
}

const laneOf = (work: Work, of: Tenancy, { type, runner, priority }: ActionPlan): number =>
  work.laneOf(of, runner === undefined ? type : `${type}@${runner}`, priority)

/** Each, unless another one stands for it. What they count for is counted once for all of them. */
export const insertActions = (
  work: Work,
  of: Tenancy,
  actions: readonly NewAction[],
  born: Born,
): Inserted => {
  if (actions.length === 0) return NOTHING
  const deduplicated: NonNullable<Inserted['deduplicated']>[number][] = []
  const claimed: NonNullable<Inserted['claimed']>[number][] = []
  const counted = { queued: 0, skipped: 0, dead: 0 }
  for (const action of actions) {
    const { id, plan } = action
    const existing = idHolder(work, of, action) ?? holderOf(work, of, action, born.at)
    if (existing !== undefined) {
      deduplicated.push({ id, existing })
      continue
    }
    const lane = laneOf(work, of, plan)
    const isClaimed = mayClaim(work, of, action, born)
    const row = columnsOf(of, action, lane, born, isClaimed)
    if (plan.status === 'skipped') work.sql.insertDone.run(row)
    else if (isClaimed && work.bundling !== undefined) work.bundling.begin(row)
    else work.sql.insertAction.run(row)
    counted[plan.status] += 1
    if (isClaimed) claimed.push({ id, lane })
    else if (plan.status === 'queued' && born.parked === undefined) work.wakeLane(lane)
  }
  for (const status of STATUSES)
    if (counted[status] > 0) work.count(of, COUNTED[status], born.at, counted[status])
  return told(deduplicated, claimed)
}

/** What is paused is not to begin, whoever asks: a process may not have heard of it yet. */
const mayClaim = (work: Work, of: Tenancy, { plan, claim }: NewAction, { parked }: Born): boolean =>
  claim !== undefined && plan.status === 'queued' && parked === undefined && !work.isClosed(of, plan.type)

const COUNTED = { queued: 'actions.open', skipped: 'actions.skipped', dead: 'actions.dead' }
const STATUSES = ['queued', 'skipped', 'dead'] as const

/** All that may be written of it at birth; each statement takes what it names. */
const columnsOf = (
  of: Tenancy,
  { id, source, plan, claim, fingerprint = '' }: NewAction,
  lane: number,
  { at, execution, parked, leaseNow }: Born,
  isClaimed: boolean,
) => {
  const isDead = plan.status === 'dead'
  const text = seal(storedPlan(plan, { id, createdAt: at }))
  return {
    id,
    namespace: of.namespace,
    tenant: of.tenant,
    execution,
    source_kind: source.kind,
    source_id: source.id,
    due_at: plan.dueAt,
    size: text.length,
    error: sealOptional(plan.error),
    plan: text,
    at,
    // Only what lives can be parked.
    lane: parked === undefined || plan.status === 'skipped' ? lane : -lane,
    hold: parked ?? null,
    status: isClaimed ? 'running' : plan.status,
    token: isClaimed ? 1 : 0,
    nonce: isClaimed ? claim!.nonce : null,
    worker: isClaimed ? claim!.worker : null,
    lease_until: isClaimed ? leaseNow() + claim!.leaseMs : null,
    dedup_key: isDead ? null : (plan.dedup?.key ?? null),
    fingerprint: isDead ? fingerprint : null,
    created_at: at,
    finished_at: isDead ? at : null,
  }
}

/** Out of the live rows at once: who reads them next may be part of the same member. */
export const moveToDone = (work: Work, id: string, row: number, ending: Ending): void => {
  work.finish(id, row, ending)
  work.moveFinished()
}

interface Keyed {
  readonly id: string
  readonly dedup_key: string | null
}

/** A key kept while its action is active is free when that ends; a dead action lets go of any. */
export const releaseKey = (work: Work, of: Tenancy, action: Keyed, isDead: boolean): void => {
  if (action.dedup_key === null) return
  const release = isDead ? work.sql.dropDedup : work.sql.releaseDedup
  release.run({ namespace: of.namespace, tenant: of.tenant, key: action.dedup_key, action: action.id })
}

const cancelled = (message: string): ActionError => ({ type: 'cancelled', message, retryable: false })

type Cancellable = Pick<FenceRecord, 'row' | 'attempt' | 'lost' | 'reaps' | 'started_at' | 'dedup_key'> & {
  readonly id: string
  readonly status: string
}

/** A queued action ends; a running one is asked to, and its settlement says what came of it. */
export const cancelAction = (work: Work, member: Member, action: Cancellable, reason: string): void => {
  if (action.status === 'running') {
    work.sql.requestCancel.run({ row: action.row })
    return
  }
  moveToDone(work, action.id, action.row, {
    status: 'cancelled',
    finishedAt: member.at,
    attempt: action.attempt,
    lost: action.lost,
    reaps: action.reaps,
    startedAt: action.started_at,
    error: seal(cancelled(reason)),
  })
  releaseKey(work, member, action, false)
  work.count(member, 'actions.open', member.at, -1)
  work.count(member, 'actions.cancelled', member.at, 1)
}
