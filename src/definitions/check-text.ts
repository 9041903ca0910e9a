// Owns checking what is filled in later: placeholders and conditions, the names they may use, and the places where a
// secret may not stand because it would be stored or shown (S27). The syntax of both is core's.

import { checkCondition, compileCondition } from '../core/condition.ts'
import type { Json } from '../core/json.ts'
import { checkTemplate } from '../core/template/check.ts'
import type { KnownNames } from '../core/template/known.ts'
import { secretPlaces } from '../core/template/secrets.ts'
import { type Path, type Problem, problem, quote } from './problem.ts'

/** Placeholders that will be filled in. Secrets are left to the runner's own schema, or refused here. */
export function* templateProblems(
  value: Json | undefined,
  at: Path,
  known: KnownNames,
  secrets: 'allowed' | 'refused',
): Generator<Problem> {
  if (value === undefined) return
  for (const { path, code, message, expected, suggestion } of checkTemplate(value, known))
    yield problem([...at, ...segmentsOf(path)], message, { code, expected, suggestion })
  if (secrets === 'refused') yield* secretProblems(value, at)
}

/** Text that is kept as it was written: a placeholder in it would never be filled in. */
export function* literalProblems(value: Json | undefined, at: Path): Generator<Problem> {
  for (const [text, place] of textsIn(value, at)) {
    if (!text.includes('{{')) continue
    const secret = [...secretProblems(text, place)]
    yield* secret
    if (secret.length === 0)
      yield problem(place, 'placeholders are not filled in here', {
        expected: 'text without {{…}}; it is kept as written',
        severity: 'warning',
      })
  }
}

export function* conditionProblems(rule: Json | undefined, at: Path, known: KnownNames): Generator<Problem> {
  if (rule === undefined) return
  const found = checkCondition(rule, { ...known, secrets: true })
  for (const { path, code, message, expected, suggestion } of found)
    yield problem([...at, ...segmentsOf(path)], message, { code, expected, suggestion })
  if (found.some(({ code }) => code === 'invalid_condition')) return
  for (const { segments, place } of compileCondition(rule).reads)
    if (segments[0] === 'secrets') yield secretAt([...at, ...segmentsOf(place)], segments.join('.'))
  if (typeof rule !== 'string') yield* literalProblems(rule, at)
}

function* secretProblems(value: Json, at: Path): Generator<Problem> {
  for (const [text, place] of textsIn(value, at)) if (usesSecret(text)) yield secretAt(place, text)
}

const secretAt = (at: Path, text: string): Problem =>
  problem(at, `the secret in ${quote(text)} would be stored or shown`, {
    code: 'secret_not_allowed_here',
    expected: 'secrets in the config of an action only',
  })

/** What cannot be read as a template is told as such by whoever renders it. */
const usesSecret = (text: string): boolean => {
  try {
    return secretPlaces(text).length > 0
  } catch {
    return false
  }
}

function* textsIn(value: Json | undefined, at: Path): Generator<readonly [string, Path]> {
  if (typeof value === 'string') yield [value, at]
  else if (typeof value === 'object' && value !== null)
    for (const [key, member] of Object.entries(value)) yield* textsIn(member, [...at, key])
}

const SEGMENT = /\["((?:[^"\\]|\\.)*)"\]|[^.[\]]+/g

/** `to["first name"].0`, as core writes paths inside templates and rules, in parts. */
const segmentsOf = (path: string): Path =>
  [...path.matchAll(SEGMENT)].map(([segment, quoted]) => quoted?.replaceAll(/\\(.)/g, '$1') ?? segment)
