// Owns which part of JSON Schema a definition may use for its variables and events: what zod turns into a check
// faithfully, and nothing that it would ignore in silence. Regular expressions of strangers are not run at all
// (they can take for ever), and references are refused because they make a small text an endless one.

import { z } from 'zod'
import { flag, json, list, text, whole } from './shape/values.ts'

export const TYPES = ['string', 'number', 'integer', 'boolean', 'null', 'object', 'array'] as const
export type Type = (typeof TYPES)[number]

interface Keyword {
  /** The types it says something about; absent: all of them. */
  readonly of?: readonly Type[]
  /** Made when it is asked for: a program whose schemas are code never does. */
  readonly shape: () => z.ZodType
}

const count = (): z.ZodType => whole(0, Number.MAX_SAFE_INTEGER)
const bound = (): z.ZodType => z.number({ error: 'a number' })
const scalar = (): z.ZodType =>
  z.union([z.string(), z.number(), z.boolean(), z.null()], {
    error: 'text, a number, true, false or null',
  })
const FORMATS = [
  'email',
  'uri',
  'uuid',
  'date-time',
  'date',
  'time',
  'duration',
  'hostname',
  'ipv4',
  'ipv6',
] as const
const NUMBERS: readonly Type[] = ['number', 'integer']

/** Notes for people; they check nothing. */
export const ANNOTATIONS: Readonly<Record<string, Keyword>> = {
  $schema: { shape: () => text('text') },
  $comment: { shape: () => text('text') },
  title: { shape: () => text('text') },
  description: { shape: () => text('text') },
  examples: { shape: () => list(json('a value'), 'a list of examples') },
  deprecated: { shape: flag },
  default: { shape: () => json('a value') },
}

export const KEYWORDS: Readonly<Record<string, Keyword>> = {
  type: {
    shape: () =>
      z.union([z.enum(TYPES), z.array(z.enum(TYPES)).min(1)], { error: `one of ${TYPES.join(', ')}` }),
  },
  enum: { shape: () => list(scalar(), 'a list of values').min(1, { error: 'at least one value' }) },
  const: { shape: scalar },
  properties: {
    of: ['object'],
    shape: () => z.record(z.string(), z.unknown(), { error: 'a schema for each property' }),
  },
  required: { of: ['object'], shape: () => list(text('the name of a property'), 'a list of property names') },
  additionalProperties: { of: ['object'], shape: () => json('true, false or a schema') },
  minProperties: { of: ['object'], shape: count },
  maxProperties: { of: ['object'], shape: count },
  items: { of: ['array'], shape: () => json('a schema') },
  minItems: { of: ['array'], shape: count },
  maxItems: { of: ['array'], shape: count },
  uniqueItems: { of: ['array'], shape: flag },
  minLength: { of: ['string'], shape: count },
  maxLength: { of: ['string'], shape: count },
  format: { of: ['string'], shape: () => z.enum(FORMATS, { error: FORMATS.join(', ') }) },
  minimum: { of: NUMBERS, shape: bound },
  maximum: { of: NUMBERS, shape: bound },
  exclusiveMinimum: { of: NUMBERS, shape: bound },
  exclusiveMaximum: { of: NUMBERS, shape: bound },
  multipleOf: {
    of: NUMBERS,
    shape: () => z.number({ error: 'a number above 0' }).gt(0, { error: 'a number above 0' }),
  },
  anyOf: {
    shape: () => list(json('a schema'), 'a list of schemas').min(1, { error: 'at least one schema' }),
  },
  oneOf: {
    shape: () => list(json('a schema'), 'a list of schemas').min(1, { error: 'at least one schema' }),
  },
}

/** Part of JSON Schema, but not of what is supported here; and what to write instead. */
export const UNSUPPORTED: ReadonlyMap<string, string> = new Map([
  ...['$ref', '$defs', 'definitions', '$dynamicRef', '$anchor', '$dynamicAnchor', '$id', 'id'].map(
    (keyword) => [keyword, 'the schema itself in its place'] as const,
  ),
  ...['pattern', 'patternProperties'].map(
    (keyword) => [keyword, 'enum, format, minLength or maxLength: patterns are never run'] as const,
  ),
  ...['if', 'then', 'else', 'not', 'dependentSchemas', 'dependentRequired', 'dependencies'].map(
    (keyword) => [keyword, 'anyOf, or a condition on the transition'] as const,
  ),
  ...['allOf', 'propertyNames', 'unevaluatedProperties'].map(
    (keyword) => [keyword, 'one object with properties and additionalProperties'] as const,
  ),
  ...['prefixItems', 'additionalItems', 'contains', 'minContains', 'maxContains', 'unevaluatedItems'].map(
    (keyword) => [keyword, 'items, minItems and maxItems'] as const,
  ),
  ...['readOnly', 'writeOnly', 'nullable', 'contentEncoding', 'contentMediaType', 'contentSchema'].map(
    (keyword) => [keyword, 'the schema without it'] as const,
  ),
])
