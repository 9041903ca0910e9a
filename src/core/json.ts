// Owns what JSON is to Pawl: the type, a walk that never reaches a prototype, the canonical text that is hashed,
// and the size and depth limits that every stored value keeps.

import { PawlError } from './errors.ts'

export type Json = null | boolean | number | string | readonly Json[] | JsonObject
export interface JsonObject {
  readonly [key: string]: Json
}

export const MAX_JSON_DEPTH = 64
/** Payloads and variables, in UTF-16 code units of their JSON text. */
export const MAX_JSON_LENGTH: number = 256 * 1024

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** An own property, or undefined: `constructor` and `__proto__` are never reached. */
export const own = (value: unknown, key: string): Json | undefined =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Record<string, Json>)[key]
    : undefined

/** JSON text with sorted keys and no spaces: equal values have equal text. Undefined members are left out. */
export const canonical = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map((item) => canonical(item ?? null)).join(',')}]`
  if (!isObject(value)) return JSON.stringify(value ?? null)
  const members = Object.keys(value)
    .filter((key) => value[key] !== undefined)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`)
  return `{${members.join(',')}}`
}

const depthOf = (value: unknown, limit: number): number => {
  if (typeof value !== 'object' || value === null) return 0
  if (limit === 0) return 1
  let deepest = 0
  for (const item of Object.values(value)) deepest = Math.max(deepest, depthOf(item, limit - 1))
  return deepest + 1
}

/** Refuses what could be accepted but not stored: too deep, too large. `what` names it in the message. */
export const assertStorable = (value: Json, what: string): void => {
  if (depthOf(value, MAX_JSON_DEPTH) > MAX_JSON_DEPTH)
    throw new PawlError('payload_too_large', `${what} nests deeper than ${MAX_JSON_DEPTH} levels`, {
      expected: `at most ${MAX_JSON_DEPTH} levels`,
    })
  const length = JSON.stringify(value).length
  if (length > MAX_JSON_LENGTH)
    throw new PawlError('payload_too_large', `${what} is ${length} characters of JSON`, {
      expected: `at most ${MAX_JSON_LENGTH}`,
    })
}
