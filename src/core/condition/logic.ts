// Owns the operators that choose: if, and, or, !, !!. They evaluate no more than they need.

import type { Json } from '../json.ts'
import type { Operator, Rule } from './rule.ts'
import { operands, truthy } from './values.ts'

const NOTHING: Rule = () => null

/** [condition, then, condition, then, …, else]; without an else, null. */
const choose: Operator = (argument, site) => {
  const rules = operands(argument, site)
  const otherwise = rules.length % 2 === 1 ? rules.at(-1)! : NOTHING
  const branches = Array.from({ length: Math.floor(rules.length / 2) }, (_, pair) => ({
    holds: rules[2 * pair]!,
    result: rules[2 * pair + 1]!,
  }))
  return (point) => {
    for (const { holds, result } of branches) if (truthy(holds(point), point)) return result(point)
    return otherwise(point)
  }
}

/** The first value that is `wanted`, or else the last one. */
const firstThat =
  (wanted: boolean): Operator =>
  (argument, site) => {
    const rules = operands(argument, site)
    return (point) => {
      let value: Json = null
      for (const rule of rules) {
        value = rule(point)
        if (truthy(value, point) === wanted) return value
      }
      return value
    }
  }

const truthOf =
  (wanted: boolean): Operator =>
  (argument, site) => {
    const [rule = NOTHING] = operands(argument, site)
    return (point) => truthy(rule(point), point) === wanted
  }

export const LOGIC: Readonly<Record<string, Operator>> = {
  if: choose,
  '?:': choose,
  and: firstThat(false),
  or: firstThat(true),
  '!': truthOf(false),
  '!!': truthOf(true),
}
