// Owns what JSONLogic makes of a value: true or false, a number, a text, a list. As json-logic-engine does, an empty
// list and an empty object are false.

import type { Json } from '../json.ts'
import { burn, burnCharacters, failed, type Operator, type Point, type Rule, type Site } from './rule.ts'

/** An object of many keys does not say whether it is empty before it has listed them. */
const KEYS_PER_STEP = 4

export const truthy = (value: Json, point: Point): boolean => {
  if (typeof value !== 'object' || value === null) return Boolean(value)
  if (Array.isArray(value)) return value.length > 0
  const { length } = Object.keys(value)
  burn(point, Math.floor(length / KEYS_PER_STEP))
  return length > 0
}

/** NaN for what is no number: an object, a list, a text that is not numeric. */
export const numeric = (value: Json, point: Point): number => {
  if (typeof value === 'string') burnCharacters(point, value)
  return typeof value === 'object' && value !== null ? Number.NaN : Number(value)
}

/** Nothing is an empty list; anything else that is not a list cannot be walked. */
export const listOf = (value: Json, site: Site): readonly Json[] => {
  if (Array.isArray(value)) return value
  if (!value) return []
  throw failed(site, 'cannot walk this value', 'a list')
}

/** The arguments one by one; a single one may be written without its list. */
export const operands = (argument: Json, { compile }: Site): readonly Rule[] =>
  Array.isArray(argument) ? argument.map((item, index) => compile(item, String(index))) : [compile(argument)]

/** An operator on values: all arguments are evaluated. One rule that gives a list gives all arguments at once. */
export const onValues =
  (apply: (values: readonly Json[], point: Point, site: Site) => Json): Operator =>
  (argument, site) => {
    if (Array.isArray(argument)) {
      const rules = operands(argument, site)
      return (point) =>
        apply(
          rules.map((rule) => rule(point)),
          point,
          site,
        )
    }
    const rule = site.compile(argument)
    return (point) => {
      const value = rule(point)
      return apply(Array.isArray(value) ? value : [value], point, site)
    }
  }
