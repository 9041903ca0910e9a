// Owns comparing what came in with what is described: a body or a query that does not fit is told in full, and nothing
// that is not described passes (S06).

import type { z } from 'zod'
import { PawlError } from '../core/errors.ts'
import { fitShape } from '../definitions/issues.ts'
import type { Problem } from '../definitions/problem.ts'

export interface Fitting {
  /** `body`, `query` or `path`. */
  readonly part: string
  /** Its words are in no message: it holds a secret. */
  readonly isPrivate: boolean
}

/** `body.name` is told as `name`: people look for the field, not for the part. */
const fieldOf = ({ path }: Problem, part: string): string =>
  path.startsWith(`${part}.`) ? path.slice(part.length + 1) : path

const isUnknownField = ({ point, message }: Problem): boolean =>
  point === 'key' && message.endsWith('is not a known key')

export const fitInput = <Value>(
  shape: z.ZodType<Value>,
  value: unknown,
  { part, isPrivate }: Fitting,
): Value => {
  const fitted = fitShape(shape, value, [part], isPrivate ? 'types' : 'values')
  if (fitted.problems.length === 0) return fitted.value as Value
  const problems = fitted.problems.map((problem) => ({ ...problem, path: fieldOf(problem, part) }))
  const first = problems.find((_, index) => isUnknownField(fitted.problems[index]!)) ?? problems[0]!
  const { path, message, expected, suggestion } = first
  throw new PawlError(isUnknownField(first) ? 'unknown_field' : 'input_invalid', `${path}: ${message}`, {
    path,
    ...(expected !== undefined && { expected }),
    ...(suggestion !== undefined && { suggestion }),
    problems,
  })
}
