// Owns the description of the API (OpenAPI 3.1), made from the routes themselves. A test compares every answer with it.

import { z } from 'zod'
import type { JsonObject } from '../core/json.ts'
import type { Route } from './route.ts'
import { problem } from './shapes.ts'

const schemaOf = (shape: z.ZodType, io: 'input' | 'output'): JsonObject => {
  const { $schema: _, ...schema } = z.toJSONSchema(shape, { unrepresentable: 'any', io, reused: 'inline' })
  return schema as JsonObject
}

const NAMES = /\{(\w+)\}/g

const pathParameters = ({ path }: Route): readonly JsonObject[] =>
  Array.from(path.matchAll(NAMES), ([, name]) => ({
    name: name!,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))

const TENANCY: readonly JsonObject[] = ['namespace', 'tenant'].map((name) => ({
  name,
  in: 'query',
  required: false,
  description: 'With a key: that of the key, or none. Without: default.',
  schema: { type: 'string' },
}))

const queryParameters = ({ query }: Route): readonly JsonObject[] => {
  if (query === undefined) return []
  const { properties = {}, required = [] } = schemaOf(query, 'input') as {
    readonly properties?: Readonly<Record<string, JsonObject>>
    readonly required?: readonly string[]
  }
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    ...(description !== undefined && { description }),
    schema,
  }))
}

const IDEMPOTENCY_KEY: JsonObject = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'The same request under the same key is done once; its answer is kept for 24 hours.',
  schema: { type: 'string', maxLength: 255 },
}

const contentOf = (answer: Route['answers'][number]): JsonObject => {
  if (answer === 'nothing') return {}
  if (answer === 'text') return { content: { 'text/plain': { schema: { type: 'string' } } } }
  if (answer === 'events') return { content: { 'text/event-stream': { schema: { type: 'string' } } } }
  return { content: { 'application/json': { schema: schemaOf(answer, 'output') } } }
}

const responsesOf = ({ answers }: Route): JsonObject => ({
  ...Object.fromEntries(
    Object.entries(answers).map(([status, answer]) => [
      status,
      { description: status, ...contentOf(answer) },
    ]),
  ),
  default: {
    description: 'Refused',
    content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
  },
})

const bodyOf = ({ body, takesYaml }: Route): JsonObject => {
  if (body === undefined) return {}
  const schema = schemaOf(body, 'input')
  const types = takesYaml ? ['application/json', 'application/yaml'] : ['application/json']
  return { requestBody: { content: Object.fromEntries(types.map((type) => [type, { schema }])) } }
}

const operationOf = (route: Route): JsonObject => {
  const { operation, summary, policy, method, path } = route
  const isPublic = policy.scope === 'public'
  return {
    operationId: operation,
    summary,
    tags: [path.split('/').filter((part) => part !== '' && part !== 'v1')[0] ?? 'house'],
    ...(isPublic ? { security: [] } : { 'x-scope': policy.scope }),
    parameters: [
      ...pathParameters(route),
      ...queryParameters(route),
      ...(isPublic ? [] : TENANCY),
      ...(method === 'POST' ? [IDEMPOTENCY_KEY] : []),
    ],
    ...bodyOf(route),
    responses: responsesOf(route),
  }
}

export const describeRoutes = (routes: readonly Route[], version: string): JsonObject => {
  const paths: Record<string, Record<string, JsonObject>> = {}
  for (const route of routes) {
    const methods = paths[route.path] ?? {}
    methods[route.method.toLowerCase()] = operationOf(route)
    paths[route.path] = methods
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Pawl', version, description: 'The HTTP API of the durable action engine.' },
    security: [{ key: [] }],
    paths,
    components: {
      securitySchemes: { key: { type: 'http', scheme: 'bearer' } },
      schemas: { Problem: schemaOf(problem, 'output') },
    },
  }
}
