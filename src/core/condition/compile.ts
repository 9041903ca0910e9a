// Owns turning a rule as JSON into closures: an object with one key is an operator, anything else stands for itself.
// Refuses what is too large, too deep or not standard JSONLogic. No code is generated.

import { PawlError } from '../errors.ts'
import { isObject, type Json, type JsonObject } from '../json.ts'
import { nearest } from '../suggest.ts'
import { quote, written } from '../template/shown.ts'
import { ARITHMETIC } from './arithmetic.ts'
import { COMPARE } from './compare.ts'
import { DATA } from './data.ts'
import { LISTS } from './lists.ts'
import { LOGIC } from './logic.ts'
import { burn, type Operator, type Rule, type Site } from './rule.ts'
import { TEXTS } from './texts.ts'

/** `log` is left out: a condition has no output. */
export const OPERATORS: ReadonlyMap<string, Operator> = new Map(
  Object.entries({ ...DATA, ...LOGIC, ...COMPARE, ...ARITHMETIC, ...LISTS, ...TEXTS }),
)

export interface Read {
  readonly segments: readonly string[]
  /** Where in the rule. */
  readonly place: string
}

export interface CompiledRule {
  readonly rule: Rule
  /** The paths into the scope that the rule is known to read. */
  readonly reads: readonly Read[]
}

export const compileRule = (value: Json): CompiledRule => {
  const reads: Read[] = []
  return { rule: compileAt(value, [], (read) => reads.push(read)), reads }
}

type Note = (read: Read) => void

const compileAt = (value: Json, segments: readonly string[], note: Note): Rule => {
  if (isConstant(value)) return () => value
  if (!Array.isArray(value)) return compileOperator(value as JsonObject, segments, note)
  const rules = value.map((item, index) => compileAt(item, [...segments, String(index)], note))
  return (point) => rules.map((rule) => rule(point))
}

const isConstant = (value: Json): boolean =>
  Array.isArray(value) ? value.every(isConstant) : !isObject(value) || Object.keys(value).length === 0

const compileOperator = (rule: JsonObject, segments: readonly string[], note: Note): Rule => {
  const [name, ...others] = Object.keys(rule)
  if (others.length > 0)
    throw refused(segments, `an object with ${others.length + 1} keys is no rule`, {
      expected: 'one operator with its arguments',
    })
  const operator = OPERATORS.get(name!)
  if (operator === undefined)
    throw refused(segments, `there is no operator ${quote(name!)}`, {
      expected: `one of ${[...OPERATORS.keys()].join(' ')}`,
      suggestion: nearest(name!, OPERATORS.keys()),
    })
  const evaluate = operator(rule[name!]!, siteOf(name!, [...segments, name!], note))
  return (point) => {
    burn(point, 1)
    return evaluate(point)
  }
}

const siteOf = (operator: string, segments: readonly string[], note: Note): Site => {
  const place = written(segments)
  return {
    operator,
    place,
    compile: (value, ...below) => compileAt(value, [...segments, ...below], note),
    compileInner: (value, ...below) => compileAt(value, [...segments, ...below], () => {}),
    reads: (path) => note({ segments: path, place }),
  }
}

interface Hint {
  readonly expected: string
  readonly suggestion?: string | undefined
}

const refused = (segments: readonly string[], message: string, { expected, suggestion }: Hint): PawlError =>
  new PawlError('invalid_condition', message, {
    path: written(segments),
    expected,
    ...(suggestion !== undefined && { suggestion }),
  })
