// Owns checking that a machine makes sense: that what its parts name exists and what they say together can happen.
// Shared by files, the HTTP API and machines written in code. It tells all problems and throws none; the shape is
// the business of shape/, texts are checked by core's own readers.

import { actionProblems } from './check-action.ts'
import { isEngineEvent } from './check-event.ts'
import { requestProblems } from './check-request.ts'
import { stateTransitionProblems } from './check-transition.ts'
import { each, type LooseMachine, type LooseState, type LooseTransitions, members } from './loose.ts'
import { type Names, namesIn } from './names.ts'
import { firstOf, type Path, type Problem, problem, quote, unknownName } from './problem.ts'
import { valueSchemaProblems } from './value-check.ts'

interface Checking {
  /** Actions in files of their own are still to be linked: `of` may name one of them. */
  readonly isOpen?: boolean
  /** Parts were refused before, and may have led somewhere. */
  readonly isPartial?: boolean
}

export const checkMachine = (
  machine: LooseMachine,
  { isOpen = false, isPartial = false }: Checking = {},
): readonly Problem[] => {
  const names = namesIn(machine, isOpen)
  const found = firstOf(machineProblems(machine, names))
  const isWhole = !isPartial && found.every(({ severity }) => severity === 'warning')
  return isWhole ? [...found, ...firstOf(unreachable(machine, names))] : found
}

function* machineProblems(machine: LooseMachine, names: Names): Generator<Problem> {
  yield* initialProblems(machine, names)
  for (const [name, state] of members(machine.states)) yield* stateProblems(state, name, names)
  yield* listedActionProblems(machine, names)
  yield* schemasProblems(machine)
}

function* initialProblems({ initial, states }: LooseMachine, names: Names): Generator<Problem> {
  if (states !== undefined && names.states.length === 0)
    yield problem(['states'], 'the machine has no states', { expected: 'at least one state' })
  else if (initial !== undefined && !names.isState(initial))
    yield unknownName(['initial'], `${quote(initial)} is not a state of this machine`, initial, names.states)
}

function* stateProblems(state: LooseState, name: string, names: Names): Generator<Problem> {
  const at: Path = ['states', name]
  for (const [request, place] of each(state.enter, [...at, 'enter']))
    yield* requestProblems(request, place, names.known)
  yield* stateTransitionProblems(state, name, names)
  if (!state.final) return
  for (const key of ['on', 'after'] as const)
    if (state[key] !== undefined)
      yield problem([...at, key], 'a final state is never left', {
        expected: `no ${key}, or no final: true`,
        point: 'key',
      })
}

function* listedActionProblems(machine: LooseMachine, names: Names): Generator<Problem> {
  const seen = new Set<string>()
  for (const [action, at] of each(machine.actions, ['actions'])) {
    const { actionId, triggerState, machine: owner } = action
    yield* actionProblems(action, at, names.known)
    if (triggerState !== undefined && !names.isState(triggerState))
      yield unknownName(
        [...at, 'triggerState'],
        `${quote(triggerState)} is not a state of this machine`,
        triggerState,
        names.states,
      )
    else if (action.schedule !== undefined && isFinal(machine, triggerState))
      yield problem([...at, 'triggerState'], `nothing repeats in ${quote(triggerState!)}: it is final`, {
        expected: 'a state that lasts, or no triggerState: then it repeats from start to end',
      })
    if (owner !== undefined && machine.id !== undefined && owner !== machine.id)
      yield problem(
        [...at, 'machine'],
        `the action stands in ${quote(machine.id)} but names ${quote(owner)}`,
        {
          expected: 'no machine, or a file of its own',
        },
      )
    if (actionId === undefined) continue
    if (seen.has(actionId))
      yield problem([...at, 'actionId'], `a second action is called ${quote(actionId)}`, {
        expected: 'each actionId once',
      })
    seen.add(actionId)
  }
}

const isFinal = ({ states }: LooseMachine, state: string | undefined): boolean =>
  state !== undefined && states?.[state]?.final === true

function* schemasProblems({ variables, events }: LooseMachine): Generator<Problem> {
  if (variables !== undefined) {
    yield* valueSchemaProblems(variables, ['variables'])
    if (variables['type'] !== undefined && variables['type'] !== 'object')
      yield problem(['variables', 'type'], 'variables are an object', { expected: 'type: object' })
  }
  for (const [event, schema] of members(events)) {
    yield* valueSchemaProblems(schema, ['events', event])
    if (isEngineEvent(event))
      yield problem(['events', event], `${quote(event)} is the engine's own event`, {
        expected: 'events of your own; action.succeeded and action.failed need no declaration',
        point: 'key',
      })
  }
}

/** Not an error: people write the state first and the way to it later. */
function* unreachable({ initial, states }: LooseMachine, names: Names): Generator<Problem> {
  if (initial === undefined || !names.isState(initial) || states === undefined) return
  const reached = new Set([initial])
  for (const name of reached) for (const target of targetsOf(states[name])) reached.add(target)
  for (const name of names.states)
    if (!reached.has(name))
      yield problem(['states', name], `no transition leads to ${quote(name)}`, {
        expected: 'a transition to it, or the definition without it',
        point: 'key',
        severity: 'warning',
      })
}

const targetsOf = (state: LooseState | undefined): readonly string[] =>
  [...members(state?.on), ...members(state?.after)].flatMap(([, transitions]) => targetsIn(transitions))

const targetsIn = (transitions: LooseTransitions): readonly string[] =>
  typeof transitions === 'string'
    ? [transitions]
    : each(transitions, []).flatMap(([{ to }]) => (to === undefined ? [] : [to]))
