// Owns the end of an attempt: what it means is asked of core, then the settlement, its result event and, where this
// process can decide, the next step of the owning execution are one commit.
// S1  Settled once: a claim that is no longer this worker's settles nothing, and what it had to say is kept as evidence.

import type { ActionError } from '../core/action-error.ts'
import { droppedEvent, type Event, failedEvent, succeededEvent } from '../core/event.ts'
import { fingerprint } from '../core/fingerprint.ts'
import type { Json, JsonObject } from '../core/json.ts'
import { type Outcome, type Settlement, settle } from '../core/settle.ts'
import type {
  ClaimedAction,
  Control,
  Member,
  Recorded,
  Result,
  Settle,
  UnreadableAction,
} from '../store/store.ts'
import type { Alerts } from './alerts.ts'
import type { Clock } from './clock.ts'
import type { Commit } from './committer.ts'
import type { Intake, Move, Moved } from './move.ts'

/** One attempt that is over, or that never began. */
export interface Ended {
  readonly action: ClaimedAction
  readonly outcome: Outcome
  /** The number of the start this ends; the count before when the runner never started. */
  readonly attempt: number
  readonly startedAt: number
  readonly endedAt: number
  readonly worker: string
  readonly cancelRequested: boolean
  /** Reaping: only while the lease has really run out. */
  readonly isReaped?: boolean
  /** What the runner says the effect cost. */
  readonly costEstimate?: number | undefined
}

export interface Settling {
  /** What the action came to; undefined when the claim was no longer this worker's. */
  readonly settle: (ended: Ended) => Promise<Settlement | undefined>
  /** A row nobody can read: dead, and its execution hears of it. */
  readonly bury: (action: UnreadableAction, worker: string) => Promise<void>
}

const MAX_RESULT = 16 * 1024

/** What is kept of a result in the action's row; the event carries all of it. */
const keptResult = (result: Json): Json => {
  if (result === null || typeof result === 'number' || typeof result === 'boolean') return result
  const bytes = Buffer.byteLength(JSON.stringify(result))
  return bytes <= MAX_RESULT ? result : { omitted: `a result of ${bytes} bytes; ${MAX_RESULT} are kept` }
}

interface SettlingParts {
  readonly move: Move
  readonly commit: Commit
  readonly clock: Clock
  /** What a critical failure raises, in the same commit. */
  readonly alerts?: Pick<Alerts, 'raisedBy'> | undefined
  /** Is told of every settlement that was written. */
  readonly onSettled?: ((ended: Ended, settlement: Settlement) => void) | undefined
  readonly observer?: { readonly settled: (ended: Ended, settlement: Settlement) => void } | undefined
}

export const createSettling = (parts: SettlingParts): Settling => ({
  settle: (ended) => {
    const { action, attempt, endedAt } = ended
    const settlement = settlementOf(ended, parts.clock.now())
    const event = action.execution === null ? undefined : resultEvent(action, settlement, endedAt)
    const told = event || settlement.status !== 'succeeded' ? toldOf(action, settlement, attempt) : NOTHING
    const raised = parts.alerts?.raisedBy(action, settlement, attempt, placeIn(ended.outcome)) ?? NONE
    const part = settleOf(ended, settlement)
    const tell = (isWritten: boolean): Settlement | undefined => {
      if (!isWritten) return undefined
      parts.onSettled?.(ended, settlement)
      parts.observer?.settled(ended, settlement)
      return settlement
    }
    // Two hundred at a time are waited for: with no function that awaits where there is one wait.
    if (event !== undefined) return keptBy(parts, action, part, event, told, raised).then(tell)
    const member = memberOf(parts.clock, action, part, told, raised)
    return parts.commit(member).then((result) => tell(isKept(result)))
  },
  bury: async (action, worker) => {
    const { id, token, attempt } = action
    const part = burial(action, worker, parts.clock.now())
    const event = failedEvent(
      { id, name: id, settlement: token },
      'dead',
      part.settlement.error!,
      part.endedAt,
    )
    const told = { action: id, attempt, reason: 'not_retryable', status: 'dead' }
    const { kind } = await moveBy(parts, action, part, event, told, [])
    if (kind === 'missing') isKept(await parts.commit(memberOf(parts.clock, action, part, told, [])))
  },
})

type Owned = Pick<ClaimedAction, 'namespace' | 'tenant' | 'execution'>

const NOBODY: Moved = { kind: 'missing' }
const NOTHING: JsonObject = {}
const NONE: readonly Control[] = []

/** With what its execution makes of it, or by itself. False: the claim was no longer this worker's. */
const keptBy = async (
  parts: SettlingParts,
  action: ClaimedAction,
  part: Settle,
  event: Event,
  told: JsonObject,
  raised: readonly Control[],
): Promise<boolean> => {
  const { kind } = await moveBy(parts, action, part, event, told, raised)
  if (kind !== 'missing') return kind !== 'fenced'
  return isKept(await parts.commit(memberOf(parts.clock, action, part, told, raised)))
}

/** With what its execution makes of it. `missing`: there is none, and it is written by itself. */
const moveBy = (
  { move }: SettlingParts,
  { namespace, tenant, execution }: Owned,
  part: Settle,
  event: Event,
  told: JsonObject,
  control: readonly Control[],
): Promise<Moved> | Moved => {
  if (execution === null) return NOBODY
  const intake: Intake = {
    consumed: [{ event, from: 'result' }],
    settle: [part],
    settled: [{ event: event.id, told }],
  }
  return move({ namespace, tenant, id: execution }, control.length > 0 ? { ...intake, control } : intake)
}

/** False: the claim was no longer this worker's. */
const isKept = (result: Result): boolean => {
  if (result.status === 'refused') throw result.error
  return result.status === 'ok'
}

/** A settlement by itself. */
const memberOf = (
  clock: Clock,
  { namespace, tenant, execution }: Owned,
  part: Settle,
  told: JsonObject,
  control: readonly Control[],
): Member => {
  const { lease } = clock.clocks()
  const isSuccess = part.settlement.status === 'succeeded'
  const member = { namespace, tenant, at: clock.now(), settle: [part] }
  if (isSuccess && lease === undefined && control.length === 0) return member
  return {
    ...member,
    ...(lease !== undefined && { lease }),
    ...(control.length > 0 && { control }),
    ...(!isSuccess && { record: [record(part, execution, told)] }),
  }
}

const settlementOf = ({ action, outcome, attempt, cancelRequested }: Ended, now: number): Settlement => {
  const { plan, lost, reaps } = action
  const { stepKey, delivery, retryPolicy, expiresAt } = plan
  const running = {
    status: 'running' as const,
    stepKey,
    delivery,
    retryPolicy,
    attempt,
    lost,
    reaps,
    cancelRequested,
  }
  return settle(expiresAt === undefined ? running : { ...running, expiresAt }, outcome, now)!
}

const placeIn = (outcome: Outcome): string | undefined =>
  outcome.kind === 'failed' ? outcome.failure.place : undefined

const settleOf = (
  { action, attempt, worker, startedAt, endedAt, isReaped, outcome }: Ended,
  settlement: Settlement,
): Settle => {
  const { id, token, nonce, plan } = action
  const { status, result, error } = settlement
  const kept = result === undefined ? undefined : keptResult(result)
  const part: Settle = {
    claim: { id, token, nonce },
    settlement: kept === undefined || kept === result ? settlement : { ...settlement, result: kept },
    worker,
    attempt,
    startedAt,
    endedAt,
  }
  if (status === 'succeeded' && plan.dedup === undefined) return part
  return {
    ...part,
    ...(plan.dedup !== undefined && { isKeyed: true as const }),
    ...(isReaped && { onlyIfExpired: true }),
    ...((status === 'dead' || status === 'review') && {
      fingerprint: fingerprint(plan.type, error!, placeIn(outcome)),
    }),
  }
}

const burial = (action: UnreadableAction, worker: string, now: number): Settle => {
  const { id, token, nonce, attempt, lost, reaps, unreadable } = action
  const error: ActionError = {
    type: 'invalid_configuration',
    message: `the stored action cannot be read: ${unreadable.message}`.slice(0, 500),
    retryable: false,
    code: unreadable.code,
  }
  return {
    claim: { id, token, nonce },
    settlement: { status: 'dead', outcome: 'failed', reason: 'not_retryable', lost, reaps, error },
    worker,
    attempt,
    startedAt: now,
    endedAt: now,
    fingerprint: fingerprint('unreadable', error),
  }
}

/** What the owning execution hears; nothing while it is tried again; that it was dropped only if it counts its own. */
const resultEvent = (
  { id, token, plan, source }: ClaimedAction,
  { status, result, event, error }: Settlement,
  at: number,
): Event | undefined => {
  const ended = { id, name: plan.name, settlement: token }
  if (status === 'succeeded') return succeededEvent(ended, result!, event!, at)
  if (status === 'dead' || status === 'review') return failedEvent(ended, status, error!, at)
  if ((status === 'cancelled' || status === 'skipped') && source.kind === 'recurrence')
    return droppedEvent(ended, status, at)
  return undefined
}

const toldOf = ({ id, plan }: ClaimedAction, settlement: Settlement, attempt: number): JsonObject => {
  const { status, outcome, reason, dueAt, error } = settlement
  const { name, type } = plan
  // In the order of names: what is in order is hashed without being put into it.
  if (dueAt === undefined && error === undefined)
    return { action: id, attempt, name, outcome, reason, status, type }
  return {
    action: id,
    attempt,
    ...(dueAt !== undefined && { dueAt }),
    ...(error && { error: { message: error.message, type: error.type } }),
    name,
    outcome,
    reason,
    status,
    type,
  }
}

const record = ({ settlement, endedAt }: Settle, execution: string | null, data: JsonObject): Recorded => ({
  type: settlement.status === 'queued' ? 'action.retrying' : `action.${settlement.status}`,
  at: endedAt,
  data,
  ...(execution !== null && { execution }),
})
