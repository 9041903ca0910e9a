// Owns the step from a value that code made to the JSON that is stored. What JSON would change in silence (a Date, a
// Map, NaN) is refused: the first attempt would see one thing in memory and the second another from the store.

import { type Json, MAX_JSON_DEPTH, MAX_JSON_LENGTH } from './json.ts'
import { type Checked, type Misfit, misfit } from './schema.ts'

/** A copy without undefined members, or where it is not JSON. `undefined` itself is null. */
export const plain = (value: unknown): Checked<Json> => {
  // What most effects come to: nothing is to be walked for it.
  if (value === undefined || value === null) return { fits: true, value: null }
  let refused: Misfit | undefined
  let values = 0
  /** From the value to the item that is looked at. */
  const path: (string | number)[] = []
  const refuse = (at: readonly (string | number)[], message: string): null => {
    refused = { path: at.join('.'), message }
    return null
  }
  const below = (step: string | number, member: unknown): Json => {
    path.push(step)
    const copied = copy(member)
    path.pop()
    return copied
  }
  const copy = (item: unknown): Json => {
    // After a refusal nothing more is walked, and each value is at least a character of what may be stored: an object
    // that holds itself twice, or a short list sixty times over, would take 2^60 steps.
    if (refused !== undefined || item === undefined || item === null) return null
    if (++values > MAX_JSON_LENGTH)
      return refuse(path.slice(0, 3), `holds more than ${MAX_JSON_LENGTH} values`)
    if (typeof item === 'string' || typeof item === 'boolean' || Number.isFinite(item)) return item as Json
    if (path.length >= MAX_JSON_DEPTH)
      return refuse(path.slice(0, 3), `nests deeper than ${MAX_JSON_DEPTH} levels`)
    if (Array.isArray(item)) return item.map((member, index) => below(index, member))
    if (!isPlain(item)) return refuse(path, `${nameOf(item)} is not JSON`)
    const copied: Record<string, Json> = {}
    for (const key of Object.keys(item)) {
      const member = (item as Readonly<Record<string, unknown>>)[key]
      if (member !== undefined) put(copied, key, below(key, member))
    }
    return copied
  }
  const result = copy(value)
  return refused === undefined ? { fits: true, value: result } : misfit(refused)
}

/** As a member of its own, whatever the key: `__proto__` would be taken for the prototype. */
const put = (object: Record<string, Json>, key: string, value: Json): void => {
  if (key === '__proto__')
    Object.defineProperty(object, key, { value, enumerable: true, writable: true, configurable: true })
  else object[key] = value
}

/** Made by `{}` in this or another realm, or by Object.create(null). */
const isPlain = (value: unknown): value is object => {
  if (typeof value !== 'object') return false
  const prototype = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

const nameOf = (value: unknown): string => {
  if (typeof value !== 'object') return `${typeof value} ${String(value)}`.slice(0, 80)
  const kind = Object.prototype.toString.call(value).slice('[object '.length, -1)
  return kind === 'Object' ? 'an object of a class' : `${/^[AEIOU]/.test(kind) ? 'an' : 'a'} ${kind}`
}
