// Owns the limits of one rendering: the exact length of its JSON text, how deep it nests, and how much the filters
// may chew. Everything is charged before it is built or kept, so a small template cannot become a large value.

import { PawlError } from '../errors.ts'
import { type Json, MAX_JSON_DEPTH, MAX_JSON_LENGTH } from '../json.ts'

/** Characters and list items that filters may read in one rendering. */
export const MAX_WORK: number = 4 * MAX_JSON_LENGTH

type Scalar = null | boolean | number | string

export interface Meter {
  /** Characters of JSON text that are left. */
  room: number
  work: number
  /** Where in the template we are, for errors. */
  place: string
}

export const spend = (meter: Meter, length: number): void => {
  meter.room -= length
  if (meter.room < 0)
    throw exceeded(meter, `the template renders to more than ${MAX_JSON_LENGTH} characters of JSON`)
}

export const toil = (meter: Meter, amount: number): void => {
  meter.work -= amount
  if (meter.work < 0)
    throw exceeded(meter, `the filters of the template read more than ${MAX_WORK} characters`)
}

/** `levels`: how many more containers may be nested here. */
export const spendValue = (meter: Meter, value: Json, levels: number): void => {
  if (typeof value !== 'object' || value === null) spendScalar(meter, value)
  else {
    spendContainer(meter, value, levels)
    for (const item of Object.values(value)) spendValue(meter, item, levels - 1)
  }
}

export const spendScalar = (meter: Meter, value: Scalar): void => spend(meter, JSON.stringify(value).length)

/** Brackets, commas and keys: all but the members. */
export const spendContainer = (meter: Meter, value: object, levels: number): void => {
  if (levels === 0) throw exceeded(meter, `the template renders to more than ${MAX_JSON_DEPTH} levels`)
  const keys = Object.keys(value)
  spend(meter, Math.max(keys.length, 1) + 1)
  if (!Array.isArray(value)) for (const key of keys) spend(meter, escapedLength(key) + 3)
}

/** The length of a text inside JSON quotes. */
export const escapedLength = (text: string): number => JSON.stringify(text).length - 2

const exceeded = (meter: Meter, message: string): PawlError =>
  new PawlError('template_limit_exceeded', message, { path: meter.place })
