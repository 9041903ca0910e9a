// Owns turning a machine written as data into one that decides: conditions and templates compiled, durations read,
// actions hung on the states that trigger them. It trusts the shape (src/definitions/ has checked it).

import type { ActionRequest } from '../action.ts'
import { compileCondition, evaluate } from '../condition.ts'
import {
  type ActionData,
  definitionHash,
  type MachineData,
  type RequestData,
  type StateData,
  type TransitionData,
  type TransitionsData,
} from '../definition.ts'
import { assertStorable, type JsonObject } from '../json.ts'
import { render } from '../template/render.ts'
import { type Scope, scopeOf } from '../template/scope.ts'
import { parseCron } from '../time/cron/parse.ts'
import { cronSchedule } from '../time/cron/schedule.ts'
import { durationMs } from '../time/duration.ts'
import type { Machine, MachineView, State, Transition } from './machine.ts'
import type { Repeat } from './machine-repeats.ts'

export type CheckVariables = (variables: JsonObject) => JsonObject

export const compileMachine = (data: MachineData, check: CheckVariables): Machine => ({
  kind: 'machine',
  id: data.id,
  hash: definitionHash(data),
  follow: data.versions ?? 'pin',
  initial: data.initial,
  states: new Map(
    Object.entries(data.states).map(([name, state]) => [name, compileState(name, state, data.actions ?? [])]),
  ),
  repeats: repeatsIn(data.actions ?? [], undefined),
  onActionDead: data.onActionDead ?? 'continue',
  checkVariables: storable(check),
})

/** Every machine keeps the size limit, whatever its own schema allows. */
const storable =
  (check: CheckVariables): CheckVariables =>
  (variables) => {
    const checked = check(variables)
    assertStorable(checked, 'variables')
    return checked
  }

const compileState = (name: string, state: StateData, actions: readonly ActionData[]): State => {
  const requests = [
    ...listOf(state.enter).map(requestOf),
    ...actions.filter((action) => triggers(action, name)).map(requestOfAction),
  ]
  return {
    enter: () => requests,
    on: new Map(Object.entries(state.on ?? {}).map(([event, list]) => [event, compileTransitions(list)])),
    after: Object.entries(state.after ?? {}).map(([label, list]) => ({
      label,
      ms: durationMs(label, `after.${label}`),
      transitions: compileTransitions(list),
    })),
    repeats: repeatsIn(actions, name),
    final: state.final ?? false,
  }
}

/** A scheduled action recurs by its cron; entering the state does not ask for it. */
const triggers = (action: ActionData, state: string): boolean =>
  action.triggerState === state && (action.enabled ?? true) && action.schedule === undefined

const repeatsIn = (actions: readonly ActionData[], state: string | undefined): readonly Repeat[] =>
  actions.flatMap((action) => {
    const { actionId, schedule, timezone = 'UTC', triggerState, enabled = true } = action
    if (schedule === undefined || triggerState !== state || !enabled) return []
    const cron = cronSchedule(parseCron(schedule), { zone: timezone })
    return [{ name: actionId, schedule: cron, request: requestOfAction(action) }]
  })

const listOf = <T extends object>(value: T | readonly T[] | undefined): readonly T[] =>
  value === undefined ? [] : Array.isArray(value) ? value : [value as T]

const requestOf = ({ type, config, ...options }: RequestData): ActionRequest => ({ type, config, options })

const requestOfAction = (action: ActionData): ActionRequest => {
  const { actionId, type, config, triggerState, machine, enabled, schedule, timezone, ...rest } = action
  const { description, createdAt, updatedAt, ...options } = rest
  return { type, config, options: { ...options, name: actionId } }
}

const compileTransitions = (data: TransitionsData): readonly Transition[] =>
  (typeof data === 'string' ? [{ to: data }] : listOf(data)).map(compileTransition)

const compileTransition = ({ to, of, internal, condition, set }: TransitionData): Transition => ({
  ...(to !== undefined && !internal && { to }),
  ...(of !== undefined && { of }),
  ...(condition !== undefined && { guard: guardOf(condition) }),
  ...(set && { set: (view) => render(set, scopeIn(view)).value as JsonObject }),
})

const guardOf = (condition: Parameters<typeof compileCondition>[0]): Transition['guard'] & {} => {
  const compiled = compileCondition(condition)
  return (view) => evaluate(compiled, scopeIn(view))
}

const scopeIn = ({ execution, variables, event, now }: MachineView): Scope =>
  scopeOf({ execution: { id: execution.id, state: execution.state, variables }, event, now })
