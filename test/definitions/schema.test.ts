import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../src/core/json.ts'
import { checkOf, valueSchemaProblems } from '../../src/definitions/value-check.ts'
import { accepts } from './schema-oracle.ts'

// A schema that is let through checks all it says: compared with a plain reading of JSON Schema.

const name = fc.constantFrom('a', 'b', 'c')
const small = fc.integer({ min: 0, max: 3 })
const scalar = fc.oneof(
  fc.constantFrom('', 'a', 'ab', 'abc', true, false, null),
  fc.integer({ min: -2, max: 4 }),
  fc.constant(1.5),
)

const value = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    scalar,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(name, tie('value'), { maxKeys: 3, noNullPrototype: true }),
  ) as fc.Arbitrary<Json>,
})).value

const schema = fc.letrec<{ schema: Json; keywords: JsonObject }>((tie) => ({
  keywords: fc.record(
    {
      type: fc.oneof(
        fc.constantFrom('string', 'number', 'integer', 'boolean', 'null', 'object', 'array'),
        fc.uniqueArray(fc.constantFrom('string', 'number', 'null', 'object', 'array'), {
          minLength: 1,
          maxLength: 3,
        }),
      ),
      enum: fc.array(scalar, { minLength: 1, maxLength: 3 }),
      const: scalar,
      anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }),
      oneOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }),
      properties: fc.dictionary(name, tie('schema'), { maxKeys: 3, noNullPrototype: true }),
      required: fc.uniqueArray(name, { maxLength: 2 }),
      additionalProperties: tie('schema'),
      minProperties: small,
      maxProperties: small,
      items: tie('schema'),
      minItems: small,
      maxItems: small,
      uniqueItems: fc.boolean(),
      minLength: small,
      maxLength: small,
      minimum: small,
      exclusiveMaximum: small,
    },
    { requiredKeys: [], noNullPrototype: true },
  ) as fc.Arbitrary<JsonObject>,
  schema: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    fc.boolean(),
    fc.constantFrom<Json>({ type: 'string' }, { type: 'number' }, { type: 'object' }, { enum: ['a', 1] }),
    tie('keywords').map(coherent),
  ) as fc.Arbitrary<Json>,
})).schema

const OF: Readonly<Record<string, string>> = {
  properties: 'object',
  required: 'object',
  additionalProperties: 'object',
  minProperties: 'object',
  maxProperties: 'object',
  items: 'array',
  minItems: 'array',
  maxItems: 'array',
  uniqueItems: 'array',
  minLength: 'string',
  maxLength: 'string',
  minimum: 'number',
  exclusiveMaximum: 'number',
}

/** Mostly schemas that are let through: keywords that say something about the type beside them. */
function coherent(keywords: JsonObject): JsonObject {
  const alone = ['enum', 'const', 'anyOf', 'oneOf'].find((keyword) => keyword in keywords)
  if (alone !== undefined && Object.keys(keywords).length % 2 === 0) return { [alone]: keywords[alone]! }
  const types = [keywords['type'] ?? ['object', 'array']].flat() as readonly string[]
  const fitting = Object.entries(keywords).filter(([keyword]) => types.includes(OF[keyword] ?? ''))
  return { ...Object.fromEntries(fitting), type: types }
}

const isAccepted = (candidate: JsonObject, one: Json): boolean => {
  try {
    checkOf<Json>(candidate, 'variables_invalid', 'variables')(one)
    return true
  } catch {
    return false
  }
}

describe('schemas of variables and events', () => {
  it('refuse exactly what JSON Schema refuses', () => {
    let compared = 0
    fc.assert(
      fc.property(schema, fc.array(value, { minLength: 5, maxLength: 5 }), (candidate, values) => {
        if (typeof candidate === 'boolean') return
        if ([...valueSchemaProblems(candidate as JsonObject, [])].length > 0) return
        compared++
        for (const one of values) {
          const told = JSON.stringify({ candidate, one })
          expect(`${isAccepted(candidate as JsonObject, one)} ${told}`).toBe(
            `${accepts(candidate, one)} ${told}`,
          )
        }
      }),
      { numRuns: 1500 },
    )
    expect(compared).toBeGreaterThan(300)
  })
})
