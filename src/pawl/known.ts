// Owns making definitions known to the engine, whatever they were written in: a machine from code, one that was parsed
// from a file, or one that was read back from the store.

import type { Event } from '../core/event.ts'
import type { JsonObject } from '../core/json.ts'
import { adopt, decideMachine, type Machine, type Transition } from '../core/triggers/machine.ts'
import { checkEvent, type EventRules } from '../definitions/check-event.ts'
import { loadDefinition, type ParsedMachine } from '../definitions/parse.ts'
import type { Known } from '../engine/directory.ts'
import type { StoredDefinition } from '../store/reader.ts'

/** What `Pawl.open` takes: made by `machine()`, or parsed from a file. */
export type Definition = (Machine & EventRules) | ParsedMachine

export const knownOf = (definition: Definition): Known => {
  const isParsed = 'machine' in definition
  const machine = isParsed ? definition.machine : definition
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
export const compileStored = ({ content }: StoredDefinition): Known | undefined => {
  if (content['code'] === true) return undefined
  const [parsed] = loadDefinition(content).definitions
  return parsed?.kind === 'machine' ? knownOf(parsed) : undefined
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
