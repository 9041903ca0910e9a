// Owns the checks that a definition's JSON Schemas become: a value is returned as it will be kept, defaults filled in,
// or refused. The schemas have passed check-schema.ts. A refusal names places and types, never the values of users.

import { z } from 'zod'
import { type ErrorCode, PawlError } from '../core/errors.ts'
import { isObject, type Json, type JsonObject } from '../core/json.ts'
import { innerSchemas, schemaProblems } from './check-schema.ts'
import { fitShape } from './issues.ts'
import { type Path, type Problem, problem } from './problem.ts'

export type ValueCheck<T extends Json> = (value: T) => T

/** Problems of a schema: its own, and defaults that it would refuse itself. */
export function* valueSchemaProblems(schema: JsonObject, at: Path): Generator<Problem> {
  const own = [...schemaProblems(schema, at)]
  yield* own
  if (own.length === 0) yield* defaultProblems(schema, at)
}

/** `what` begins the path in an error: `variables` or `payload`. */
export const checkOf = <T extends Json>(
  schema: JsonObject | undefined,
  code: ErrorCode,
  what: string,
): ValueCheck<T> => {
  if (schema === undefined) return (value) => value
  const shape = shapeOf(schema)
  return (value) => {
    const { value: kept, problems } = fitShape(shape, value, [what], 'types')
    const [first, ...others] = problems
    if (first === undefined) return kept as T
    const more = others.length === 0 ? '' : `, and ${others.length} more`
    const { path, expected, suggestion } = first
    throw new PawlError(code, `${path}: ${first.message}${more}`, {
      path,
      ...(expected !== undefined && { expected }),
      ...(suggestion !== undefined && { suggestion }),
    })
  }
}

/** A registry of its own: the notes of users' schemas are nobody else's business. */
const shapeOf = (schema: JsonObject): z.ZodType =>
  z.fromJSONSchema(schema as z.core.JSONSchema.JSONSchema, { registry: z.registry() })

function* defaultProblems(schema: Json, at: Path): Generator<Problem> {
  if (!isObject(schema)) return
  const { default: preset, ...rest } = schema
  if (preset !== undefined && fitShape(shapeOf(rest), preset).problems.length > 0)
    yield problem([...at, 'default'], 'the default does not fit the schema it stands in', {
      expected: 'a value that the schema accepts',
    })
  for (const [inner, place] of innerSchemas(schema, at)) yield* defaultProblems(inner, place)
}
