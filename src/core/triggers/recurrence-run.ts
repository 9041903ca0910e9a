// Owns carrying out what a recurrence came to: occurrences that fire become actions, the next occurrence becomes the
// timer, and all of it one decision. Why they are due, and what was asked, is recurrence.ts. Pure.
// R2  Exactly one timer is armed while it is enabled and something is still to come; none otherwise.
// R3  The action of an occurrence is named by recurrence and instant, so its key is the same however often it is decided.

import type { ActionPlan, ActionRequest } from '../action.ts'
import type { ActionError } from '../action-error.ts'
import { planAction } from '../action-plan.ts'
import type { Decision, TimerPlan } from '../decision.ts'
import { type Event, failedEvent, TIMER_FIRED } from '../event.ts'
import type { Execution } from '../execution.ts'
import { spread } from '../hash.ts'
import type { JsonObject } from '../json.ts'
import { derivedActionId, stepKey } from '../keys.ts'
import { scopeOf } from '../template/scope.ts'
import type { Schedule } from '../time/cron/schedule.ts'
import type { FateReason, Misfire, Occurrence, ToldOccurrence } from './occurrences.ts'

export type OverlapOfRuns = 'allow' | 'skip' | 'cancel_previous'

/** When it fires and how, read and checked. */
export interface Rule {
  readonly schedule: Schedule
  readonly misfire: Misfire
  readonly overlap: OverlapOfRuns
  readonly graceMs: number
  readonly jitterMs: number
  /** Nothing fires at or after this instant. */
  readonly endsAt?: number
  readonly maxExecutions?: number
  readonly pauseAfterFailures?: number
}

/** What a fired occurrence is told of itself. */
export interface Firing {
  readonly id: string
  readonly scheduledAt: number
  readonly previousAt: number | null
}

export interface Recurrence {
  readonly kind: 'recurrence'
  readonly id: string
  readonly hash: string
  /** Its rule, from what it was started or changed with; throws when that is none. */
  readonly ruleOf: (settings: JsonObject) => Rule
  /** Nothing to do at this occurrence: null. */
  readonly request: (firing: Firing, settings: JsonObject) => ActionRequest | null
}

/** How far it has come: all that is kept between two decisions. */
export interface Progress {
  readonly settings: JsonObject
  readonly enabled: boolean
  readonly nextAt: number | null
  /** The last occurrence of the schedule that fired, and when anything of it last did. */
  readonly lastAt: number | null
  readonly lastRunAt: number | null
  /** Every occurrence up to here has its fate. */
  readonly through: number
  readonly fired: number
  readonly succeeded: number
  readonly failed: number
  readonly failedInRow: number
  /** Actions that have not ended, the newest so many. */
  readonly open: readonly string[]
  /** Why it stands still, when nobody asked for that. */
  readonly error: string | null
}

const MAX_OPEN = 100

/** What an event makes of the progress; occurrences with the fate `fired` become actions. */
export interface Change {
  readonly type: `recurrence.${string}`
  readonly progress: Progress
  readonly occurrences?: readonly Occurrence[]
}

interface Run {
  readonly progress: Progress
  readonly told: readonly ToldOccurrence[]
  readonly plans: readonly ActionPlan[]
  readonly ids: readonly string[]
  /** The newest action's step key: what `cancel_previous` cancels. */
  readonly newest: readonly string[]
  readonly cancel: readonly string[]
}

export const stepped = (
  recurrence: Recurrence,
  execution: Execution,
  event: Event,
  { type, progress, occurrences = [] }: Change,
  now: number,
): Decision => {
  const rule = recurrence.ruleOf(progress.settings)
  const { pending } = execution
  const firing = { recurrence, rule, execution, event, now }
  const run = occurrences.reduce<Run>(
    (before, occurrence) =>
      occurrence.fate === 'fired' ? fire(firing, before, occurrence) : tell(before, occurrence),
    { progress, told: [], plans: [], ids: [], newest: pending.actions, cancel: [] },
  )
  const planned = withNext(rule, run.progress, now)
  const timers = timersOf(rule, planned)
  const keys = timers.map(({ key }) => key)
  const isKept = event.type !== TIMER_FIRED && keys.length > 0 && pending.timers.includes(keys[0]!)
  return {
    applied: true,
    execution: {
      ...execution,
      state: planned.enabled ? 'scheduled' : 'disabled',
      variables: planned as unknown as JsonObject,
      pending: { timers: keys, actions: run.newest },
    },
    actions: run.plans,
    actionIds: run.ids,
    occurrences: run.told,
    timers: isKept ? [] : timers,
    cancel: { timers: isKept ? [] : pending.timers, actions: run.cancel },
    raised: run.plans.flatMap((plan, index) => stillborn(plan, run.ids[index]!, now)),
    history: { type, data: historyOf(event, run, planned) },
  }
}

const tell = (run: Run, occurrence: ToldOccurrence): Run => ({ ...run, told: [...run.told, occurrence] })

interface FiringParts {
  readonly recurrence: Recurrence
  readonly rule: Rule
  readonly execution: Execution
  readonly event: Event
  readonly now: number
}

const fire = (parts: FiringParts, run: Run, occurrence: Occurrence): Run => {
  const { recurrence, rule, execution, now } = parts
  const { progress } = run
  const { at, reason } = occurrence
  const refused = refusalOf(rule, progress, occurrence)
  if (refused !== undefined) return tell(run, { at, fate: 'skipped', reason: refused })
  const firing: Firing = { id: execution.id, scheduledAt: at, previousAt: progress.lastAt }
  const request = recurrence.request(firing, progress.settings)
  if (request === null) return tell(run, { at, fate: 'skipped', reason: 'nothing_to_do' })
  const plan = planOf(parts, request, firing, occurrence)
  const id = derivedActionId(execution, 'recurrence', plan.stepKey)
  const isAsked = reason === 'run_now' || reason === 'backfill'
  const isAlone = rule.overlap === 'cancel_previous'
  const open = isAlone ? [] : progress.open
  return {
    progress: {
      ...progress,
      lastRunAt: Math.max(progress.lastRunAt ?? 0, reason === 'run_now' ? at : now),
      lastAt: isAsked ? progress.lastAt : at,
      fired: progress.fired + 1,
      open: plan.status === 'queued' ? [...open, id].slice(-MAX_OPEN) : open,
    },
    told: [...run.told, { ...occurrence, action: id }],
    plans: [...(isAlone ? run.plans.map(replaced) : run.plans), plan],
    ids: [...run.ids, id],
    newest: [plan.stepKey],
    cancel: isAlone ? [...run.cancel, ...run.newest] : run.cancel,
  }
}

const REPLACED: ActionError = {
  type: 'cancelled',
  message: 'a later occurrence fired in the same step',
  retryable: false,
}

const replaced = (plan: ActionPlan): ActionPlan =>
  plan.status === 'queued' ? { ...plan, status: 'skipped', error: REPLACED } : plan

/** Why an occurrence that is due does not fire. What a person asks for fires whatever is under way. */
const refusalOf = (
  { endsAt = Number.POSITIVE_INFINITY, maxExecutions = Number.POSITIVE_INFINITY, overlap }: Rule,
  { fired, open }: Progress,
  { at, reason }: Occurrence,
): FateReason | undefined => {
  if (reason === 'run_now' || reason === 'backfill') return undefined
  if (at >= endsAt || fired >= maxExecutions) return 'ended'
  return overlap === 'skip' && open.length > 0 ? 'overlap' : undefined
}

const planOf = (
  { rule, execution, event, now }: FiringParts,
  request: ActionRequest,
  { scheduledAt, previousAt }: Firing,
  { reason }: Occurrence,
): ActionPlan => {
  const instant = new Date(scheduledAt).toISOString()
  const asked = reason === 'run_now' ? [event.id] : []
  const key = stepKey([execution.id, instant, ...asked], 1)
  const extra = {
    recurring_id: execution.id,
    execution_time: instant,
    scheduled_at: instant,
    previous_at: previousAt === null ? null : new Date(previousAt).toISOString(),
  }
  const dueAt = reason === 'run_now' ? now : scheduledAt + Math.floor(spread(key) * rule.jitterMs)
  const { options } = request
  const isTimed = options.delay !== undefined || options.dueAt !== undefined
  const metadata = { ...options.metadata, _recurring_dispatch: 'true', _recurring_id: execution.id }
  return planAction(
    { ...request, options: { ...options, metadata, ...(!isTimed && { dueAt }) } },
    {
      source: 'recurrence',
      name: options.name ?? request.type,
      stepKey: key,
      scope: () => scopeOf({ now, extra }),
      now,
    },
  )
}

/**
 * what has no next is switched off and says why; one that ends waits for its end. It has ended also for a machine
 * whose clock is behind that of the one that saw its end.
 */
const withNext = (rule: Rule, progress: Progress, now: number): Progress => {
  const { schedule, endsAt = Number.POSITIVE_INFINITY, maxExecutions = Number.POSITIVE_INFINITY } = rule
  if (!progress.enabled) return { ...progress, nextAt: null }
  if (Math.max(now, progress.through) >= endsAt || progress.fired >= maxExecutions)
    return { ...progress, enabled: false, nextAt: null }
  const nextAt = schedule.next(progress.through)
  if (nextAt === undefined)
    return { ...progress, enabled: false, nextAt: null, error: `“${schedule.cron.text}” never fires again` }
  return { ...progress, nextAt: nextAt < endsAt ? nextAt : null }
}

/** R2. */
const timersOf = ({ endsAt }: Rule, { enabled, nextAt }: Progress): readonly TimerPlan[] => {
  const dueAt = enabled ? (nextAt ?? endsAt) : undefined
  if (dueAt === undefined) return []
  const key = `next/${dueAt}`
  return [{ key, dueAt, event: { id: key, type: TIMER_FIRED, payload: {}, at: dueAt, timer: key } }]
}

const stillborn = (plan: ActionPlan, id: string, now: number): readonly Event[] =>
  plan.status === 'dead'
    ? [failedEvent({ id, name: plan.name, settlement: 0 }, 'dead', plan.error!, now)]
    : []

const historyOf = (event: Event, { told, plans }: Run, { nextAt, enabled, error }: Progress): JsonObject => ({
  event: { id: event.id, type: event.type },
  ...(told.length > 0 && { occurrences: told.map((each) => ({ ...each })) }),
  actions: plans.map(({ name, type, status }) => ({ name, type, status })),
  nextAt,
  enabled,
  ...(error !== null && { error }),
})
