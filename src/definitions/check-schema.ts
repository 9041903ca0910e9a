// Owns checking a JSON Schema that a definition brings: every keyword is known, says something about the type it
// stands beside, and is one that will really be enforced. Invariant: a schema without problems checks all it says.

import { isObject, type Json, type JsonObject } from '../core/json.ts'
import { fitShape } from './issues.ts'
import { type Path, type Problem, problem, quote, unknownName } from './problem.ts'
import { ANNOTATIONS, KEYWORDS, type Type, UNSUPPORTED } from './schema-keywords.ts'
import { once } from './shape/values.ts'

const ALL: Readonly<Record<string, (typeof KEYWORDS)[string]>> = { ...KEYWORDS, ...ANNOTATIONS }
const SHAPES = new Map(Object.entries(ALL).map(([keyword, { shape }]) => [keyword, once(shape)]))

export function* schemaProblems(schema: Json | undefined, at: Path): Generator<Problem> {
  if (typeof schema === 'boolean') return
  if (!isObject(schema)) {
    yield problem(at, 'this is not a schema', {
      expected: 'an object such as { type: string }, true or false',
    })
    return
  }
  const keywords = [...keywordProblems(schema, at)]
  yield* keywords
  if (keywords.length === 0) {
    yield* ignoredProblems(schema, at)
    yield* valueProblems(schema, at)
    yield* requiredProblems(schema, at)
  }
  for (const [inner, place] of innerSchemas(schema, at)) yield* schemaProblems(inner, place)
}

function* keywordProblems(schema: JsonObject, at: Path): Generator<Problem> {
  for (const [keyword, value] of Object.entries(schema)) {
    const shape = SHAPES.get(keyword)
    const instead = UNSUPPORTED.get(keyword)
    if (shape) yield* fitShape(shape(), value, [...at, keyword]).problems
    else if (instead)
      yield problem([...at, keyword], `${quote(keyword)} is not supported in schemas`, {
        expected: instead,
        point: 'key',
      })
    else
      yield unknownName(
        [...at, keyword],
        `${quote(keyword)} is not a keyword of JSON Schema`,
        keyword,
        Object.keys(KEYWORDS),
        { point: 'key' },
      )
  }
}

/** Keywords that decide everything, and what may stand beside them. */
const COMPANIONS: ReadonlyMap<string, readonly string[]> = new Map([
  ['enum', ['enum', 'type']],
  ['const', ['const', 'type']],
  ['anyOf', ['anyOf']],
  ['oneOf', ['oneOf']],
])

/** A keyword that the check would not look at, because of what stands beside it or does not. */
function* ignoredProblems(schema: JsonObject, at: Path): Generator<Problem> {
  const alone = [...COMPANIONS.keys()].find((keyword) => schema[keyword] !== undefined)
  const types = typesOf(schema)
  for (const keyword of Object.keys(schema)) {
    const { of } = ALL[keyword]!
    if (alone && !COMPANIONS.get(alone)!.includes(keyword) && !Object.hasOwn(ANNOTATIONS, keyword))
      yield problem([...at, keyword], `${quote(keyword)} stands beside ${quote(alone)}`, {
        expected: `${alone} alone`,
        point: 'key',
      })
    else if (of && types.length === 0)
      yield problem([...at, 'type'], `${quote(keyword)} needs a type beside it`, {
        expected: `type: ${of[0]}`,
      })
    else if ((keyword === 'minItems' || keyword === 'maxItems') && schema['items'] === undefined)
      yield problem([...at, keyword], `${quote(keyword)} needs items beside it`, {
        expected: 'items: the schema of each item, or items: true',
        point: 'key',
      })
    else if (of && !of.some((type) => types.includes(type)))
      yield problem([...at, keyword], `${quote(keyword)} says nothing about ${types.join(' or ')}`, {
        expected: `type: ${of[0]}, or no ${keyword}`,
        point: 'key',
      })
  }
}

const typesOf = ({ type }: JsonObject): readonly Type[] =>
  type === undefined ? [] : Array.isArray(type) ? type : [type as Type]

/** Values that the schema lists must be of the type it asks for. */
function* valueProblems(schema: JsonObject, at: Path): Generator<Problem> {
  const types = typesOf(schema)
  if (types.length === 0) return
  for (const keyword of ['enum', 'const'] as const) {
    const value = schema[keyword]
    if (value === undefined) continue
    const listed: readonly (readonly [Json, Path])[] = Array.isArray(value)
      ? value.map((item, index) => [item as Json, [...at, keyword, index]])
      : [[value, [...at, keyword]]]
    for (const [item, place] of listed)
      if (!types.some((type) => hasType(item, type)))
        yield problem(place, `${JSON.stringify(item)} is not of the type ${types.join(' or ')}`, {
          expected: 'values of the type beside them',
        })
  }
}

const hasType = (value: Json, type: Type): boolean => {
  if (type === 'null') return value === null
  if (type === 'integer') return Number.isInteger(value)
  return typeof value === type && value !== null
}

/** The check asks only for properties it knows. */
function* requiredProblems({ properties, required }: JsonObject, at: Path): Generator<Problem> {
  if (!Array.isArray(required)) return
  const known = isObject(properties) ? Object.keys(properties) : []
  for (const [index, name] of (required as readonly string[]).entries())
    if (!known.includes(name))
      yield unknownName(
        [...at, 'required', index],
        `${quote(name)} is required but not described in properties`,
        name,
        known,
      )
}

/** The schemas directly inside a schema, as far as it can be read. */
export function* innerSchemas(schema: JsonObject, at: Path): Generator<readonly [Json, Path]> {
  const { properties } = schema
  for (const [name, inner] of isObject(properties) ? Object.entries(properties) : [])
    yield [inner, [...at, 'properties', name]]
  for (const keyword of ['items', 'additionalProperties'])
    if (schema[keyword] !== undefined) yield [schema[keyword], [...at, keyword]]
  for (const keyword of ['anyOf', 'oneOf'])
    for (const [index, inner] of listIn(schema[keyword]).entries()) yield [inner, [...at, keyword, index]]
}

const listIn = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : [])
