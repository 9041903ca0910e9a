// Owns which events a machine written in code may name, and what the compiler knows of their payloads: those it
// declares, the results of the runners it uses, and the engine's own. Types only; check-event.ts is the same at run
// time.

import type { ActionError } from '../core/action-error.ts'
import type { Event, FAILED, STARTED, SUCCEEDED, TIMER_FIRED, VARIABLES_PATCHED } from '../core/event.ts'
import type { Json } from '../core/json.ts'
import type { OutputOf, Schema } from '../core/schema.ts'
import type { AnyRunner, ResultPayload } from '../runners/runner.ts'

export type Schemas = Readonly<Record<string, Schema>>
export type Runners = readonly AnyRunner[]

/** The engine says these itself. */
export type EngineEvent =
  | typeof STARTED
  | typeof SUCCEEDED
  | typeof FAILED
  | typeof TIMER_FIRED
  | typeof VARIABLES_PATCHED

export type TimerFired = Event<typeof TIMER_FIRED, { readonly after: string; readonly state: string }>
type Failed = Event<typeof FAILED, { readonly actionId: string; readonly error: ActionError }>
type Succeeded = Event<typeof SUCCEEDED, ResultPayload<unknown, Json>>
type ResultOf<R> = R extends AnyRunner<string, infer Name, infer Payload> ? Event<Name, Payload> : never

/**
 * What arrives under a name. A result nobody names is offered as `action.succeeded` and keeps its own type, so under
 * that name every result may arrive.
 */
export type EventNamed<Name, E extends Schemas, U extends Runners> = Name extends keyof E & string
  ? Event<Name, OutputOf<E[Name]>>
  : Name extends typeof FAILED
    ? Failed
    : Name extends typeof SUCCEEDED
      ? Succeeded | ResultOf<U[number]>
      : ResultOf<Extract<U[number], { readonly event: Name }>>
