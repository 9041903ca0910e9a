// Owns `machine`: a state machine written in TypeScript becomes the same core Machine that a file becomes, with its
// functions in place and its types known. What may be written is machine-surface.ts; what the parts do is core's.

import { PawlError } from '../core/errors.ts'
import { isObject, type Json } from '../core/json.ts'
import type { InputOf, OutputOf, Schema } from '../core/schema.ts'
import type { Machine } from '../core/triggers/machine.ts'
import { type CheckVariables, compileMachine } from '../core/triggers/machine-data.ts'
import type { EventRules } from './check-event.ts'
import { type StateCode, withCode } from './machine-code.ts'
import type { Runners, Schemas } from './machine-events.ts'
import { readSkeleton, skeletonHash } from './machine-skeleton.ts'
import type { MachineDefinition } from './machine-surface.ts'
import { checkBy } from './standard-check.ts'

/** A machine that knows its types: `pawl.start` and `run.send` are checked against them. */
export interface TypedMachine<States extends string, V extends Schema, E extends Schemas>
  extends Machine,
    EventRules {
  /** For the compiler only. */
  readonly '~types'?: {
    readonly state: States
    readonly input: InputOf<V>
    readonly variables: OutputOf<V>
    readonly events: { readonly [Name in keyof E]: InputOf<E[Name]> }
  }
}

type Typed = TypedMachine<string, Schema, Schemas>
type TypesOf<M extends Typed> = NonNullable<M['~types']>

/** The names of a machine's states. */
export type StateOf<M extends Typed> = TypesOf<M>['state']
/** The variables of its executions. */
export type VariablesOf<M extends Typed> = TypesOf<M>['variables']
/** What an execution is started with: variables with a default may be left out. */
export type StartInput<M extends Typed> = TypesOf<M>['input']
/** The names of the events that may be sent to it. */
export type SendableEvent<M extends Typed> = keyof TypesOf<M>['events'] & string
/** What is sent with one of them. */
export type EventInput<M extends Typed, Name extends SendableEvent<M>> = TypesOf<M>['events'][Name]

type Nothing = Readonly<Record<never, never>>

/**
 * Makes a state machine. State names come from the keys of `states`; targets, events and variables are checked
 * against each other by the compiler and, for JavaScript, when this is called.
 * @example
 * const lease = machine({
 *   id: 'lease',
 *   events: { 'notice.received': z.object({ until: z.iso.date() }) },
 *   initial: 'active',
 *   states: { active: { on: { 'notice.received': 'ending' } }, ending: { after: { '30d': 'ended' } }, ended: { final: true } },
 * })
 */
export const machine = <
  States extends string,
  V extends Schema<unknown, object> = Schema<Nothing>,
  E extends Schemas = Nothing,
  const U extends Runners = readonly [],
>(
  definition: MachineDefinition<States, V, E, U>,
): TypedMachine<States, V, E> => {
  const skeleton = readSkeleton(definition)
  const { variables, version, uses = [] } = definition
  const events = Object.entries<Schema>(definition.events ?? {})
  const compiled = compileMachine(skeleton, checkVariables(variables))
  const names = { events: events.map(([name]) => name), uses: uses.map(({ type }) => type), version }
  return {
    ...compiled,
    hash: skeletonHash(skeleton, names),
    follow: skeleton.versions ?? 'follow',
    states: withCode(compiled, definition.states as Readonly<Record<string, StateCode>>),
    payloads: new Map(events.map(([name, schema]) => [name, checkBy(schema, 'event_invalid', 'payload')])),
    results: new Set(uses.map(({ event }) => event)),
  }
}

const checkVariables = (schema: Schema | undefined): CheckVariables => {
  const check = schema ? checkBy(schema, 'variables_invalid', 'variables') : (value: Json) => value
  return (variables) => {
    const kept = check(variables)
    if (isObject(kept)) return kept
    throw new PawlError('variables_invalid', 'variables: the schema does not make an object of them', {
      path: 'variables',
      expected: 'a schema of an object, for example z.object({…})',
    })
  }
}
