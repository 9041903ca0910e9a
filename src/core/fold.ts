// Owns applying several events to one execution in turn, as one step to be committed: what each decided is added up, so
// that the whole wins or loses together. Pure, apart from the ids it is given to hand out.
// F1  What one event asks for and a later one of the same fold takes back was never there: such a timer is not armed,
//     such an action is written down as skipped.
// F2  A decider that throws ends the fold before its event: what was decided until then stands.

import type { ActionPlan } from './action.ts'
import type { ActionError } from './action-error.ts'
import type { Decide, Decision, HistoryEntry, IgnoredReason, TimerPlan } from './decision.ts'
import type { Event } from './event.ts'
import type { Execution } from './execution.ts'
import type { JsonObject } from './json.ts'
import type { ToldOccurrence } from './triggers/occurrences.ts'

export interface NamedPlan {
  readonly id: string
  readonly plan: ActionPlan
}

/** What became of one event. */
export interface Step {
  readonly event: Event
  readonly applied: boolean
  readonly reason?: IgnoredReason
  readonly history: Pick<HistoryEntry, 'data' | 'isOrdered'> & { readonly type: string }
}

export interface Folded {
  readonly execution: Execution
  readonly actions: readonly NamedPlan[]
  readonly timers: readonly TimerPlan[]
  readonly occurrences: readonly ToldOccurrence[]
  readonly cancel: Execution['pending']
  /** In the order they were applied; raised ones among them. */
  readonly steps: readonly Step[]
  /** Not applied, in order: the event that failed and those after it, or what was raised beyond the bound. */
  readonly rest: readonly Event[]
  /** What the decider threw over the first of the rest. */
  readonly failure?: { readonly thrown: unknown }
}

/** A machine whose every state asks for the impossible would raise events for ever. */
const MAX_RAISED = 50

const LEFT: ActionError = {
  type: 'cancelled',
  message: 'its state was left in the same step that asked for it',
  retryable: false,
}

/** `before`: what those before it came to; undefined for the first. */
const withDecision = (
  before: Folded | undefined,
  event: Event,
  decision: Decision,
  ids: readonly string[],
): Folded => {
  const { execution, actions, timers, cancel, occurrences = [] } = decision
  const named = actions.map((plan, index) => ({ id: ids[index]!, plan }))
  const step = stepOf(event, decision, ids)
  if (before === undefined)
    return { execution, actions: named, timers, occurrences, cancel, steps: [step], rest: [] }
  const [goneTimers, goneActions] = [new Set(cancel.timers), new Set(cancel.actions)]
  const kept = before.actions.map((action) =>
    goneActions.has(action.plan.stepKey) ? { ...action, plan: withdrawn(action.plan) } : action,
  )
  return {
    execution,
    actions: [...kept, ...named],
    timers: [...before.timers.filter(({ key }) => !goneTimers.has(key)), ...timers],
    occurrences: [...before.occurrences, ...occurrences],
    cancel: {
      timers: [...before.cancel.timers, ...cancel.timers],
      actions: [...before.cancel.actions, ...cancel.actions],
    },
    steps: [...before.steps, step],
    rest: [],
  }
}

const withdrawn = (plan: ActionPlan): ActionPlan =>
  plan.status === 'queued' ? { ...plan, status: 'skipped', error: LEFT } : plan

/** The line of history, with the ids its actions were given. */
const stepOf = (event: Event, { applied, reason, history }: Decision, ids: readonly string[]): Step => {
  const listed = (history.data['actions'] ?? []) as readonly JsonObject[]
  // An id comes before all that is told of an action: what was in order still is.
  const actions = listed.map((action, index) => ({ id: ids[index]!, ...action }))
  const told = actions.length > 0 ? { ...history, data: { ...history.data, actions } } : history
  return reason === undefined ? { event, applied, history: told } : { event, applied, reason, history: told }
}

/** `draw` names a new action. `now` is one for all: they are one step. */
export const fold = (
  decide: Decide,
  execution: Execution,
  events: readonly Event[],
  { now, draw }: { readonly now: number; readonly draw: () => string },
): Folded => {
  let folded: Folded | undefined
  let waiting = events
  let left = MAX_RAISED
  for (let event = waiting[0]; event !== undefined && left >= 0; event = waiting[0]) {
    let decision: Decision
    try {
      decision = decide(folded?.execution ?? execution, event, now)
    } catch (thrown) {
      return { ...(folded ?? unmoved(execution)), rest: waiting, failure: { thrown } }
    }
    const { actions, actionIds = actions.map(draw) } = decision
    folded = withDecision(folded, event, decision, actionIds)
    if (decision.raised.length === 0 && waiting.length === 1) return folded
    waiting = [...decision.raised, ...waiting.slice(1)]
    left -= decision.raised.length
  }
  return { ...(folded ?? unmoved(execution)), rest: waiting }
}

const unmoved = (execution: Execution): Folded => ({
  execution,
  actions: [],
  timers: [],
  occurrences: [],
  cancel: { timers: [], actions: [] },
  steps: [],
  rest: [],
})
