import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PawlError } from '../core/errors.ts'
import type { Json, JsonObject } from '../core/json.ts'
import { schemaProblems } from './check-schema.ts'
import { checkOf, valueSchemaProblems } from './value-check.ts'

const problemsOf = (schema: JsonObject) =>
  [...valueSchemaProblems(schema, [])].map(({ path, message }) => `${path}: ${message}`)
const check = (schema: JsonObject) => checkOf<Json>(schema, 'variables_invalid', 'variables')
const refusalOf = (schema: JsonObject, value: Json) => {
  try {
    check(schema)(value)
    return undefined
  } catch (failure) {
    expect(failure).toBeInstanceOf(PawlError)
    const { message, details } = failure as PawlError
    return `${message} | ${details.expected}`
  }
}
const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: 'object',
  properties,
  ...more,
})

describe('a JSON Schema becomes a check', () => {
  const lease = object(
    {
      landlord: { type: 'string', minLength: 2, maxLength: 20 },
      days: { type: 'integer', minimum: 0, exclusiveMaximum: 366, default: 0 },
      rent: { type: ['number', 'null'], multipleOf: 0.5 },
      status: { enum: ['open', 'closed'] },
      kind: { const: 'lease' },
      until: { type: 'string', format: 'date' },
      tags: { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 2, uniqueItems: true },
      contact: {
        anyOf: [
          { type: 'string', format: 'email' },
          object({ phone: { type: 'string' } }, { required: ['phone'] }),
        ],
      },
    },
    { required: ['landlord'], additionalProperties: false },
  )

  it('has no problems and fills in defaults', () => {
    expect(problemsOf(lease)).toEqual([])
    expect(check(lease)({ landlord: 'ada' })).toEqual({ landlord: 'ada', days: 0 })
    const whole = {
      landlord: 'ada',
      days: 365,
      rent: null,
      status: 'open',
      kind: 'lease',
      until: '2026-12-31',
      tags: ['a', 'b'],
      contact: { phone: '1' },
    }
    expect(check(lease)(whole)).toEqual(whole)
  })

  it.each<[JsonObject, string]>([
    [{}, 'variables.landlord: “landlord” is missing | text'],
    [{ landlord: 5 }, 'variables.landlord: this number cannot stand here | text'],
    [{ landlord: 'a' }, 'variables.landlord: this text cannot stand here | at least 2 characters'],
    [{ landlord: 'a'.repeat(21) }, 'variables.landlord: this text cannot stand here | at most 20 characters'],
    [{ landlord: 'ada', days: 1.5 }, 'variables.days: this number cannot stand here | a whole number'],
    [{ landlord: 'ada', days: -1 }, 'variables.days: this number cannot stand here | at least 0'],
    [{ landlord: 'ada', days: 366 }, 'variables.days: this number cannot stand here | less than 366'],
    [{ landlord: 'ada', rent: 0.3 }, 'variables.rent: this number cannot stand here | a multiple of 0.5'],
    [{ landlord: 'ada', status: 'shut' }, 'variables.status: this text cannot stand here | "open", "closed"'],
    [{ landlord: 'ada', kind: true }, 'variables.kind: true cannot stand here | "lease"'],
    [
      { landlord: 'ada', until: 'soon' },
      'variables.until: this text cannot stand here | text in the form date',
    ],
    [{ landlord: 'ada', tags: [] }, 'variables.tags: a list cannot stand here | at least 1 items'],
    [{ landlord: 'ada', tags: {} }, 'variables.tags: an object cannot stand here | a list'],
    [
      { landlord: 'ada', contact: 5 },
      'variables.contact: this number cannot stand here | a value that fits one of the alternatives',
    ],
    [{ landlord: 'ada', contact: {} }, 'variables.contact.phone: “phone” is missing | text'],
    [
      { landlord: 'ada', landlrd: 'x' },
      'variables.landlrd: “landlrd” is not a known key | one of landlord, days, rent, status, kind, until, tags, contact',
    ],
    [{ landlord: null, days: 'x' }, 'variables.landlord: “landlord” has no value, and 1 more | text'],
  ])('refuses %j', (value, refusal) => expect(refusalOf(lease, value)).toBe(refusal))

  it.each<[JsonObject, Json, string]>([
    [
      { type: 'array', uniqueItems: true },
      ['a', 'a'],
      'variables.1: this text cannot stand here | items that differ from each other',
    ],
    [{ type: 'object', minProperties: 1 }, {}, 'variables: an object cannot stand here | at least 1 keys'],
    [
      { type: 'object', maxProperties: 1 },
      { a: 1, b: 2 },
      'variables: an object cannot stand here | at most 1 keys',
    ],
    [{ type: 'number', exclusiveMinimum: 0 }, 0, 'variables: this number cannot stand here | more than 0'],
    [{ type: 'null' }, 5, 'variables: this number cannot stand here | null'],
    [
      { type: 'object', properties: { a: false } },
      { a: 1 },
      'variables.a: this number cannot stand here | nothing',
    ],
    [
      { oneOf: [{ type: 'number' }, { type: 'integer' }] },
      5,
      'variables: this number cannot stand here | a value that fits one of the alternatives',
    ],
    [{ type: 'object', properties: { a: {} }, required: ['a'] }, { a: null }, 'accepted'],
  ])('%j refuses %j', (schema, value, refusal) => {
    expect(problemsOf(schema)).toEqual([])
    expect(refusalOf(schema, value) ?? 'accepted').toBe(refusal)
  })

  it('S34: never shows a value of a user', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const secret = 'hunter2-canary'
        const refusal = refusalOf(lease, {
          landlord: 'ada',
          status: secret,
          contact: value as Json,
          [`x`]: secret,
        })
        expect(refusal).not.toContain('canary')
      }),
    )
  })

  it('without a schema everything passes', () => {
    expect(checkOf(undefined, 'variables_invalid', 'variables')({ a: 1 })).toEqual({ a: 1 })
  })
})

describe('a JSON Schema that would not be enforced', () => {
  it.each<[JsonObject, readonly string[]]>([
    [{ properties: {} }, ['type: “properties” needs a type beside it']],
    [{ type: 'number', minLength: 1 }, ['minLength: “minLength” says nothing about number']],
    [{ enum: ['a'], maxLength: 1 }, ['maxLength: “maxLength” stands beside “enum”']],
    [{ anyOf: [{ type: 'string' }], type: 'string' }, ['type: “type” stands beside “anyOf”']],
    [{ type: 'object', enum: [null] }, ['enum.0: null is not of the type object']],
    [{ type: 'integer', const: 1.5 }, ['const: 1.5 is not of the type integer']],
    [{ type: ['string', 'null'], enum: ['a', null] }, []],
    [{ type: 'array', items: { type: 'strin' } }, ['items.type: “strin” cannot stand here']],
    [
      { type: 'object', additionalProperties: { typ: 'string' } },
      ['additionalProperties.typ: “typ” is not a keyword of JSON Schema'],
    ],
    [{ oneOf: [{ type: 'string' }, { minimum: 1 }] }, ['oneOf.1.type: “minimum” needs a type beside it']],
    [{ type: 'object', required: ['a'] }, ['required.0: “a” is required but not described in properties']],
    [{ type: 'string', default: 5 }, ['default: the default does not fit the schema it stands in']],
    [{ type: 'object', properties: { default: { type: 'string' } } }, []],
    [{ type: 'object', properties: { a: 5 } }, ['properties.a: this is not a schema']],
    [{ type: 'object', properties: { a: true, b: {} }, additionalProperties: false }, []],
    [{ type: 'string', pattern: '^(a+)+$' }, ['pattern: “pattern” is not supported in schemas']],
    [{ $ref: '#' }, ['$ref: “$ref” is not supported in schemas']],
    [{ constructor: 1 }, ['constructor: “constructor” is not a keyword of JSON Schema']],
  ])('%j', (schema, problems) => expect(problemsOf(schema)).toEqual(problems))

  it('any object is either refused with reasons or becomes a check that does not fail itself', () => {
    const keyword = fc.constantFrom(
      'type',
      'enum',
      'const',
      'properties',
      'required',
      'items',
      'anyOf',
      'default',
      'minimum',
      'format',
      'additionalProperties',
    )
    const piece = fc.oneof(
      fc.constantFrom('string', 'object', 'array', 'number', 'date'),
      fc.jsonValue({ maxDepth: 1 }),
    )
    const schema = fc.letrec<{ schema: JsonObject }>((tie) => ({
      schema: fc.dictionary(
        keyword,
        fc.oneof({ maxDepth: 3 }, piece, tie('schema'), fc.array(tie('schema'), { maxLength: 2 })),
        { maxKeys: 3, noNullPrototype: true },
      ) as fc.Arbitrary<JsonObject>,
    })).schema
    fc.assert(
      fc.property(schema, fc.jsonValue(), (candidate, value) => {
        if ([...schemaProblems(candidate, [])].length > 0) return
        if (problemsOf(candidate).length > 0) return
        refusalOf(candidate, value as Json)
      }),
      { numRuns: 1000 },
    )
  })
})
