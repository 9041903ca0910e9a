// Owns the canonical text of what was read from JSON, for hashing millions of lines: the rule of core/json.ts by another
// hand, which needs no care for what JSON cannot say and is three times as fast.

import type { Json } from '../core/json.ts'

const isSorted = (keys: readonly string[]): boolean => {
  for (let at = 1; at < keys.length; at++) if (keys[at - 1]! > keys[at]!) return false
  return true
}

const listed = (items: readonly Json[]): string => {
  let text = ''
  for (const item of items) text += text === '' ? sortedText(item) : `,${sortedText(item)}`
  return `[${text}]`
}

/** JSON with sorted keys and no spaces. */
export const sortedText = (value: Json): string => {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return listed(value)
  const members = value as { readonly [key: string]: Json }
  const keys = Object.keys(members)
  let text = ''
  for (const key of isSorted(keys) ? keys : keys.sort()) {
    const member = `${JSON.stringify(key)}:${sortedText(members[key]!)}`
    text += text === '' ? member : `,${member}`
  }
  return `{${text}}`
}
