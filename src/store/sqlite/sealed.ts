// Owns the checksum of JSON columns. SQLite keeps none of its own: a flipped bit in a text is read as data, and would
// be sent as an effect. Sealed text is eight hex digits and the JSON they were made from, so any one changed character
// is found when the row is read (every step of the hash is a bijection) and the row is refused.

import { PawlError } from '../../core/errors.ts'
import { mixed, readOn, UNREAD } from '../../core/hash.ts'
import type { Json } from '../../core/json.ts'

const DIGITS = 8

/** Of a text from a position on. `bound` are short columns of the same row, which never change and are covered too. */
const sum = (text: string, from: number, bound: string): string =>
  mixed(readOn(readOn(UNREAD, bound), text, from))
    .toString(16)
    .padStart(DIGITS, '0')

/** A value of the port: its types are JSON by construction, which TypeScript cannot see through interfaces. */
type Sealable = Json | object

export const seal = (value: Sealable, bound = ''): string => {
  const json = JSON.stringify(value)
  return sum(json, 0, bound) + json
}

export const sealOptional = (value: Sealable | undefined): string | null =>
  value === undefined ? null : seal(value)

/** `what` names the row in the message. */
export const unseal = <Value>(text: string, what: string, bound = ''): Value => {
  if (!text.startsWith(sum(text, DIGITS, bound)))
    throw new PawlError('store_corrupt', `${what} does not fit its checksum: the file is damaged`, {
      expected: 'the row as it was written; restore the last backup of the store',
    })
  return JSON.parse(text.slice(DIGITS)) as Value
}
