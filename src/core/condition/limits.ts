// Owns how large a rule may be, so that compiling it is cheap and its recursion shallow.

import { PawlError } from '../errors.ts'
import type { Json } from '../json.ts'

const MAX_RULE_DEPTH = 64
const MAX_RULE_NODES = 1_000
/** Of its JSON text, or of all its keys and texts together. */
const MAX_RULE_LENGTH: number = 64 * 1024

interface Size {
  nodes: number
  length: number
}

export const assertSmall = (rule: Json): void => measure(rule, 0, { nodes: 0, length: 0 })

export const assertShort = (length: number): void => {
  if (length > MAX_RULE_LENGTH) throw tooLarge(`has more than ${MAX_RULE_LENGTH} characters`)
}

const measure = (value: Json, depth: number, size: Size): void => {
  size.nodes++
  if (size.nodes > MAX_RULE_NODES) throw tooLarge(`has more than ${MAX_RULE_NODES} nodes`)
  if (typeof value === 'string') lengthen(size, value)
  if (typeof value !== 'object' || value === null) return
  if (depth === MAX_RULE_DEPTH) throw tooLarge(`nests deeper than ${MAX_RULE_DEPTH} levels`)
  if (!Array.isArray(value)) for (const key of Object.keys(value)) lengthen(size, key)
  for (const member of Object.values(value)) measure(member, depth + 1, size)
}

const lengthen = (size: Size, text: string): void => {
  size.length += text.length
  assertShort(size.length)
}

const tooLarge = (why: string): PawlError =>
  new PawlError('invalid_condition', `the condition ${why}`, { path: '', expected: 'a smaller rule' })
