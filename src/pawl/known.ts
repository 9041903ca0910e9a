// Owns making definitions known to the engine, whatever they were written in: a machine from code, one that was parsed
// from a file, or one that was read back from the store.

import type { ActionRequest } from '../core/action.ts'
import type { Event } from '../core/event.ts'
import type { JsonObject } from '../core/json.ts'
import { adopt, decideMachine, type Machine, type State, type Transition } from '../core/triggers/machine.ts'
import { checkEvent, type EventRules } from '../definitions/check-event.ts'
import { loadDefinition, type ParsedMachine, type ParsedRecurrence } from '../definitions/parse.ts'
import type { RecurringCode } from '../definitions/recurring.ts'
import type { Known } from '../engine/directory.ts'
import type { StoredDefinition } from '../store/reader.ts'
import { type DefaultsOf, knownRecurring } from './known-recurrence.ts'

/** What `Pawl.open` takes: made by `machine()` or `recurring()`, or parsed from a file. */
export type Definition = DecidingDefinition | ParsedRecurrence

/** Brings a decider of its own; recurrences that are data share one. */
export type DecidingDefinition = MachineDefinition | RecurringCode

type MachineDefinition = (Machine & EventRules) | ParsedMachine

const NO_DEFAULTS: DefaultsOf = () => undefined

/** A request made by code carries its runner's defaults; one written as data gets them here. */
const withDefaults = (machine: Machine, defaultsOf: DefaultsOf): Machine => {
  const filled = (request: ActionRequest): ActionRequest =>
    request.literal ? request : { ...request, options: { ...defaultsOf(request.type), ...request.options } }
  const repeatsOf = ({ repeats }: Pick<Machine, 'repeats'>): Machine['repeats'] =>
    repeats.map((repeat) => ({ ...repeat, request: filled(repeat.request) }))
  const states = Array.from(machine.states, ([name, state]) => {
    const enter: State['enter'] = (view) => state.enter(view).map(filled)
    return [name, { ...state, enter, repeats: repeatsOf(state) }] as const
  })
  return { ...machine, repeats: repeatsOf(machine), states: new Map(states) }
}

export const isData = (definition: Definition): definition is ParsedRecurrence =>
  definition.kind === 'recurrence' && 'data' in definition

/** Those among definitions that are recurrences written in code, by id. */
export const codedIn = (definitions: readonly Definition[]): ReadonlyMap<string, RecurringCode> =>
  new Map(
    definitions.flatMap((each) =>
      each.kind === 'recurrence' && !isData(each) ? [[each.id, each] as const] : [],
    ),
  )

export const knownOf = (definition: DecidingDefinition, defaultsOf: DefaultsOf = NO_DEFAULTS): Known => {
  if (definition.kind === 'recurrence') return knownRecurring(definition)
  const isParsed = 'machine' in definition
  const machine = isParsed ? withDefaults(definition.machine, defaultsOf) : definition
  return {
    kind: 'machine',
    id: machine.id,
    hash: machine.hash,
    decide: decideMachine(machine),
    adopt: (execution) => adopt(machine, execution),
    checkEvent: (type: Event['type'], payload) => checkEvent(definition, type, payload),
    content: isParsed ? (definition.data as unknown as JsonObject) : outline(machine),
  }
}

/** Data becomes what its author gave in; an outline of code cannot. */
export const compileStored = (
  { content }: StoredDefinition,
  defaultsOf: DefaultsOf = NO_DEFAULTS,
): Known | undefined => {
  if (content['code'] === true) return undefined
  const [parsed] = loadDefinition(content).definitions
  return parsed?.kind === 'machine' ? knownOf(parsed, defaultsOf) : undefined
}

/** Of code only its shape can be written down: what people and other processes may see of it. */
const outline = ({ id, initial, states, onActionDead, follow }: Machine): JsonObject => ({
  kind: 'machine',
  code: true,
  id,
  initial,
  versions: follow,
  onActionDead,
  states: Object.fromEntries(
    Array.from(states, ([name, { on, after, final }]) => [
      name,
      {
        ...(on.size > 0 && {
          on: Object.fromEntries(Array.from(on, ([event, list]) => [event, targets(list)])),
        }),
        ...(after.length > 0 && {
          after: Object.fromEntries(after.map(({ label, transitions }) => [label, targets(transitions)])),
        }),
        ...(final && { final }),
      },
    ]),
  ),
})

const targets = (transitions: readonly Transition[]): readonly JsonObject[] =>
  transitions.map(({ to, of, guard }) => ({
    ...(to === undefined ? { internal: true } : { to }),
    ...(of !== undefined && { of }),
    ...(guard && { guarded: true }),
  }))
