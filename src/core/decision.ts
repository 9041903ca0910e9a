// Owns what every trigger returns. A decision is data: what the execution becomes, what must happen, what must
// happen later, what no longer must. One commit writes all of it or none of it.

import type { ActionPlan } from './action.ts'
import type { Event } from './event.ts'
import type { Execution } from './execution.ts'
import type { JsonObject } from './json.ts'
import type { ToldOccurrence } from './triggers/occurrences.ts'

/** A timer is an event that is due later. Its key is unique within the execution. */
export interface TimerPlan {
  readonly key: string
  readonly dueAt: number
  readonly event: Event
}

/** Why an event changed nothing. */
export type IgnoredReason = 'no_transition' | 'guard_false' | 'stale_timer' | 'ended' | 'paused'

/** One line of history: everything a step did, in one entry. */
export interface HistoryEntry {
  readonly type:
    | 'execution.transitioned'
    | 'execution.updated'
    | 'execution.failed'
    | 'event.ignored'
    | `recurrence.${string}`
  readonly data: JsonObject
  /** Its names are in order (history.ts). */
  readonly isOrdered?: true
}

export interface Decision {
  readonly applied: boolean
  readonly reason?: IgnoredReason
  readonly execution: Execution
  readonly actions: readonly ActionPlan[]
  /** Ids that follow from what the actions are for, one for each; drawn where there are none. */
  readonly actionIds?: readonly string[]
  /** What became of occurrences of a schedule. */
  readonly occurrences?: readonly ToldOccurrence[]
  readonly timers: readonly TimerPlan[]
  readonly cancel: Execution['pending']
  /** Facts the decision itself made, to be applied to the same execution next. */
  readonly raised: readonly Event[]
  readonly history: HistoryEntry
}

/** The one signature of all five triggers. */
export type Decide = (execution: Execution, event: Event, now: number) => Decision

const NOTHING: Execution['pending'] = { timers: [], actions: [] }

export const ignored = (execution: Execution, event: Event, reason: IgnoredReason): Decision => ({
  applied: false,
  reason,
  execution,
  actions: [],
  timers: [],
  cancel: NOTHING,
  raised: [],
  history: { type: 'event.ignored', data: { event: { id: event.id, type: event.type }, reason } },
})

/** An execution that changed without entering a state. */
export const updated = (execution: Execution, history: HistoryEntry): Decision => ({
  applied: true,
  execution,
  actions: [],
  timers: [],
  cancel: NOTHING,
  raised: [],
  history,
})
