// Owns actions of a machine that repeat by a cron (F-034): while the execution is in their state, or, without one, from
// its start to its end. Each repetition is a timer of the execution; when it is due, its action and the next timer are one
// decision. Leaving the state takes the timer away. What was missed is told as skipped. Pure.

import type { ActionPlan, ActionRequest } from '../action.ts'
import { planAction } from '../action-plan.ts'
import { type Decision, type TimerPlan, updated } from '../decision.ts'
import { type Event, failedEvent, TIMER_FIRED } from '../event.ts'
import type { Execution } from '../execution.ts'
import { type JsonObject, own } from '../json.ts'
import { derivedActionId, stepKey } from '../keys.ts'
import { scopeOf } from '../template/scope.ts'
import type { Schedule } from '../time/cron/schedule.ts'
import { fatesOf } from './occurrences.ts'

export interface Repeat {
  /** The action's, unique in its machine. */
  readonly name: string
  readonly schedule: Schedule
  readonly request: ActionRequest
}

/** An occurrence is late up to here, then it was missed. */
const GRACE_MS = 60_000
/** Actions that leaving the state would cancel: the newest so many are remembered. */
const MAX_PENDING = 100

/** What repeats all the time has no state: no state has an empty name. */
const ALWAYS = ''
const isAlways = (timer: string): boolean => timer.startsWith('/')

const timerOf = (
  { name, schedule }: Repeat,
  state: string,
  visit: number,
  after: number,
): readonly TimerPlan[] => {
  const dueAt = schedule.next(after)
  if (dueAt === undefined) return []
  const key = stepKey([state, 'every', name, String(dueAt)], visit)
  const payload = { every: name, state, visit, due: dueAt }
  return [{ key, dueAt, event: { id: key, type: TIMER_FIRED, payload, at: dueAt, timer: key } }]
}

/** Armed by entering a state. */
export const repeatTimers = (
  repeats: readonly Repeat[],
  state: string,
  visit: number,
  now: number,
): readonly TimerPlan[] => repeats.flatMap((repeat) => timerOf(repeat, state, visit, now))

/** Armed by the start. */
export const lifelongTimers = (repeats: readonly Repeat[], now: number): readonly TimerPlan[] =>
  repeatTimers(repeats, ALWAYS, 1, now)

/** What leaving a state takes away, and what goes on beside it. */
export const parted = (
  pending: Execution['pending'],
): { readonly left: Execution['pending']; readonly kept: readonly string[] } => {
  const kept = pending.timers.filter(isAlways)
  if (kept.length === 0) return { left: pending, kept }
  return { left: { ...pending, timers: pending.timers.filter((key) => !isAlways(key)) }, kept }
}

/** The repetition a timer is of; undefined where the definition has it no longer. */
export const repeatOf = (
  { payload }: Event,
  always: readonly Repeat[],
  inState: readonly Repeat[] | undefined,
): Repeat | undefined => {
  const among = own(payload, 'state') === ALWAYS ? always : inState
  return among?.find(({ name }) => name === own(payload, 'every'))
}

export const repeated = (repeat: Repeat, execution: Execution, event: Event, now: number): Decision => {
  const { state, visit, due } = event.payload as { state: string; visit: number; due: number }
  const { schedule, name } = repeat
  const fates = fatesOf({ schedule, through: due - 1, now, misfire: 'skip', graceMs: GRACE_MS })
  const fired = fates.filter(({ fate }) => fate === 'fired')
  const actions = fired.map(({ at }) => planOf(repeat, execution, event, { state, visit, at, now }))
  const ids = actions.map((plan) => derivedActionId(execution, 'machine', plan.stepKey))
  const timers = timerOf(repeat, state, visit, now)
  const { pending } = execution
  const armed = [...pending.timers.filter((key) => key !== event.timer), ...timers.map(({ key }) => key)]
  const cancellable = actions.filter(({ cancelOnExit }) => cancelOnExit).map((plan) => plan.stepKey)
  const data: JsonObject = {
    event: { id: event.id, type: event.type },
    every: name,
    occurrences: fates.map((each) => ({ ...each })),
    actions: actions.map(({ name: called, type, status }) => ({ name: called, type, status })),
    timers: timers.map(({ key, dueAt }) => ({ key, dueAt })),
  }
  const after: Execution = {
    ...execution,
    pending: { timers: armed, actions: [...pending.actions, ...cancellable].slice(-MAX_PENDING) },
  }
  return {
    ...updated(after, { type: 'execution.updated', data }),
    actions,
    actionIds: ids,
    timers,
    raised: actions.flatMap((plan) => stillborn(plan, now)),
  }
}

interface Instant {
  readonly state: string
  readonly visit: number
  readonly at: number
  readonly now: number
}

const planOf = (
  { name, request }: Repeat,
  execution: Execution,
  event: Event,
  { state, visit, at, now }: Instant,
): ActionPlan => {
  const { id, variables } = execution
  const instant = new Date(at).toISOString()
  const { options } = request
  const metadata = { ...options.metadata, _recurring_dispatch: 'true', _recurring_id: `${id}/${name}` }
  const timed = options.delay === undefined && options.dueAt === undefined ? { dueAt: at } : {}
  return planAction(
    { ...request, options: { ...options, metadata, ...timed } },
    {
      source: 'machine',
      name,
      stepKey: stepKey([id, state, name, instant], visit),
      scope: () =>
        scopeOf({
          execution: { id, state: execution.state, variables },
          event,
          now,
          extra: { execution_time: instant, scheduled_at: instant },
        }),
      now,
    },
  )
}

/** An action that was dead when it was made: the machine hears of it like of any other. */
export const stillborn = (plan: ActionPlan, now: number): readonly Event[] =>
  plan.status === 'dead'
    ? [failedEvent({ id: plan.stepKey, name: plan.name, settlement: 0 }, 'dead', plan.error!, now)]
    : []
