// Owns the first trigger: a state machine's `decide`. It is given a compiled machine (from data or from code) and is
// otherwise pure: same execution, event and now, same decision. It never mutates what it is given.
// M1  An event with no transition here, or whose guards are all false, changes nothing and says why.
// M2  Entering a state raises its visit number, asks for its actions and arms its timers; leaving cancels what waits.
//     What repeats by a cron is machine-repeats.ts.
// M3  The first transition whose guard holds is taken.

import type { ActionPlan, ActionRequest } from '../action.ts'
import { distinctNames, planAction } from '../action-plan.ts'
import { type Decide, type Decision, ignored, type TimerPlan, updated } from '../decision.ts'
import { type Event, FAILED, STARTED, SUCCEEDED, TIMER_FIRED, VARIABLES_PATCHED } from '../event.ts'
import { type Execution, hasEnded } from '../execution.ts'
import type { JsonObject } from '../json.ts'
import { stepKey } from '../keys.ts'
import { scopeOf } from '../template/scope.ts'
import {
  lifelongTimers,
  parted,
  type Repeat,
  repeated,
  repeatOf,
  repeatTimers,
  stillborn,
} from './machine-repeats.ts'

/** What guards, assignments and entry requests see. */
export interface MachineView {
  readonly variables: JsonObject
  readonly event: Event
  readonly execution: Execution
  readonly now: number
}

export interface Transition {
  /** Absent with `internal`: the state stays, nothing is left or entered. */
  readonly to?: string
  /** Only for the result of this action. */
  readonly of?: string
  readonly guard?: (view: MachineView) => boolean
  readonly set?: (view: MachineView) => JsonObject
}

export interface After {
  /** As written, `30d`: names the timer. */
  readonly label: string
  readonly ms: number
  readonly transitions: readonly Transition[]
}

export interface State {
  readonly enter: (view: MachineView) => readonly ActionRequest[]
  readonly on: ReadonlyMap<string, readonly Transition[]>
  readonly after: readonly After[]
  /** Asked for again and again while the execution is here. */
  readonly repeats: readonly Repeat[]
  readonly final: boolean
}

export interface Machine {
  readonly kind: 'machine'
  readonly id: string
  /** Content hash: of canonical JSON for data, of the static skeleton for code. */
  readonly hash: string
  readonly follow: 'follow' | 'pin'
  readonly initial: string
  readonly states: ReadonlyMap<string, State>
  /** Asked for again and again from the start to the end, whatever the state. */
  readonly repeats: readonly Repeat[]
  readonly onActionDead: 'continue' | 'fail'
  /** Returns the variables as they will be kept, or throws `variables_invalid`. */
  readonly checkVariables: (variables: JsonObject) => JsonObject
}

export const decideMachine =
  (machine: Machine): Decide =>
  (execution, event, now) => {
    if (hasEnded(execution)) return ignored(execution, event, 'ended')
    if (execution.status === 'paused') return ignored(execution, event, 'paused')
    if (event.type === STARTED) return start(machine, execution, event, now)
    if (event.type === VARIABLES_PATCHED) return patch(machine, execution, event)
    if (event.type === TIMER_FIRED && !execution.pending.timers.includes(event.timer ?? ''))
      return ignored(execution, event, 'stale_timer')
    return transition(machine, execution, event, now)
  }

const start = (machine: Machine, blank: Execution, event: Event, now: number): Decision => {
  if (blank.state !== null) return ignored(blank, event, 'no_transition')
  const execution = { ...blank, variables: machine.checkVariables(event.payload as JsonObject) }
  return enter(machine, execution, event, machine.initial, now, lifelongTimers(machine.repeats, now))
}

const patch = (machine: Machine, execution: Execution, event: Event): Decision => {
  const changes = event.payload as JsonObject
  const variables = machine.checkVariables({ ...execution.variables, ...changes })
  return updated(
    { ...execution, variables },
    { type: 'execution.updated', data: { event: eventRef(event), variables: Object.keys(changes) } },
  )
}

const transition = (machine: Machine, execution: Execution, event: Event, now: number): Decision => {
  const repeat = repeatIn(machine, execution, event)
  if (repeat) return repeated(repeat, execution, event, now)
  const candidates = candidatesFor(machine, execution, event)
  const view = { variables: execution.variables, event, execution, now }
  const taken = candidates.find((candidate) => candidate.guard?.(view) ?? true)
  if (taken) return take(machine, execution, taken, view)
  if (event.type === FAILED && machine.onActionDead === 'fail') return fail(execution, event)
  return ignored(execution, event, candidates.length === 0 ? 'no_transition' : 'guard_false')
}

const repeatIn = (machine: Machine, { state }: Execution, event: Event): Repeat | undefined =>
  event.type === TIMER_FIRED
    ? repeatOf(event, machine.repeats, machine.states.get(state!)?.repeats)
    : undefined

/** The transitions that name this event here; a result nobody names is offered as `action.succeeded`. */
const candidatesFor = (machine: Machine, execution: Execution, event: Event): readonly Transition[] => {
  const state = machine.states.get(execution.state ?? '')
  if (!state) return []
  if (event.type === TIMER_FIRED)
    return state.after.find((after) => timerKey(execution, after) === event.timer)?.transitions ?? []
  const named = (type: string): readonly Transition[] =>
    (state.on.get(type) ?? []).filter(({ of }) => of === undefined || of === event.action?.name)
  const own = named(event.type)
  return own.length === 0 && event.action?.ended === 'succeeded' ? named(SUCCEEDED) : own
}

const take = (machine: Machine, before: Execution, taken: Transition, view: MachineView): Decision => {
  const changes = taken.set?.(view)
  const execution = changes
    ? { ...before, variables: machine.checkVariables({ ...before.variables, ...changes }) }
    : before
  if (taken.to !== undefined) return enter(machine, execution, view.event, taken.to, view.now)
  return updated(execution, {
    type: 'execution.updated',
    data: { event: eventRef(view.event), variables: Object.keys(changes ?? {}) },
  })
}

const enter = (
  machine: Machine,
  before: Execution,
  event: Event,
  to: string,
  now: number,
  lifelong: readonly TimerPlan[] = [],
): Decision => {
  const state = machine.states.get(to)!
  const visit = visitsOf(before, to) + 1
  const arrived: Execution = {
    ...before,
    state: to,
    status: state.final ? 'completed' : 'active',
    visits: { ...before.visits, [to]: visit },
  }
  const actions = planEntry(arrived, state, event, visit, now)
  const { left, kept } = state.final ? { left: before.pending, kept: [] } : parted(before.pending)
  const timers = state.after.map((after) => timerPlan(arrived, after, now))
  if (!state.final) timers.push(...repeatTimers(state.repeats, to, visit, now), ...lifelong)
  const pending = {
    timers: timers.map(({ key }) => key).concat(kept),
    actions: actions.filter((action) => action.cancelOnExit).map((action) => action.stepKey),
  }
  return {
    applied: true,
    execution: { ...arrived, pending },
    actions,
    timers,
    cancel: left,
    raised: actions.some(isDead) ? actions.flatMap((action) => stillborn(action, now)) : [],
    history: {
      type: 'execution.transitioned',
      // By name: what is in order is hashed without being put into it.
      isOrdered: true,
      data: {
        actions: actions.map(({ name, status, type }) => ({ name, status, type })),
        event: eventRef(event),
        from: before.state,
        timers: timers.map(({ key, dueAt }) => ({ dueAt, key })),
        to,
        visit,
      },
    },
  }
}

const planEntry = (
  execution: Execution,
  state: State,
  event: Event,
  visit: number,
  now: number,
): readonly ActionPlan[] => {
  const { id, state: name, variables } = execution
  const requests = state.enter({ variables, event, execution, now })
  const names = distinctNames(requests)
  const scope = () => scopeOf({ execution: { id, state: name, variables }, event, now })
  return requests.map((request, index) =>
    planAction(request, {
      source: 'machine',
      name: names[index]!,
      stepKey: stepKey([id, name!, names[index]!], visit),
      scope,
      now,
    }),
  )
}

const isDead = ({ status }: ActionPlan): boolean => status === 'dead'

/** Own properties only: a state may be called `constructor`. */
const visitsOf = (execution: Execution, state: string): number =>
  Object.hasOwn(execution.visits, state) ? execution.visits[state]! : 0

/** Unique within the execution: the state, its visit and the time as written. */
const timerKey = (execution: Execution, after: After): string =>
  stepKey([execution.state!, 'after', after.label], visitsOf(execution, execution.state!))

const timerPlan = (execution: Execution, after: After, now: number): TimerPlan => {
  const key = timerKey(execution, after)
  const dueAt = now + after.ms
  const payload = { after: after.label, state: execution.state }
  return { key, dueAt, event: { id: key, type: TIMER_FIRED, payload, at: dueAt, timer: key } }
}

const fail = (execution: Execution, event: Event): Decision => {
  const error = {
    code: 'action_dead',
    message: `the action ${event.action?.name} ended ${event.action?.ended}`,
  }
  return {
    ...updated(
      { ...execution, status: 'failed', error, pending: { timers: [], actions: [] } },
      { type: 'execution.failed', data: { event: eventRef(event), error } },
    ),
    cancel: execution.pending,
  }
}

const eventRef = (event: Event): JsonObject => ({ id: event.id, type: event.type })

/**
 * A definition changed under a running execution. With `follow` it moves when its state still exists; with `pin`, or
 * when the state is gone, it stays with what it was made for.
 */
export const adopt = (
  machine: Machine,
  execution: Execution,
): 'same' | 'moved' | 'pinned' | 'incompatible' => {
  if (execution.definitionHash === machine.hash) return 'same'
  if (machine.follow === 'pin') return 'pinned'
  return execution.state === null || machine.states.has(execution.state) ? 'moved' : 'incompatible'
}
