// Owns what is said about a definition that is not right: one problem, where in the definition it stands, and the
// words shared by all who find problems. Finding the line and column is source.ts; printing is format-problem.ts.

import { type ErrorCode, PawlError } from '../core/errors.ts'
import { nearest } from '../core/suggest.ts'

/** The way from the root of a definition to one of its parts. */
export type Path = readonly (string | number)[]

export interface Problem {
  readonly code: ErrorCode
  /** `states.active.on.paid.to`: the path as people read it. A key may hold dots, so `at` is the truth. */
  readonly path: string
  readonly at: Path
  /** Is the key wrong, or the value? Decides where the place points. */
  readonly point: 'key' | 'value'
  readonly message: string
  readonly expected?: string
  readonly suggestion?: string
  /** A definition with a warning loads. */
  readonly severity: 'error' | 'warning'
}

export interface Place {
  readonly file: string
  /** From 1, as editors count. */
  readonly line: number
  readonly column: number
}

export interface PlacedProblem extends Problem, Place {}

type Details = Partial<Pick<Problem, 'code' | 'point' | 'severity'>> & {
  readonly expected?: string | undefined
  readonly suggestion?: string | undefined
}

export const problem = (at: Path, message: string, details: Details = {}): Problem => ({
  code: details.code ?? 'invalid_definition',
  path: shortened(visible(at.join('.'))),
  at,
  point: details.point ?? 'value',
  message: visible(message),
  ...(details.expected !== undefined && { expected: visible(details.expected) }),
  ...(details.suggestion !== undefined && { suggestion: visible(details.suggestion) }),
  severity: details.severity ?? 'error',
})

/** A key or text of a stranger must not break the line, turn its direction or command the terminal. */
const visible = (text: string): string =>
  text.replace(/[\p{Control}\p{Surrogate}\p{Bidi_Control}\u2028\u2029\uFEFF]/gu, '�')

const shortened = (path: string): string =>
  path.length > MAX_PATH ? `${path.slice(0, MAX_PATH - 40)}…${path.slice(-40)}` : path

/** Something names what does not exist: the names that do, and the nearest of them. */
export const unknownName = (
  at: Path,
  message: string,
  word: string,
  known: readonly string[],
  details: Details = {},
): Problem => {
  const suggestion = details.suggestion ?? nearest(word, affordable(word, known))
  const isListed = known.length > 0 && (suggestion === undefined || known.length <= MAX_BESIDE_SUGGESTION)
  return problem(at, message, { expected: isListed ? oneOf(known) : undefined, ...details, suggestion })
}

const affordable = (word: string, known: readonly string[]): readonly string[] => {
  let left = MAX_COMPARED
  const end = known.findIndex((name) => {
    left -= word.length * name.length
    return left < 0
  })
  return end === -1 ? known : known.slice(0, end)
}

/** What one of core's readers threw, as a problem. It was told the last part of `at` as the path it reads. */
export const thrown = (at: Path, failure: unknown, point: Problem['point'] = 'value'): Problem => {
  if (!(failure instanceof PawlError)) throw failure
  const { code, message, details } = failure
  const { path = '' } = details
  const base = `${at.at(-1)}.`
  const inside = path.startsWith(base) ? path.slice(base.length).split('.') : []
  // The path is printed beside the message; repeating its last part is enough.
  const short = message.startsWith(`${path} `)
    ? `${path.split('.').at(-1)}${message.slice(path.length)}`
    : message
  return problem([...at, ...inside], short, {
    code,
    point,
    expected: details.expected,
    suggestion: details.suggestion,
  })
}

/** Runs one of core's readers for its refusal alone. */
export const refusal = (at: Path, read: () => unknown, point?: Problem['point']): readonly Problem[] => {
  try {
    read()
    return []
  } catch (failure) {
    return [thrown(at, failure, point)]
  }
}

const MAX_QUOTED = 80
const MAX_LISTED = 20
/** A longer list says less than the nearest name in it. */
const MAX_BESIDE_SUGGESTION = 12
/** Comparing two names costs the product of their lengths; a stranger may bring thousands of long ones. */
const MAX_COMPARED = 50_000
const MAX_PATH = 100

/** A piece of the user's text inside a message: short, on one line, in curly quotes. */
export const quote = (text: string): string => {
  const line = visible(text)
  return line.length > MAX_QUOTED ? `“${line.slice(0, MAX_QUOTED)}…”` : `“${line}”`
}

export const oneOf = (words: readonly string[]): string => {
  const listed = words.slice(0, MAX_LISTED).join(', ')
  if (words.length > MAX_LISTED) return `one of ${listed} … (${words.length} in all)`
  return words.length === 1 ? listed : `one of ${listed}`
}

const MAX_PROBLEMS = 100

/** The first hundred errors and the first hundred warnings; what comes after them is not even looked for. */
export const firstOf = (found: Iterable<Problem>): readonly Problem[] => {
  const kept: Problem[] = []
  const count = { error: 0, warning: 0 }
  for (const each of found) {
    if (count[each.severity]++ < MAX_PROBLEMS) kept.push(each)
    if (count.error === MAX_PROBLEMS) break
  }
  return kept
}
