// Owns hanging actions that stand in files of their own onto machines: onto the machine they name, else onto every
// machine that has their triggerState. Only then is a machine complete, so what its transitions say about actions is
// checked here. A machine or action with an error is left out.

import type { ActionData, MachineData } from '../core/definition.ts'
import { checkMachine } from './check-machine.ts'
import { type ParsedAction, type ParsedMachine, parsedMachine } from './parse.ts'
import { type PlacedProblem, type Problem, problem, quote, unknownName } from './problem.ts'

type Told = Problem | PlacedProblem

export interface Linked {
  readonly machines: readonly ParsedMachine[]
  readonly problems: readonly Told[]
}

export const linkActions = (machines: readonly ParsedMachine[], actions: readonly ParsedAction[]): Linked => {
  const ids = new Set<string>()
  const repeated = machines.filter(({ id }) => ids.size === ids.add(id).size)
  const single = machines.filter((machine) => !repeated.includes(machine))
  const homeless = actions.flatMap((action) => homelessness(action, single))
  const joined = single.map((machine) =>
    join(
      machine,
      actions.filter(({ data }) => belongs(data, machine.data)),
    ),
  )
  return {
    machines: joined.flatMap(({ machine }) => machine ?? []),
    problems: [...repeated.map(secondOf), ...homeless, ...joined.flatMap(({ problems }) => problems)],
  }
}

const belongs = ({ machine, triggerState }: ActionData, { id, states }: MachineData): boolean =>
  machine === undefined ? triggerState !== undefined && Object.hasOwn(states, triggerState) : machine === id

const homelessness = (action: ParsedAction, machines: readonly ParsedMachine[]): readonly Told[] => {
  const { machine, triggerState } = action.data
  if (machines.some(({ data }) => belongs(action.data, data))) return []
  if (machine !== undefined) {
    const ids = machines.map(({ id }) => id)
    return [told(action, unknownName(['machine'], `no machine is called ${quote(machine)}`, machine, ids))]
  }
  if (triggerState === undefined)
    return [
      told(
        action,
        problem(['machine'], 'it is not said which machine this action belongs to', {
          expected: 'machine: the id of a machine',
        }),
      ),
    ]
  const states = [...new Set(machines.flatMap(({ data }) => Object.keys(data.states)))]
  const message = `no machine has the state ${quote(triggerState)}`
  if (states.length > 0) return [told(action, unknownName(['triggerState'], message, triggerState, states))]
  return [told(action, problem(['triggerState'], message, { expected: 'a machine beside the action' }))]
}

const secondOf = (machine: ParsedMachine): Told =>
  told(
    machine,
    problem(['id'], `a second machine is called ${quote(machine.id)}`, { expected: 'each id once' }),
  )

interface Joined {
  readonly machine?: ParsedMachine
  readonly problems: readonly Told[]
}

const join = (machine: ParsedMachine, brought: readonly ParsedAction[]): Joined => {
  const own = machine.data.actions ?? []
  const actions = [...own, ...brought.map(({ data }) => data)]
  const data = brought.length === 0 ? machine.data : { ...machine.data, actions }
  // Warnings do not depend on actions and were told when the files were read.
  const errors = checkMachine(data).filter(({ severity }) => severity === 'error')
  if (errors.length > 0)
    return { problems: errors.map((error) => tellIn(error, machine, own.length, brought)) }
  const { place } = machine
  return { machine: { ...parsedMachine(data), ...(place && { place }) }, problems: [] }
}

/** In the file it stands in: an action that was brought has its own. */
const tellIn = (
  error: Problem,
  machine: ParsedMachine,
  ownCount: number,
  brought: readonly ParsedAction[],
): Told => {
  const [list, index, ...inside] = error.at
  const action = list === 'actions' ? brought[Number(index) - ownCount] : undefined
  return action ? told(action, { ...error, at: inside, path: inside.join('.') }) : told(machine, error)
}

const told = ({ place }: ParsedMachine | ParsedAction, found: Problem): Told => place?.(found) ?? found
