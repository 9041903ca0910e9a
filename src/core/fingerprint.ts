// Owns what makes two failures the same to an operator: the action's type, the error's type, its message without what
// differs from one action to the next, and the place in the code it came from. 214 dead letters with one cause are one group.

import type { ActionError } from './action-error.ts'
import { sha256Hex } from './hash.ts'

/** Longest first: a UUID holds numbers, an address holds words. */
const VARYING: readonly (readonly [RegExp, string])[] = [
  [/"[^"]{0,200}"|'[^']{0,200}'|“[^”]{0,200}”/g, '‹text›'],
  [/\bhttps?:\/\/\S{1,500}/gi, '‹url›'],
  [/[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,64}){1,8}/g, '‹address›'],
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, '‹id›'],
  [/\b(?=\w*\d)[0-9A-Za-z_]{16,}\b/g, '‹id›'],
  [/\d+/g, '‹n›'],
]

export const normaliseMessage = (message: string): string =>
  VARYING.reduce((text, [pattern, name]) => text.replace(pattern, name), message)

/** Sixteen hex digits: enough to tell the causes of a store apart. */
export const fingerprint = (actionType: string, error: ActionError, place?: string): string => {
  const parts = [actionType, error.type, error.code ?? '', normaliseMessage(error.message)]
  return sha256Hex(JSON.stringify(place === undefined ? parts : [...parts, place])).slice(0, 16)
}
