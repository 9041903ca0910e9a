// Owns finding the mistakes of a template before anything is rendered: syntax, filters and their arguments, names
// that cannot exist, size. Reports all of them and throws none. Where secrets may stand is the runner's to say.

import type { PawlError } from '../errors.ts'
import type { Json } from '../json.ts'
import { inspect } from './compile.ts'
import { isKnown, type KnownNames, namesFrom, type Problem, problemOf } from './known.ts'
import type { Expression } from './parse.ts'
import { unknownVariable } from './path.ts'

export const checkTemplate = (template: Json, known: readonly string[] | KnownNames): readonly Problem[] => {
  const names = namesFrom(known)
  const found: PawlError[] = []
  try {
    inspect(template, {
      problem: (problem) => {
        found.push(problem)
      },
      expression: (expression, place) => {
        found.push(...unknownNames(expression, place, names))
      },
    })
  } catch (limit) {
    found.push(limit as PawlError)
  }
  return found.map(problemOf)
}

/** `default` covers a value that is absent, not a name that cannot exist. */
const unknownNames = (
  { head, calls, source }: Expression,
  place: string,
  names: KnownNames,
): readonly PawlError[] =>
  [head, ...calls.flatMap(({ args }) => args)]
    .filter((operand) => operand.kind === 'path')
    .filter(({ segments }) => !isKnown(segments, names))
    .map(({ segments }) => unknownVariable({ source, place, segments }, names))
