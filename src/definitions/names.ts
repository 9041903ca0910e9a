// Owns which names exist in a machine, for everything in it that refers to something: states, actions, events,
// variables, and what placeholders and conditions may name.

import { FAILED, SUCCEEDED } from '../core/event.ts'
import { isObject } from '../core/json.ts'
import type { KnownNames } from '../core/template/known.ts'
import { each, type LooseMachine, members } from './loose.ts'

export interface Names {
  readonly states: readonly string[]
  readonly isState: (name: string) => boolean
  readonly actions: readonly string[]
  readonly isAction: (name: string) => boolean
  readonly events: readonly string[]
  /** Always true where no events are declared: then any may come. */
  readonly isEvent: (name: string) => boolean
  readonly variables: readonly string[]
  /** Always true where the schema leaves room for others. */
  readonly isVariable: (name: string) => boolean
  readonly known: KnownNames
}

/** What runners say when they have succeeded; a runner of your own may say something else. */
const RESULT_EVENTS: readonly string[] = [
  'email_sent',
  'sms_sent',
  'webhook_called',
  'api_called',
  'envelope_sent',
  'envelope_completed',
  'token_minted',
  'slack_posted',
  'task_created',
  'task_completed',
  'delay_elapsed',
  'database_executed',
  'notification_sent',
]

/** `isOpen`: files of their own may still bring actions, so that any name may be one. */
export const namesIn = (machine: LooseMachine, isOpen: boolean): Names => {
  const states = Object.keys(machine.states ?? {})
  const actions = actionsIn(machine)
  const events = Object.keys(machine.events ?? {})
  const variables = closedVariables(machine.variables)
  const isOneOf = (names: readonly string[]): ((name: string) => boolean) => {
    const set = new Set(names)
    return (name) => set.has(name)
  }
  const isNamed = isOneOf(actions)
  return {
    states,
    isState: machine.states === undefined ? () => true : isOneOf(states),
    actions,
    // The second request of a name in one state is `email#2`.
    isAction: isOpen ? () => true : (name) => isNamed(name) || isNamed(name.replace(/#\d+$/, '')),
    events,
    isEvent:
      machine.events === undefined ? () => true : isOneOf([...events, ...RESULT_EVENTS, SUCCEEDED, FAILED]),
    variables: variables ?? [],
    isVariable: variables === undefined ? () => true : isOneOf(variables),
    known: scopeNames(variables),
  }
}

const actionsIn = (machine: LooseMachine): readonly string[] => {
  const listed = each(machine.actions, []).map(([{ actionId }]) => actionId)
  const entered = members(machine.states).flatMap(([, { enter }]) =>
    each(enter, []).map(([{ name, type }]) => name ?? type),
  )
  return [...new Set([...listed, ...entered])].filter((name) => name !== undefined)
}

/** Undefined where variables beside the described ones may exist. */
const closedVariables = (schema: LooseMachine['variables']): readonly string[] | undefined =>
  schema?.['additionalProperties'] === false && isObject(schema['properties'])
    ? Object.keys(schema['properties'])
    : undefined

/** What scopeOf gives a machine's templates and conditions. */
export const scopeNames = (variables: readonly string[] | undefined): KnownNames => {
  const variable =
    variables === undefined ? true : Object.fromEntries(variables.map((name) => [name, true] as const))
  const event = {
    id: true,
    type: true,
    payload: true,
    data: true,
    at: true,
    action: true,
    timer: true,
  } as const
  return {
    execution: { id: true, state: true, variables: variable },
    variables: variable,
    context: variable,
    subject: variable,
    event,
    message: event,
    now: true,
  }
}
