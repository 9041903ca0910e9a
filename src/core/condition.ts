// Owns conditions: JSONLogic as data or as JSON text, compiled once and evaluated over the same scope as templates.
// Evaluating is bounded, changes nothing and ends in true, false or a PawlError. The operators are in condition/.

import { compileRule, type Read } from './condition/compile.ts'
import { assertShort, assertSmall } from './condition/limits.ts'
import { FUEL, type Rule } from './condition/rule.ts'
import { truthy } from './condition/values.ts'
import { PawlError } from './errors.ts'
import type { Json } from './json.ts'
import { isKnown, type KnownNames, namesFrom, type Problem, problemOf } from './template/known.ts'
import { memoise } from './template/memo.ts'
import { unknownVariable } from './template/path.ts'
import type { Scope } from './template/scope.ts'
import { quote, written } from './template/shown.ts'

export interface Condition {
  readonly rule: Rule
  readonly reads: readonly Read[]
}

/** Longer texts are rare, and a stranger could fill the memo with them. */
const MAX_MEMOISED_LENGTH = 1024

const byIdentity = new WeakMap<object, Condition>()
const byText = memoise((text: string) => compile(parse(text)))

/** Throws invalid_condition. A text is JSON; a rule must not change afterwards. */
export const compileCondition = (rule: Json): Condition => {
  if (typeof rule === 'string') return rule.length > MAX_MEMOISED_LENGTH ? compile(parse(rule)) : byText(rule)
  if (typeof rule !== 'object' || rule === null) return compile(rule)
  const known = byIdentity.get(rule)
  if (known !== undefined) return known
  const condition = compile(rule)
  byIdentity.set(rule, condition)
  return condition
}

/** Throws condition_failed, or condition_limit_exceeded after 10,000 steps. */
export const evaluate = ({ rule }: Condition, scope: Scope): boolean => {
  const point = { data: scope, tank: { left: FUEL } }
  return truthy(rule(point), point)
}

/** Every mistake that can be seen without data; an unknown name would quietly read as null. */
export const checkCondition = (rule: Json, known: readonly string[] | KnownNames): readonly Problem[] => {
  const names = namesFrom(known)
  try {
    return compileCondition(rule)
      .reads.filter(({ segments }) => !isKnown(segments, names))
      .map(({ segments, place }) => unknownVariable({ source: written(segments), place, segments }, names))
      .map(problemOf)
  } catch (problem) {
    return [problemOf(problem as PawlError)]
  }
}

const compile = (rule: Json): Condition => {
  assertSmall(rule)
  return compileRule(rule)
}

const parse = (text: string): Json => {
  assertShort(text.length)
  try {
    return JSON.parse(text)
  } catch {
    throw new PawlError('invalid_condition', `${quote(text)} is not JSON`, {
      path: '',
      expected: 'a JSONLogic rule, as data or as JSON text',
    })
  }
}
