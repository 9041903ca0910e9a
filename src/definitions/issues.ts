// Owns turning what zod found into problems in our words. In the shapes an issue's message is what was expected; what
// was found is looked up in the value. For schemas that users wrote, expectedOf says it.

import type { z } from 'zod'
import { type Json, own } from '../core/json.ts'
import { unexplained } from './loose.ts'
import { firstOf, type Path, type Problem, problem, quote, unknownName } from './problem.ts'

type Issue = z.core.$ZodIssue

export interface Fitted<T> {
  readonly value?: T
  readonly problems: readonly Problem[]
}

/** Are values shown as they are, or by their type alone because they belong to a user? */
type Showing = 'values' | 'types'

/** Fits a value into a shape: the value, or its problems. */
export const fitShape = <T>(
  shape: z.ZodType<T>,
  value: unknown,
  at: Path = [],
  showing: Showing = 'values',
): Fitted<T> => {
  const result = shape.safeParse(value, { error: expectedOf })
  if (result.success) return { value: result.data, problems: [] }
  return { problems: distinct(firstOf(problemsOf(result.error.issues, { root: value, at, showing }))) }
}

/** One value may break several rules of one name, and a misspelt key is also a missing one: each is said once. */
const distinct = (problems: readonly Problem[]): readonly Problem[] => {
  const misspelt = problems.filter(({ point }) => point === 'key')
  const others = problems.filter(({ point }) => point !== 'key')
  const known = new Map(
    [...unexplained(others, misspelt), ...misspelt].map((found) => [
      `${found.path}\n${found.message}`,
      found,
    ]),
  )
  return [...known.values()]
}

interface Fitting {
  readonly root: unknown
  readonly at: Path
  readonly showing: Showing
}

function* problemsOf(issues: readonly Issue[], fitting: Fitting): Generator<Problem> {
  for (const issue of issues) {
    const path = [...fitting.at, ...(issue.path as Path)]
    const meant = issue.code === 'invalid_union' ? meantBy(issue) : []
    if (meant.length > 0) yield* problemsOf(meant, fitting)
    else if (issue.code === 'unrecognized_keys') yield* unknownKeys(path, issue)
    else if (issue.code === 'invalid_key')
      yield problem(path, `${quote(String(path.at(-1)))} cannot be a key here`, {
        expected: issue.issues[0]?.message,
        point: 'key',
      })
    else {
      const found = issue.path.reduce<unknown>((value, key) => own(value, String(key)), fitting.root)
      yield wrong(path, found, issue, fitting.showing)
    }
  }
}

/** What people write who know other tools. */
const SYNONYMS: ReadonlyMap<string, string> = new Map([
  ['when', 'condition'],
  ['guard', 'condition'],
  ['cond', 'condition'],
  ['target', 'to'],
  ['entry', 'enter'],
  ['context', 'variables'],
  ['cron', 'schedule'],
  ['schedule', 'cron'],
  ['tz', 'timezone'],
  ['do', 'action'],
  ['retry', 'retryPolicy'],
])

function* unknownKeys(path: Path, { keys, message }: z.core.$ZodIssueUnrecognizedKeys): Generator<Problem> {
  const known = message.split(', ').filter(Boolean)
  for (const key of keys) {
    const synonym = SYNONYMS.get(key)
    yield unknownName([...path, key], `${quote(key)} is not a known key`, key, known, {
      point: 'key',
      ...(synonym !== undefined && known.includes(synonym) && { suggestion: synonym }),
    })
  }
}

/** Of the alternatives, the one whose type the value has is meant; it says more than “none fits”. */
const meantBy = ({ errors, path }: z.core.$ZodIssueInvalidUnion): readonly Issue[] => {
  const ofType = errors.filter((issues) => !issues.some(isOfAnotherType))
  if (ofType.length !== 1) return []
  return ofType[0]!.map((inner) => ({ ...inner, path: [...path, ...inner.path] }) as Issue)
}

const isOfAnotherType = ({ code, path }: Issue): boolean =>
  path.length === 0 && (code === 'invalid_type' || code === 'invalid_union')

const wrong = (path: Path, found: unknown, issue: Issue, showing: Showing): Problem => {
  const key = quote(String(path.at(-1) ?? 'the definition'))
  const expected = ownWords(issue)
  if (found === undefined) return problem(path, `${key} is missing`, { expected })
  const message = found === null ? `${key} has no value` : `${shown(found, showing)} cannot stand here`
  if (showing === 'types') return problem(path, message, { expected })
  if (issue.code === 'invalid_value')
    return unknownName(path, message, String(found), issue.values.map(String))
  return problem(path, message, { expected, suggestion: retyped(found, issue) })
}

/** What zod makes of minProperties, maxProperties and uniqueItems comes with words of its own. */
const ownWords = (issue: Issue): string =>
  /^(?:Too small|Too big|Array items must)/.test(issue.message)
    ? expectedOf(issue as z.core.$ZodRawIssue)
    : issue.message

const shown = (found: unknown, showing: Showing): string => {
  if (Array.isArray(found)) return 'a list'
  if (typeof found === 'object') return 'an object'
  if (typeof found === 'boolean') return String(found)
  if (typeof found === 'number') return showing === 'types' ? 'this number' : `the number ${found}`
  return showing === 'types' ? 'this text' : quote(String(found))
}

/** The same value in the type that was expected: YAML turns 5 and true into what they look like. */
const retyped = (found: unknown, issue: Issue): string | undefined => {
  if (issue.code !== 'invalid_type') return undefined
  if (found === null) return issue.expected === 'object' || issue.expected === 'record' ? '{}' : undefined
  if (issue.expected === 'string' && (typeof found === 'number' || typeof found === 'boolean'))
    return JSON.stringify(String(found))
  if (typeof found !== 'string') return undefined
  if (issue.expected === 'number' && /^-?\d{1,15}(\.\d{1,15})?$/.test(found)) return found
  if (issue.expected === 'boolean' && /^(yes|on|true)$/i.test(found)) return 'true'
  if (issue.expected === 'boolean' && /^(no|off|false)$/i.test(found)) return 'false'
  return undefined
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
  never: 'nothing',
}
/** The sizes that a schema may bound, by what they are sizes of. */
const UNITS: Readonly<Record<string, string>> = {
  string: ' characters',
  array: ' items',
  object: ' keys',
}

/** What would have been accepted, for shapes that do not say it themselves. */
const expectedOf = (issue: z.core.$ZodRawIssue): string => {
  switch (issue.code) {
    case 'invalid_type':
      return TYPES[String(issue.expected)] ?? String(issue.expected)
    case 'invalid_value':
      return (issue.values as readonly Json[]).map((value) => JSON.stringify(value)).join(', ')
    case 'too_small':
      return `${issue.inclusive ? 'at least' : 'more than'} ${issue.minimum}${UNITS[issue.origin] ?? ''}`
    case 'too_big':
      return `${issue.inclusive ? 'at most' : 'less than'} ${issue.maximum}${UNITS[issue.origin] ?? ''}`
    case 'invalid_format':
      return `text in the form ${issue.format}`
    case 'not_multiple_of':
      return `a multiple of ${issue.divisor}`
    case 'unrecognized_keys':
      return Object.keys((issue.inst as z.ZodObject).shape).join(', ')
    case 'custom':
      return 'items that differ from each other'
    default:
      return 'a value that fits one of the alternatives'
  }
}
