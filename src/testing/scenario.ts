// Owns the words of given/when/then: what can be given, what can happen, what can be expected, each checked against the
// machine's own types where the compiler knows them.

import type { ActionPlan } from '../core/action.ts'
import type { Decision, IgnoredReason } from '../core/decision.ts'
import type { Execution, ExecutionStatus } from '../core/execution.ts'
import type { Json, JsonObject } from '../core/json.ts'
import type { Schema } from '../core/schema.ts'
import type {
  EventInput,
  SendableEvent,
  StartInput,
  StateOf,
  TypedMachine,
  VariablesOf,
} from '../definitions/machine.ts'
import type { Schemas } from '../definitions/machine-events.ts'

export type Typed = TypedMachine<string, Schema, Schemas>

/** The words of one machine, for the compiler. */
export interface Words {
  readonly state: string
  readonly input: unknown
  readonly variables: unknown
  readonly events: object
}

export interface WordsOf<M extends Typed> extends Words {
  readonly state: StateOf<M>
  readonly input: StartInput<M>
  readonly variables: VariablesOf<M>
  readonly events: { readonly [Name in SendableEvent<M>]: EventInput<M, Name> }
}

/** Of a machine read from a file the compiler knows nothing. */
export interface AnyWords extends Words {
  readonly input: JsonObject
  readonly variables: JsonObject
  readonly events: Readonly<Record<string, Json>>
}

export interface Given<W extends Words> {
  /** Its very first step. */
  readonly started: (variables: W['input']) => Outcome<W>
  /** As if it had entered this state for the first time, just now. */
  readonly inState: (state: W['state'], variables: W['variables']) => Moment<W>
}

/** An execution that stands somewhere, waiting for something to happen. */
export interface Moment<W extends Words> {
  readonly execution: Execution
  /** The instant at which the next thing happens. Default 2026-01-01T00:00:00Z. */
  readonly at: (now: string | number) => Moment<W>
  readonly when: <Name extends keyof W['events'] & string>(
    type: Name,
    payload: W['events'][Name],
  ) => Outcome<W>
  /** A wait of its state is over: `'30d'`, as the machine spells it or of the same length. */
  readonly whenPassed: (wait: string) => Outcome<W>
  /** One of its actions succeeded. `event` is what its runner tells. */
  readonly whenSucceeded: (action: string, result?: Json, event?: string) => Outcome<W>
  /** One of its actions is a dead letter. */
  readonly whenFailed: (
    action: string,
    error?: { readonly type?: string; readonly message?: string },
  ) => Outcome<W>
}

export interface ExpectedAction {
  readonly name?: string
  readonly type?: string
  /** The members that matter. */
  readonly config?: Json
  readonly status?: ActionPlan['status']
  readonly priority?: number
}

/** What is left out is not looked at. */
export interface Expected<State extends string = string> {
  readonly state?: State
  readonly status?: ExecutionStatus
  /** The members that matter. */
  readonly variables?: JsonObject
  /** All of them, in order; a text is a name. */
  readonly actions?: readonly (string | ExpectedAction)[]
  /** The timers that are armed, as the machine spells them. */
  readonly waits?: readonly string[]
}

export interface Outcome<W extends Words> {
  readonly decision: Decision
  /** Throws when it leads to anything else; then on from there. */
  readonly leadsTo: (expected: Expected<W['state']>) => Moment<W>
  /** Throws when it changes something, or when it is ignored for another reason. */
  readonly isIgnored: (reason?: IgnoredReason) => Moment<W>
}
