// Owns the identity of an effect. A step key names the cause of an action in words; the idempotency key is what is
// sent. Both are derived, never drawn from a database, so a lost and repeated commit cannot give one effect two keys
// or two effects one key (I3).

import { base32, sha256 } from './hash.ts'
import { canonical } from './json.ts'

/** Separators inside a name are escaped, so that `a/b` + `c` and `a` + `b/c` stay two keys. */
const segment = (name: string): string =>
  SEPARATOR.test(name) ? name.replace(/[%/~]/g, encodeSeparator) : name
const SEPARATOR = /[%/~]/
const encodeSeparator = (char: string): string => (char === '~' ? '%7E' : encodeURIComponent(char))

/** `{execution}/{state}/{name}`, with `~{visit}` from the second visit on. */
export const stepKey = (parts: readonly string[], visit: number): string =>
  parts.map(segment).join('/') + (visit > 1 ? `~${visit}` : '')

export interface KeySpace {
  /** Survives restore and graduation to another store. */
  readonly storeId: string
  readonly namespace: string
  readonly tenant: string
}

/** What is sent, shown and given to runners: the same for every attempt of one action. */
export const idempotencyKey = (
  space: KeySpace,
  step: string,
  hashOf: (text: string) => Uint8Array = sha256,
): string =>
  `key_${base32(hashOf(canonical([space.storeId, space.namespace, space.tenant, step]))).slice(0, 26)}`

/** An action's id that follows from what it is for, so that the same cause cannot have two. Of two kinds of cause, two ids. */
export const derivedActionId = (
  { namespace, tenant }: Pick<KeySpace, 'namespace' | 'tenant'>,
  ...cause: readonly string[]
): string => `act_${base32(sha256(canonical([namespace, tenant, ...cause]))).slice(0, 26)}`
