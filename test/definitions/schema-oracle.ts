// Owns a second, plain reading of the JSON Schema keywords that definitions may use, to compare the product's checks
// with. It knows no formats, no defaults and says nothing but yes or no.

import type { Json, JsonObject } from '../../src/core/json.ts'

const typeOf = (value: Json): readonly string[] => {
  if (value === null) return ['null']
  if (Array.isArray(value)) return ['array']
  if (typeof value === 'number') return Number.isInteger(value) ? ['number', 'integer'] : ['number']
  return [typeof value]
}

const same = (a: Json, b: Json): boolean => JSON.stringify(sorted(a)) === JSON.stringify(sorted(b))

const sorted = (value: Json): Json => {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, member]) => [key, sorted(member)]),
  )
}

type Rule = (limit: never, value: never, schema: JsonObject) => boolean
const when = <L, V>(
  is: (value: unknown) => value is V,
  holds: (limit: L, value: V, schema: JsonObject) => boolean,
): Rule =>
  ((limit: L, value: unknown, schema: JsonObject) => !is(value) || holds(limit, value, schema)) as Rule
const isNumber = (value: unknown): value is number => typeof value === 'number'
const isText = (value: unknown): value is string => typeof value === 'string'
const isList = (value: unknown): value is readonly Json[] => Array.isArray(value)
const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const any = (value: unknown): value is Json => value !== undefined

const RULES: Readonly<Record<string, Rule>> = {
  type: when(any, (type: string | string[], value) =>
    typeOf(value).some((name) => [type].flat().includes(name)),
  ),
  enum: when(any, (values: Json[], value) => values.some((one) => same(one, value))),
  const: when(any, (one: Json, value) => same(one, value)),
  anyOf: when(any, (schemas: Json[], value) => schemas.some((schema) => accepts(schema, value))),
  oneOf: when(
    any,
    (schemas: Json[], value) => schemas.filter((schema) => accepts(schema, value)).length === 1,
  ),
  minimum: when(isNumber, (limit: number, value) => value >= limit),
  maximum: when(isNumber, (limit: number, value) => value <= limit),
  exclusiveMinimum: when(isNumber, (limit: number, value) => value > limit),
  exclusiveMaximum: when(isNumber, (limit: number, value) => value < limit),
  minLength: when(isText, (limit: number, value) => value.length >= limit),
  maxLength: when(isText, (limit: number, value) => value.length <= limit),
  minItems: when(isList, (limit: number, value) => value.length >= limit),
  maxItems: when(isList, (limit: number, value) => value.length <= limit),
  uniqueItems: when(
    isList,
    (unique: boolean, value) =>
      !unique || value.every((one, index) => !value.slice(0, index).some((other) => same(one, other))),
  ),
  items: when(isList, (schema: Json, value) => value.every((item) => accepts(schema, item))),
  required: when(isObject, (names: string[], value) => names.every((name) => Object.hasOwn(value, name))),
  minProperties: when(isObject, (limit: number, value) => Object.keys(value).length >= limit),
  maxProperties: when(isObject, (limit: number, value) => Object.keys(value).length <= limit),
  properties: when(isObject, (schemas: JsonObject, value) =>
    Object.entries(schemas).every(
      ([name, schema]) => !Object.hasOwn(value, name) || accepts(schema, value[name]!),
    ),
  ),
  additionalProperties: when(isObject, (schema: Json, value, { properties = {} }) =>
    Object.entries(value).every(
      ([name, member]) => Object.hasOwn(properties as object, name) || accepts(schema, member),
    ),
  ),
}

export const accepts = (schema: Json, value: Json): boolean => {
  if (typeof schema === 'boolean') return schema
  return Object.entries(schema as JsonObject).every(([keyword, limit]) =>
    RULES[keyword]!(limit as never, value as never, schema as JsonObject),
  )
}
