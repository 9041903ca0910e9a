// Owns what a fact looks like on its way to an execution. An event id is applied once per execution; the store
// keeps that promise, the ids made here are derived from their cause so that it can.

import type { ActionError } from './action-error.ts'
import type { Json, JsonObject } from './json.ts'

export interface Event<Type extends string = string, Payload = Json> {
  readonly id: string
  readonly type: Type
  readonly payload: Payload
  /** The engine's now when it was accepted; `decide` sees the same instant. */
  readonly at: number
  /** A result event: the action it came from, by the name its definition gives it. */
  readonly action?: {
    readonly id: string
    readonly name: string
    /** `completed`: what it asked a person to do was done, some time after it succeeded. */
    readonly ended: 'succeeded' | 'dead' | 'review' | 'completed' | 'cancelled' | 'skipped'
  }
  /** A timer's event: which timer. */
  readonly timer?: string
}

/** Events every definition may receive without declaring them. */
export const STARTED = 'execution.started'
export const SUCCEEDED = 'action.succeeded'
export const FAILED = 'action.failed'
export const TIMER_FIRED = 'timer.fired'
export const VARIABLES_PATCHED = 'variables.patched'

export const startedEvent = (executionId: string, input: JsonObject, now: number): Event => ({
  id: `${executionId}/started`,
  type: STARTED,
  payload: input,
  at: now,
})

/** What a runner said happened: the name and the fields that go flat into the event. */
export interface RunnerEvent {
  readonly type: string
  readonly payload: JsonObject
}

interface Ended {
  readonly id: string
  readonly name: string
  /** Counts settlements, so that a replayed action's second result is a second fact. */
  readonly settlement: number
}

export const succeededEvent = (action: Ended, result: Json, said: RunnerEvent, now: number): Event => ({
  id: `${action.id}/${action.settlement}`,
  type: said.type,
  payload: { ...said.payload, actionId: action.name, result },
  at: now,
  action: { id: action.id, name: action.name, ended: 'succeeded' },
})

/** An action that came to nothing: nobody failed. Told to triggers that wait for each of theirs to end. */
export const droppedEvent = (action: Ended, ended: 'cancelled' | 'skipped', now: number): Event => ({
  id: `${action.id}/${action.settlement}`,
  type: `action.${ended}`,
  payload: { actionId: action.name },
  at: now,
  action: { id: action.id, name: action.name, ended },
})

export const failedEvent = (
  action: Ended,
  ended: 'dead' | 'review',
  error: ActionError,
  now: number,
): Event => ({
  id: `${action.id}/${action.settlement}`,
  type: FAILED,
  payload: { actionId: action.name, error: { ...error } },
  at: now,
  action: { id: action.id, name: action.name, ended },
})
