// Owns definitions some parts of which were refused: the other parts are still checked, so that all problems are told
// at once. A refused part reads as undefined; its key stays, so that what refers to it still finds its name.

import type { Dedup, Limit } from '../core/action.ts'
import type { ActionData, MachineData, RequestData, StateData, TransitionData } from '../core/definition.ts'
import { isObject } from '../core/json.ts'
import type { Path, Problem } from './problem.ts'

type Loosened<T> = { readonly [K in keyof T]?: T[K] | undefined }
type LooseOptions<T> = Loosened<Omit<T, 'dedup' | 'limit'>> & {
  readonly dedup?: Loosened<Dedup> | undefined
  readonly limit?: Loosened<Limit> | undefined
}
type Named<T> = Readonly<Record<string, T | undefined>>
type Listed<T> = readonly (T | undefined)[]

export type LooseRequest = LooseOptions<RequestData>
export type LooseAction = LooseOptions<ActionData>
export type LooseTransition = Loosened<TransitionData>
export type LooseTransitions = string | LooseTransition | Listed<LooseTransition>
export type LooseState = Loosened<Omit<StateData, 'enter' | 'on' | 'after'>> & {
  readonly enter?: LooseRequest | Listed<LooseRequest> | undefined
  readonly on?: Named<LooseTransitions> | undefined
  readonly after?: Named<LooseTransitions> | undefined
}
export type LooseMachine = Loosened<Omit<MachineData, 'states' | 'actions'>> & {
  readonly states?: Named<LooseState> | undefined
  readonly actions?: Listed<LooseAction> | undefined
}

/** Each with the way to it; a single one stands for a list of one. */
export const each = <T extends object>(
  value: T | Listed<T> | undefined,
  at: Path,
): readonly (readonly [T, Path])[] => {
  if (value === undefined) return []
  if (!Array.isArray(value)) return [[value as T, at]]
  return (value as Listed<T>).flatMap((item, index) =>
    item === undefined ? [] : [[item, [...at, index]] as const],
  )
}

/** The members that were not refused. */
export const members = <T>(named: Named<T> | undefined): readonly (readonly [string, T])[] =>
  Object.entries(named ?? {}).flatMap(([key, value]) => (value === undefined ? [] : [[key, value] as const]))

export const withoutRefused = (value: unknown, refused: readonly Problem[]): unknown =>
  refused.reduce((left, { at }) => withoutPart(left, at), value)

const withoutPart = (value: unknown, [key, ...below]: Path): unknown => {
  if (key === undefined) return undefined
  if (Array.isArray(value)) return value.with(Number(key), withoutPart(value[Number(key)], below))
  if (!isObject(value) || !Object.hasOwn(value, key)) return value
  return { ...value, [key]: withoutPart(value[key], below) }
}

/**
 * Leaves out what follows from an earlier problem: anything at, above or below a refused part, and what is missing
 * because its name was misspelt.
 */
export const unexplained = (later: readonly Problem[], earlier: readonly Problem[]): readonly Problem[] => {
  const refused = earlier.map(({ at }) => `${at.join('\n')}\n`)
  const misspelt = new Set(
    earlier
      .filter(({ point, suggestion }) => point === 'key' && suggestion !== undefined)
      .map(({ at, suggestion }) => [...at.slice(0, -1), suggestion].join('\n')),
  )
  return later.filter(({ at }) => {
    const path = `${at.join('\n')}\n`
    return (
      !misspelt.has(at.join('\n')) &&
      !refused.some((other) => other.startsWith(path) || path.startsWith(other))
    )
  })
}
