// Owns the routes of definitions: given in as JSON or YAML, shown with their versions. The ETag of a definition is the hash
// of its newest content.

import { z } from 'zod'
import { PawlError } from '../../core/errors.ts'
import type { Kind } from '../../core/execution.ts'
import type { JsonObject } from '../../core/json.ts'
import type { Problem } from '../../definitions/problem.ts'
import { object, word } from '../../definitions/shape/values.ts'
import type { DefinitionView } from '../../pawl/define.ts'
import { anyObject } from '../inputs.ts'
import { type Call, listOf, ok, type Route, route } from '../route.ts'
import { defined, definition, definitionRow, pageOf } from '../shapes.ts'

const KINDS = ['machine', 'journey', 'recurrence', 'stream', 'reconciler'] as const

const head = ({ kind, id, version, hash, createdAt }: DefinitionView) => ({
  kind,
  id,
  version,
  hash,
  createdAt,
})
const etagOf = (hash: string): string => `"${hash}"`

/** `"hash"` or `*`; lists and weak tags are not needed here. */
const tagIn = (text: string): string => {
  const tag = /^(?:"([0-9a-f]{1,128})"|(\*))$/.exec(text.trim())
  if (tag !== null) return tag[1] ?? '*'
  throw new PawlError('input_invalid', 'the tag of If-Match or If-None-Match cannot be read', {
    path: 'if-match',
    expected: 'the ETag of the definition',
  })
}

/** Undefined: whatever there is. Null: there must be none. */
const expectedIn = ({ header }: Call): string | null | undefined => {
  const match = header('if-match')
  if (match !== undefined) {
    const tag = tagIn(match)
    return tag === '*' ? undefined : tag
  }
  const none = header('if-none-match')
  return none !== undefined && tagIn(none) === '*' ? null : undefined
}

/** With the line and column of the text that was sent. */
const placed = (error: unknown, place: (problem: Problem) => Problem): unknown => {
  if (!(error instanceof PawlError) || !Array.isArray(error.details['problems'])) return error
  const problems = (error.details['problems'] as readonly Problem[]).map(place)
  return new PawlError(error.code, error.message, { ...error.details, problems })
}

const warningOf = ({ path, message, expected, suggestion }: Problem) => ({
  path,
  message,
  ...(expected !== undefined && { expected }),
  ...(suggestion !== undefined && { suggestion }),
})

const put = route({
  method: 'POST',
  path: '/v1/definitions',
  operation: 'putDefinition',
  summary: 'Stores a definition; the same content again changes nothing',
  policy: { scope: 'define' },
  body: anyObject,
  takesYaml: true,
  answers: { 200: defined, 201: defined },
  serve: async (call) => {
    const { pawl, body, place, changed } = call
    const expected = expectedIn(call)
    const made = await pawl
      .define(body as JsonObject, expected === undefined ? {} : { expected })
      .catch((error: unknown) => {
        throw placed(error, place)
      })
    const { kind, id, version, hash, isNew, warnings } = made
    const shown = { kind, id, version, hash }
    if (isNew) await changed({ type: 'definition.stored', subject: `${kind}/${id}`, after: shown })
    const told = { ...shown, ...(warnings.length > 0 && { warnings: warnings.map(warningOf) }) }
    const location = `/v1/definitions/${kind}/${encodeURIComponent(id)}`
    return { status: isNew ? 201 : 200, headers: { location, etag: etagOf(hash) }, body: told }
  },
})

const list = route({
  method: 'GET',
  path: '/v1/definitions',
  operation: 'listDefinitions',
  summary: 'The newest version of every definition',
  policy: { scope: 'read' },
  query: object('the query of a list', { kind: word(KINDS).describe('Only of this kind.').optional() }),
  answers: { 200: pageOf(definitionRow) },
  serve: async ({ pawl, query: { kind } }) =>
    listOf({ data: await pawl.definitions(kind === undefined ? {} : { kind }) }, head),
})

const get = route({
  method: 'GET',
  path: '/v1/definitions/{kind}/{id}',
  operation: 'getDefinition',
  summary: 'One definition, its content and its versions',
  policy: { scope: 'read' },
  answers: { 200: definition, 304: 'nothing' },
  serve: async ({ pawl, params: { kind, id }, header }) => {
    const isKind = z.enum(KINDS).safeParse(kind).success
    const versions = isKind ? await pawl.definitions({ kind: kind as Kind, id: id! }) : []
    const [newest] = versions
    if (newest === undefined)
      throw new PawlError('definition_unknown', `there is no definition “${id!.slice(0, 80)}”`, {
        path: 'definition',
      })
    const etag = etagOf(newest.hash)
    if (header('if-none-match') === etag) return { status: 304, headers: { etag } }
    return { ...ok({ ...newest, versions: versions.map(head) }), headers: { etag } }
  },
})

export const definitionRoutes: readonly Route[] = [put, list, get]
