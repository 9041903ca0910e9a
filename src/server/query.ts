// Owns reading the query of an address: each parameter once, and whose rows are meant apart from all others.

import { PawlError } from '../core/errors.ts'
import type { JsonObject } from '../core/json.ts'

export interface ReadQuery {
  readonly namespace: string | undefined
  readonly tenant: string | undefined
  /** All other parameters. */
  readonly rest: JsonObject
}

const MAX_PARAMETERS = 50
/** As namespaces and tenants are named wherever they are made. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/

const refused = (path: string, message: string, expected: string): PawlError =>
  new PawlError('input_invalid', message, { path, expected })

const named = (rest: Map<string, string>, field: string): string | undefined => {
  const value = rest.get(field)
  rest.delete(field)
  if (value !== undefined && !NAME.test(value))
    throw refused(
      field,
      `“${value.slice(0, 80)}” cannot be a ${field}`,
      'letters, digits, dots, dashes and underscores',
    )
  return value
}

/** What no store can keep is in no store: PostgreSQL has no text with NUL. */
export const assertText = (name: string, value: string): void => {
  if (name.includes('\0') || value.includes('\0'))
    throw refused(
      name.replaceAll('\0', '').slice(0, 80),
      'there is a NUL character in the address',
      'text without it',
    )
}

export const readQuery = (search: string): ReadQuery => {
  const rest = new Map<string, string>()
  for (const [name, value] of new URLSearchParams(search)) {
    if (rest.has(name))
      throw refused(name.slice(0, 80), `“${name.slice(0, 80)}” stands there twice`, 'it once')
    if (rest.size === MAX_PARAMETERS)
      throw refused('query', 'there are too many parameters', `at most ${MAX_PARAMETERS}`)
    assertText(name, value)
    rest.set(name, value)
  }
  const [namespace, tenant] = [named(rest, 'namespace'), named(rest, 'tenant')]
  return { namespace, tenant, rest: Object.fromEntries(rest) }
}
