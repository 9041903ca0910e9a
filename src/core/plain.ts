// Owns the step from a value that code made to the JSON that is stored. What JSON would change in silence (a Date, a
// Map, NaN) is refused: the first attempt would see one thing in memory and the second another from the store.

import { type Json, MAX_JSON_DEPTH, MAX_JSON_LENGTH } from './json.ts'
import { type Checked, type Misfit, misfit } from './schema.ts'

type Path = readonly (string | number)[]

/** A copy without undefined members, or where it is not JSON. `undefined` itself is null. */
export const plain = (value: unknown): Checked<Json> => {
  let refused: Misfit | undefined
  let values = 0
  const refuse = (path: Path, message: string): null => {
    refused = { path: path.join('.'), message }
    return null
  }
  const copy = (item: unknown, path: Path): Json => {
    // After a refusal nothing more is walked, and each value is at least a character of what may be stored: an object
    // that holds itself twice, or a short list sixty times over, would take 2^60 steps.
    if (refused !== undefined || item === undefined || item === null) return null
    if (++values > MAX_JSON_LENGTH)
      return refuse(path.slice(0, 3), `holds more than ${MAX_JSON_LENGTH} values`)
    if (typeof item === 'string' || typeof item === 'boolean' || Number.isFinite(item)) return item as Json
    if (path.length >= MAX_JSON_DEPTH)
      return refuse(path.slice(0, 3), `nests deeper than ${MAX_JSON_DEPTH} levels`)
    if (Array.isArray(item)) return item.map((member, index) => copy(member, [...path, index]))
    if (!isPlain(item)) return refuse(path, `${nameOf(item)} is not JSON`)
    const members = Object.entries(item).filter(([, member]) => member !== undefined)
    return Object.fromEntries(members.map(([key, member]) => [key, copy(member, [...path, key])]))
  }
  const result = copy(value, [])
  return refused === undefined ? { fits: true, value: result } : misfit(refused)
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
