// Owns the last look at a JSON column before it is believed. The server keeps it well-formed, not meaningful: a row that
// was changed by hand may hold any JSON, and would be sent as an effect or fail in the middle of a batch.

import { PawlError } from '../../core/errors.ts'
import { isObject } from '../../core/json.ts'

export const damaged = (what: string): PawlError =>
  new PawlError('store_corrupt', `${what} is not what Pawl writes there: the row was changed or damaged`, {
    expected: 'the row as it was written; restore it from a backup',
  })

/** Is it an object with text under each of these names? */
export const isShaped = <Value extends object>(
  value: Value | null,
  texts: readonly (keyof Value & string)[],
): value is Value => {
  if (!isObject(value)) return false
  for (const name of texts) if (typeof value[name] !== 'string') return false
  return true
}

/** The value, when it is shaped so. */
export const shaped = <Value extends object>(
  value: Value | null,
  what: string,
  texts: readonly (keyof Value & string)[] = [],
): Value => {
  if (!isShaped(value, texts)) throw damaged(what)
  return value
}
