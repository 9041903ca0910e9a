// Owns the last look at a JSON column before it is believed. The server keeps it well-formed, not meaningful: a row that
// was changed by hand may hold any JSON, and would be sent as an effect or fail in the middle of a batch.

import { PawlError } from '../../core/errors.ts'
import { isObject } from '../../core/json.ts'

export const damaged = (what: string): PawlError =>
  new PawlError('store_corrupt', `${what} is not what Pawl writes there: the row was changed or damaged`, {
    expected: 'the row as it was written; restore it from a backup',
  })

/** The value, when it is an object and has text under each of these names. */
export const shaped = <Value extends object>(
  value: Value | null,
  what: string,
  texts: readonly (keyof Value & string)[] = [],
): Value => {
  if (!isObject(value) || texts.some((name) => typeof value[name] !== 'string')) throw damaged(what)
  return value
}
