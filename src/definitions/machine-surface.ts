// Owns what people write when they write a machine in TypeScript: the shape whose errors the compiler reports. Types
// only. It is arranged so that a wrong word is reported at that word, with the words that would be right.

import type { ActionRequest } from '../core/action.ts'
import type { Event, FAILED, STARTED, SUCCEEDED } from '../core/event.ts'
import type { Execution } from '../core/execution.ts'
import type { Json } from '../core/json.ts'
import type { InputOf, OutputOf, Schema } from '../core/schema.ts'
import type { DurationText } from '../core/time/duration.ts'
import type { EngineEvent, EventNamed, Runners, Schemas, TimerFired } from './machine-events.ts'

/** What guards, assignments and entry functions see. */
interface View<Variables, Cause> {
  readonly variables: Variables
  readonly event: Cause
  readonly execution: Execution
  /** The engine's now: the instant the event is decided at. */
  readonly now: number
}

interface Step<Variables, Cause> {
  /** Only for the result of the action of this name. */
  readonly of?: string
  /** A guard: the first transition whose guard holds is taken. */
  readonly when?: (view: View<Variables, Cause>) => boolean
  /** A guard as data: JSONLogic. With `when`, both must hold. */
  readonly condition?: Json
  /** Variables to change; merged into the others. */
  readonly set?: (view: View<Variables, Cause>) => Partial<Variables>
}

interface Transition<States, Variables, Cause> extends Step<Variables, Cause> {
  readonly to: States
  readonly internal?: false
}

/** Stays where it is: nothing is left or entered, only `set` happens. */
interface Internal<Variables, Cause> extends Step<Variables, Cause> {
  readonly internal: true
}

/**
 * ArrayLike, not an array: for a union with an array in it the compiler reports a wrong `to` at the whole transition
 * and not at the word (TypeScript 6, findBestTypeForObjectLiteral).
 */
type Several<States, Variables, Cause> = ArrayLike<
  Internal<Variables, Cause> | Transition<States, Variables, Cause>
>

/** Named first, because the compiler prints what is first: the events that may be named here. */
type On<Names extends string, States, Variables, E extends Schemas, U extends Runners> = {
  readonly [Name in Names]?:
    | States
    | Internal<Variables, EventNamed<Name, E, U>>
    | Transition<States, Variables, EventNamed<Name, E, U>>
    | Several<States, Variables, EventNamed<Name, E, U>>
}

type After<States, Variables> = {
  readonly [Time in DurationText]?:
    | States
    | Internal<Variables, TimerFired>
    | Transition<States, Variables, TimerFired>
    | Several<States, Variables, TimerFired>
}

type Maybe<T> = T | false | null | undefined

/**
 * Names: what `on` may name. Not `keyof E`, from which the compiler would infer E: that comes from `events` alone.
 * Unions are written out where they are used, because the compiler prints an alias instead of what it stands for.
 */
interface State<
  States,
  V extends Schema,
  E extends Schemas,
  U extends Runners,
  Names extends string =
    | ({ readonly [Name in keyof E]: Name }[keyof E] & string)
    | U[number]['event']
    | typeof SUCCEEDED
    | typeof FAILED,
> {
  readonly description?: string
  /** The actions to ask for on entry. It only describes them, so it returns at once and is not async. */
  readonly enter?: (
    view: View<OutputOf<V>, EventNamed<Names, E, U> | TimerFired | Event<typeof STARTED, InputOf<V>>>,
  ) => Maybe<ActionRequest> | readonly Maybe<ActionRequest>[]
  readonly on?: On<Names, States, OutputOf<V>, E, U>
  /** Transitions by time spent in the state: `{ '30d': 'terminated' }`. */
  readonly after?: After<States, OutputOf<V>>
  readonly final?: boolean
}

export interface MachineDefinition<
  States extends string,
  V extends Schema,
  E extends Schemas,
  U extends Runners,
> {
  readonly id: string
  readonly description?: string
  /** Standard Schema of the variables. They are checked again after every change: it must take what it returns. */
  readonly variables?: V
  /** The events from outside, each with the schema of its payload. */
  readonly events?: E & { readonly [Name in EngineEvent]?: 'an event of the engine cannot be declared' }
  /** The runners whose result events may be named in `on`. */
  readonly uses?: U
  readonly initial: NoInfer<States>
  readonly states: { readonly [Name in States]: State<NoInfer<States>, V, E, U> }
  /** What an action that ended dead or in review means: `continue` (default), or `fail` the execution. */
  readonly onActionDead?: 'continue' | 'fail'
  /** Say that functions changed: they are not part of the version's hash, this is. */
  readonly version?: string
  /** Where running executions go when the definition changes: `follow` it (default), or stay pinned. */
  readonly versions?: 'follow' | 'pin'
}
