// Owns an action's rows from birth to history: inserting it with its dedup key, moving it to actions_done, letting go
// of its key, and the counts that go with each. When it may do so was checked before.

import type { ActionError } from '../../core/action-error.ts'
import { PawlError } from '../../core/errors.ts'
import { isFullAlone } from '../../core/gathering.ts'
import { type Inserted, told } from '../inserted.ts'
import type { Member, NewAction, Result, Tenancy } from '../store.ts'
import { storedPlan } from '../stored-plan.ts'
import { type Draft, keyOf } from './draft.ts'
import { takeIn } from './gathering.ts'
import { closes } from './heads.ts'
import { LostMember } from './lost.ts'
import { assertNamed } from './names.ts'
import type { ActionState } from './states.ts'

export interface Born {
  readonly at: number
  readonly execution: string | null
  /** Why its rows are parked, when they are. */
  readonly parked: string | undefined
  /** Undefined: a lease begins by the clock of the database. */
  readonly leaseNow: number | undefined
}

/** Who has a key at an instant. */
const heldBy = (
  { dedup }: Draft,
  { namespace, tenant }: Tenancy,
  key: string,
  at: number,
): string | undefined => {
  const held = dedup.get(keyOf(namespace, tenant, key))
  return held !== undefined && (held.until === null || held.until > at) ? held.action : undefined
}

/** A request of a name of its own is heard once: who took it in is remembered. */
const holderOf = (draft: Draft, of: Tenancy, action: NewAction, at: number): string | undefined => {
  const { id, asked } = action
  if (asked === undefined) return keyHolder(draft, of, action, at)
  const { key, until } = asked
  const before = heldBy(draft, of, key, at)
  if (before !== undefined) return before
  const holder = keyHolder(draft, of, action, at)
  const { namespace, tenant } = of
  draft.dedup.set(keyOf(namespace, tenant, key), { namespace, tenant, key, action: holder ?? id, until })
  return holder
}

const keyHolder = (draft: Draft, of: Tenancy, { id, plan }: NewAction, at: number): string | undefined => {
  if (plan.dedup === undefined || plan.status !== 'queued') return undefined
  const { namespace, tenant } = of
  const { key, forMs } = plan.dedup
  const held = heldBy(draft, of, key, at)
  if (held !== undefined && (plan.gather === undefined || takeIn(draft, held, plan, at))) return held
  if (isFullAlone(plan)) return undefined
  const until = forMs === undefined ? null : at + forMs
  draft.dedup.set(keyOf(namespace, tenant, key), { namespace, tenant, key, action: id, until })
  return undefined
}

/** The lane's name for a type: one pinned to a runner has a lane of its own. */
export const laneType = ({ plan }: NewAction): string =>
  plan.runner === undefined ? plan.type : `${plan.type}@${plan.runner}`

/** The lane of each; mostly that of the one before. */
const lanesIn = ({ world }: Draft, of: Tenancy): ((action: NewAction) => number) => {
  let last: { readonly type: string; readonly priority: number; readonly lane: number } | undefined
  return (action) => {
    const [type, { priority }] = [laneType(action), action.plan]
    if (last?.priority !== priority || last.type !== type)
      last = { type, priority, lane: world.laneOf(of, type, priority) }
    return last.lane
  }
}

/** Who has its id, or holds its key: that one stands for it. */
const standIn = (draft: Draft, of: Tenancy, action: NewAction, at: number): string | undefined => {
  const { id } = action
  if (draft.actions.get(id) === undefined && !draft.world.known.has(id))
    return holderOf(draft, of, action, at)
  if (action.mayExist === true) return id
  throw new PawlError('commit_refused', `the action "${id.slice(0, 80)}" exists already`, { path: 'actions' })
}

/** Each, unless another one stands for it. What they count for is counted once for all of them. */
export const insertActions = (
  draft: Draft,
  of: Tenancy,
  actions: readonly NewAction[],
  born: Born,
): Inserted => {
  const laneOf = lanesIn(draft, of)
  const deduplicated: NonNullable<Result['deduplicated']>[number][] = []
  const claimed: NonNullable<Result['claimed']>[number][] = []
  const woken = new Set<number>()
  const counted = { queued: 0, skipped: 0, dead: 0 }
  for (const action of actions) {
    const { id, plan } = action
    assertNamed(of, id, 'actions')
    const existing = standIn(draft, of, action, born.at)
    if (existing !== undefined) {
      deduplicated.push({ id, existing })
      continue
    }
    const lane = laneOf(action)
    const isClaimed = mayClaim(draft, of, action, born)
    draft.actions.set(id, newRow(of, action, lane, born, isClaimed))
    counted[plan.status] += 1
    if (isClaimed) claimed.push({ id, lane })
    else if (plan.status === 'queued' && born.parked === undefined) woken.add(lane)
  }
  for (const status of STATUSES)
    if (counted[status] > 0) draft.count(of, COUNTED[status], born.at, counted[status])
  for (const lane of woken) draft.wakeLane(lane)
  return told(deduplicated, claimed)
}

/** What is paused is not to begin, whoever asks: a process may not have heard of it yet. */
const mayClaim = (
  { pauses }: Draft,
  { namespace, tenant }: Tenancy,
  { plan, claim }: NewAction,
  { parked }: Born,
): boolean =>
  claim !== undefined &&
  plan.status === 'queued' &&
  parked === undefined &&
  !pauses.all().some((pause) => closes(pause, { namespace, tenant, type: plan.type }))

const COUNTED = { queued: 'actions.open', skipped: 'actions.skipped', dead: 'actions.dead' }
const STATUSES = ['queued', 'skipped', 'dead'] as const

/** It differs from others in what `insertQueued` takes, and in nothing else. What may be met by others keeps to one order. */
const isPlain = ({ id, isDrawn, plan, source }: NewAction, born: Born, isClaimed: boolean): boolean =>
  isDrawn === true &&
  !isClaimed &&
  plan.status === 'queued' &&
  source.kind === 'direct' &&
  source.id === id &&
  born.execution === null &&
  born.parked === undefined

const newRow = (
  of: Tenancy,
  action: NewAction,
  lane: number,
  born: Born,
  isClaimed: boolean,
): ActionState => {
  const { id, plan, source, claim, fingerprint = '' } = action
  const { at, parked, leaseNow, execution } = born
  const isDead = plan.status === 'dead'
  const text = JSON.stringify(storedPlan(plan, { id, createdAt: at }))
  const row: ActionState = {
    id,
    namespace: of.namespace,
    tenant: of.tenant,
    execution,
    lane: parked === undefined ? lane : -lane,
    hold: parked ?? null,
    status: isClaimed ? 'running' : plan.status,
    due_at: plan.dueAt,
    attempt: 0,
    lost: 0,
    reaps: 0,
    token: isClaimed ? 1 : 0,
    nonce: isClaimed ? claim!.nonce : null,
    worker: isClaimed ? claim!.worker : null,
    lease_until: isClaimed && leaseNow !== undefined ? leaseNow + claim!.leaseMs : null,
    cancel_requested: false,
    dedup_key: plan.status === 'queued' ? (plan.dedup?.key ?? null) : null,
    fingerprint: isDead ? fingerprint : null,
    started_at: null,
    finished_at: plan.status === 'queued' ? null : at,
    error: plan.error ?? null,
    birth: { plan, isPlain: isPlain(action, born, isClaimed) },
    source_kind: source.kind,
    source_id: source.id,
    size: text.length,
    marked: plan.delivery === 'at_most_once',
    lease_ms: isClaimed && leaseNow === undefined ? claim!.leaseMs : null,
    created_at: at,
    plan: text,
  }
  return plan.status === 'skipped' ? { ...row, ended: { archived_at: null, result: null } } : row
}

/** A parked row keeps saying why it is parked. */
export const holdOf = (row: ActionState, hold: string | null): string | null =>
  row.lane < 0 ? row.hold : hold

/** One that is to be cancelled is due at once: whoever claims it next ends it. */
export const dueOf = (row: ActionState, { at }: Member, dueAt = at): number =>
  row.cancel_requested ? at : dueAt

/** Out of the live rows, into the history. */
export const moveToDone = (
  draft: Draft,
  row: ActionState,
  change: Partial<ActionState>,
  ended: NonNullable<ActionState['ended']>,
): void => {
  if (draft.actions.get(row.id)?.ended !== undefined) throw new LostMember('conflict', row.id)
  draft.actions.set(row.id, { ...row, ...change, ended })
}

/** A key kept while its action is active is free when that ends; a dead action lets go of any. */
export const releaseKey = (draft: Draft, row: ActionState, isDead: boolean): void => {
  if (row.dedup_key === null) return
  const key = keyOf(row.namespace, row.tenant, row.dedup_key)
  const held = draft.dedup.get(key)
  if (held?.action === row.id && (isDead || held.until === null)) draft.dedup.set(key, undefined)
}

const cancelled = (message: string): ActionError => ({ type: 'cancelled', message, retryable: false })

/** A queued action ends; a running one is asked to, and its settlement says what came of it. */
export const cancelAction = (draft: Draft, member: Member, row: ActionState, reason: string): void => {
  if (row.status === 'running') {
    draft.actions.set(row.id, { ...row, cancel_requested: true })
    return
  }
  const change = { status: 'cancelled' as const, finished_at: member.at, error: cancelled(reason) }
  moveToDone(draft, row, change, { archived_at: null, result: null })
  releaseKey(draft, row, false)
  draft.count(member, 'actions.open', member.at, -1)
  draft.count(member, 'actions.cancelled', member.at, 1)
}
