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

/** It has no member. */
export const isEmpty = (value: object): boolean => {
  for (const _ in value) return false
  return true
}

/** An own property, or undefined: `constructor` and `__proto__` are never reached. */
export const own = (value: unknown, key: string): Json | undefined =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Record<string, Json>)[key]
    : undefined

/** What JSON leaves out of an object, and writes as null in a list. */
const isAbsent = (value: unknown): boolean =>
  value === undefined || typeof value === 'function' || typeof value === 'symbol'

/** Neither a quote, a backslash, a control character nor half of a pair: JSON writes it as it is. */
const PLAIN = /^[ !#-[\]-\ud7ff\ue000-\uffff]*$/

const quoted = (text: string): string => (PLAIN.test(text) ? `"${text}"` : JSON.stringify(text))

/** Names are few: put in place one by one they leave no garbage behind, as `sort` does with every call. */
const MANY = 16

const sorted = (names: string[]): readonly string[] => {
  if (names.length > MANY) return names.sort()
  for (let index = 1; index < names.length; index++) {
    const name = names[index]!
    let place = index
    for (; place > 0 && names[place - 1]! > name; place--) names[place] = names[place - 1]!
    names[place] = name
  }
  return names
}

/** Are the names of every object in it in order, and would JSON.stringify ask none of them what it is? */
const isInOrder = (value: unknown): boolean => {
  if (typeof value !== 'object' || value === null) return true
  if (Array.isArray(value)) return value.every(isInOrder)
  let last = ''
  for (const key in value) {
    if (key < last || !isInOrder((value as JsonObject)[key])) return false
    last = key
  }
  return typeof (value as { readonly toJSON?: unknown }).toJSON !== 'function'
}

/**
 * JSON text with sorted keys and no spaces: equal values have equal text. Every step of an execution is hashed, so what is in
 * order, as its own lines of history are, is written natively (1.1 µs), and the rest by loops (2.6).
 */
export const canonical = (value: unknown): string => {
  if (typeof value === 'string') return quoted(value)
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : 'null'
  return typeof value === 'object' && value !== null && isInOrder(value)
    ? JSON.stringify(value)
    : ordered(value)
}

const ordered = (value: unknown): string => {
  if (typeof value === 'string') return quoted(value)
  if (typeof value !== 'object' || value === null) return JSON.stringify(isAbsent(value) ? null : value)
  let text = ''
  if (Array.isArray(value)) {
    // By index: the holes of a list are written too.
    for (let index = 0; index < value.length; index++)
      text += `${index > 0 ? ',' : ''}${ordered(value[index])}`
    return `[${text}]`
  }
  for (const key of sorted(Object.keys(value))) {
    const member = (value as JsonObject)[key]
    if (isAbsent(member)) continue
    text += `${text === '' ? '' : ','}${quoted(key)}:${ordered(member)}`
  }
  return `{${text}}`
}

/** The most a character, a number and anything else that is short come to in JSON, with what stands around them. */
const ESCAPED = 6
const SHORT = 30

/** The first limit a value passes, and how long its text is at most: no more than that need be written to know. */
interface Measured {
  readonly excess: 'depth' | 'length' | undefined
  readonly most: number
}

/**
 * The walk counts the characters its text has at least, so it ends over shared references too, where sixty-four short lists
 * name 2^64 values, before any text is written. Of what JSON may write in its own way the length is not known.
 */
const measure = (value: unknown): Measured => {
  let least = 0
  let most = 0
  const short = (item: unknown): void => {
    const isText = typeof item === 'string'
    const isPlain = isText || typeof item === 'number' || typeof item === 'boolean' || item === null
    least += isText ? item.length : 1
    most += isPlain ? SHORT + (isText ? ESCAPED * item.length : 0) : Infinity
  }
  const members = (item: object, depth: number): Measured['excess'] => {
    const isList = Array.isArray(item)
    const keys = isList ? undefined : Object.keys(item)
    const count = keys === undefined ? (item as readonly unknown[]).length : keys.length
    for (let index = 0; index < count; index++) {
      const key = keys === undefined ? index : keys[index]!
      if (keys !== undefined) short(key)
      const excess = walk((item as JsonObject)[key], depth + 1)
      if (excess !== undefined) return excess
    }
    return undefined
  }
  const walk = (item: unknown, depth: number): Measured['excess'] => {
    if (typeof item !== 'object' || item === null) {
      short(item)
      return least > MAX_JSON_LENGTH ? 'length' : undefined
    }
    least += 1
    most += typeof (item as { readonly toJSON?: unknown }).toJSON === 'function' ? Infinity : SHORT
    if (least > MAX_JSON_LENGTH) return 'length'
    return depth > MAX_JSON_DEPTH ? 'depth' : members(item, depth)
  }
  const excess = walk(value, 1)
  return { excess, most }
}

const tooLarge = (what: string, how: string): PawlError =>
  new PawlError('payload_too_large', `${what} ${how}`, {
    expected: `at most ${MAX_JSON_LENGTH} characters of JSON`,
  })

/** Refuses what could be accepted but not stored: too deep, too large. `what` names it in the message. */
export const assertStorable = (value: Json, what: string): void => {
  const { excess, most } = measure(value)
  if (excess === 'depth')
    throw new PawlError('payload_too_large', `${what} nests deeper than ${MAX_JSON_DEPTH} levels`, {
      expected: `at most ${MAX_JSON_DEPTH} levels`,
    })
  if (excess === 'length') throw tooLarge(what, `is more than ${MAX_JSON_LENGTH} characters of JSON`)
  if (most <= MAX_JSON_LENGTH) return
  const length = JSON.stringify(value).length
  if (length > MAX_JSON_LENGTH) throw tooLarge(what, `is ${length} characters of JSON`)
}
