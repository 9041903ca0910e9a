// Owns reading data by path: own properties only, so `constructor` and `__proto__` lead nowhere, and never a
// function. Says what is missing and what is nearest, by name; a value never enters a message.

import { PawlError } from '../errors.ts'
import { type Json, own } from '../json.ts'
import { nearest } from '../suggest.ts'
import { quote, written } from './shown.ts'

/** The names may be a stranger's, as many as fit into a payload. */
const MAX_CANDIDATES = 100

/** Undefined when any part of the path does not exist. */
export const lookup = (data: unknown, segments: readonly string[]): Json | undefined => {
  let value = data
  for (const segment of segments) value = own(value, segment)
  return typeof value === 'function' ? undefined : (value as Json | undefined)
}

export interface Unknown {
  /** The placeholder as written. */
  readonly source: string
  /** Where it stands: a dotted path inside the template. */
  readonly place: string
  readonly segments: readonly string[]
}

/** `data` must not have the path. */
export const unknownVariable = (unknown: Unknown, data: unknown): PawlError => {
  const { source, place, segments } = unknown
  const reached = segments.findIndex((_, index) => lookup(data, segments.slice(0, index + 1)) === undefined)
  const before = segments.slice(0, reached)
  const names = namesOf(lookup(data, before))
  const near = nearest(segments[reached]!, names)
  const inside = before.length === 0 ? '' : ` in ${written(before)}`
  return new PawlError(
    'unknown_variable',
    `${quote(source)}: there is no ${quote(segments[reached]!)}${inside}`,
    {
      path: place,
      ...(near !== undefined && { suggestion: written([...before, near]) }),
    },
  )
}

/** Hidden aliases such as event.data count as names. */
const namesOf = (value: unknown): readonly string[] =>
  typeof value === 'object' && value !== null
    ? Object.getOwnPropertyNames(value).slice(0, MAX_CANDIDATES)
    : []
