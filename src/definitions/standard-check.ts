// Owns the checks that the Standard Schemas of a machine written in code become: a value is returned as it will be
// kept, defaults filled in and nothing in it but JSON, or refused. value-check.ts is the same for JSON Schema.

import { type ErrorCode, PawlError } from '../core/errors.ts'
import type { Json } from '../core/json.ts'
import { plain } from '../core/plain.ts'
import { checkWith, type Misfit, type Schema } from '../core/schema.ts'
import type { ValueCheck } from './value-check.ts'

/** `what` begins the path in an error: `variables` or `payload`. */
export const checkBy = (schema: Schema, code: ErrorCode, what: string): ValueCheck<Json> => {
  const check = checkWith(schema)
  return (value) => {
    const checked = check(value)
    if (!checked.fits) throw misfitting(code, what, checked.misfits)
    return storedOf(checked.value, code, what)
  }
}

/** A value that code made, as JSON. */
export const storedOf = (value: unknown, code: ErrorCode, what: string): Json => {
  const stored = plain(value)
  if (!stored.fits) throw misfitting(code, what, stored.misfits)
  return stored.value
}

const misfitting = (code: ErrorCode, what: string, [first, ...others]: readonly Misfit[]): PawlError => {
  const path = [what, first!.path].filter((part) => part !== '').join('.')
  const more = others.length === 0 ? '' : `, and ${others.length} more`
  return new PawlError(code, `${path}: ${first!.message}${more}`, { path })
}
