// Owns the functions of a machine written in code: hung onto what core compiled from the rest of it, each answer
// looked at before core sees it. The compiler keeps TypeScript from giving wrong answers; JavaScript is told here.

import type { ActionRequest } from '../core/action.ts'
import { PawlError } from '../core/errors.ts'
import { isObject, type JsonObject } from '../core/json.ts'
import type { Machine, MachineView, State, Transition } from '../core/triggers/machine.ts'
import { quote } from './problem.ts'

type Code = (view: MachineView) => unknown

interface TransitionCode {
  readonly when?: Code
  readonly condition?: unknown
  readonly set?: Code
}

type Written = string | TransitionCode | readonly TransitionCode[]

export interface StateCode {
  readonly enter?: Code
  readonly on?: Readonly<Record<string, Written>>
  readonly after?: Readonly<Record<string, Written>>
}

/** The states of a compiled skeleton, with their functions. */
export const withCode = (
  { id, states }: Machine,
  code: Readonly<Record<string, StateCode>>,
): Machine['states'] =>
  new Map([...states].map(([name, state]) => [name, stateWithCode(`${id}.${name}`, state, code[name]!)]))

const stateWithCode = (where: string, state: State, { enter, on, after }: StateCode): State => ({
  ...state,
  ...(enter && { enter: (view) => requests(`${where}.enter`, enter(view)) }),
  on: new Map(
    [...state.on].map(([event, compiled]) => [
      event,
      withEach(`${where}.on.${event}`, compiled, on?.[event]),
    ]),
  ),
  after: state.after.map((timer) => ({
    ...timer,
    transitions: withEach(`${where}.after.${timer.label}`, timer.transitions, after?.[timer.label]),
  })),
})

const withEach = (
  where: string,
  compiled: readonly Transition[],
  written: Written | undefined,
): readonly Transition[] => {
  const code: readonly (TransitionCode | string | undefined)[] = Array.isArray(written) ? written : [written]
  return compiled.map((transition, index) => withFunctions(where, transition, code[index]))
}

const withFunctions = (
  where: string,
  transition: Transition,
  code: TransitionCode | string | undefined,
): Transition => {
  if (code === undefined || typeof code === 'string') return transition
  const { when, condition, set } = code
  // Without a condition of its own the skeleton holds one that is always true, in place of the function.
  const guard = condition === undefined ? undefined : transition.guard
  return {
    ...transition,
    ...(when && { guard: (view) => (guard?.(view) ?? true) && answer(`${where}.when`, when(view)) }),
    ...(set && { set: (view) => changes(`${where}.set`, set(view)) }),
  }
}

/** A promise is true; taking it for an answer would let everything through. */
const answer = (where: string, said: unknown): boolean => {
  if (isObject(said)) throw wrongAnswer(where, said, 'true or false, at once')
  return Boolean(said)
}

const changes = (where: string, said: unknown): JsonObject => {
  if (isObject(said) && !('then' in said)) return said
  throw wrongAnswer(where, said, 'an object of variables')
}

const requests = (where: string, said: unknown): readonly ActionRequest[] =>
  (Array.isArray(said) ? said : [said])
    .filter((item) => item !== undefined && item !== null && item !== false)
    .map((item: unknown) => {
      if (isRequest(item)) return item
      throw wrongAnswer(where, item, 'what a runner returns when it is called, or nothing')
    })

const isRequest = (value: unknown): value is ActionRequest =>
  isObject(value) && typeof value['type'] === 'string' && isObject(value['options'])

const wrongAnswer = (where: string, said: unknown, expected: string): PawlError => {
  const shown =
    said instanceof Promise ? 'a promise' : typeof said === 'object' ? 'an object' : quote(String(said))
  return new PawlError('decide_failed', `${where} returned ${shown}`, { path: where, expected })
}
