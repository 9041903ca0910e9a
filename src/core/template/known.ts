// Owns what can be said about names before any data exists: which ones a scope will have, and how a mistake in a
// template or a condition is reported without throwing.

import type { ErrorCode, PawlError } from '../errors.ts'
import { type Json, own } from '../json.ts'

/** The names below a name; `true` where anything may follow. */
export interface KnownNames {
  readonly [name: string]: KnownNames | true
}

export interface Problem {
  readonly code: ErrorCode
  /** Dotted path inside what was checked. */
  readonly path: string
  readonly message: string
  /** In a text: where in it. */
  readonly offset?: number
  readonly expected?: string
  readonly suggestion?: string
}

/** A list names roots below which anything may follow. */
export const namesFrom = (known: readonly string[] | KnownNames): KnownNames =>
  Array.isArray(known) ? Object.fromEntries(known.map((name) => [name, true])) : (known as KnownNames)

export const isKnown = (segments: readonly string[], names: KnownNames): boolean => {
  let below: Json | undefined = names
  for (const segment of segments) below = below === true ? true : own(below, segment)
  return below !== undefined
}

/** The error's path must be set. */
export const problemOf = ({ code, message, details }: PawlError): Problem => ({
  code,
  message,
  ...details,
  path: details.path!,
})
