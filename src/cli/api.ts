// Owns `pawl api`: any request to a server, by the name of its operation or by method and path, so that nothing the API can
// do is out of reach. What it may be is read off the routes themselves.

import type { Command } from 'commander'
import { PawlError } from '../core/errors.ts'
import type { Json, JsonObject } from '../core/json.ts'
import { nearest } from '../core/suggest.ts'
import type { Route } from '../server/route.ts'
import { examples, remote, run, sub } from './command.ts'
import { readJsonInput, readPairs } from './json-input.ts'
import type { Session } from './session.ts'

const METHODS: readonly string[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

interface Request {
  readonly method: Route['method']
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly body: Json | undefined
}

const routeNamed = (routes: readonly Route[], name: string): Route => {
  const found = routes.find(({ operation }) => operation === name)
  if (found !== undefined) return found
  const suggestion = nearest(
    name,
    routes.map(({ operation }) => operation),
  )
  throw new PawlError('invalid_option', `no operation is called “${name.slice(0, 80)}”`, {
    expected: 'an operation (pawl api --list), or a method and a path',
    ...(suggestion !== undefined && { suggestion }),
  })
}

/** `{id}` takes the pair of its name; what is left is the query, or the body. */
const filled = ({ path, method }: Route, pairs: JsonObject, data: Json | undefined): Request => {
  const left = { ...pairs }
  const whole = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = left[name]
    delete left[name]
    if (value !== undefined) return encodeURIComponent(String(value))
    throw new PawlError('invalid_option', `${path} needs its ${name}`, { expected: `${name}=…` })
  })
  return { method, path: whole, ...spread(method, left, data) }
}

const spread = (
  method: Route['method'],
  pairs: JsonObject,
  data: Json | undefined,
): Pick<Request, 'query' | 'body'> => {
  const isRead = method === 'GET' || method === 'DELETE'
  const texts = Object.entries(pairs).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ])
  if (isRead || data !== undefined) return { query: Object.fromEntries(texts), body: data }
  return { query: {}, body: pairs }
}

const requestOf = async (words: readonly string[], data: Json | undefined): Promise<Request> => {
  const [first, second] = words as readonly [string, string | undefined]
  const method = first.toUpperCase()
  if (METHODS.includes(method)) {
    if (!second?.startsWith('/'))
      throw new PawlError('invalid_option', `${method} needs a path`, { expected: `${method} /v1/actions` })
    const [path, search = ''] = second.split('?')
    const spelt = spread(method as Route['method'], readPairs(words.slice(2)), data)
    const query = { ...Object.fromEntries(new URLSearchParams(search)), ...spelt.query }
    return { method: method as Route['method'], path: path!, ...spelt, query }
  }
  const { ROUTES } = await import('../server/routes.ts')
  return filled(routeNamed(ROUTES, first), readPairs(words.slice(1)), data)
}

const listOperations = async ({ output }: Session): Promise<void> => {
  const { ROUTES } = await import('../server/routes.ts')
  const rows = ROUTES.map(({ operation, method, path, summary }) => ({ operation, method, path, summary }))
  output.rows(rows, [
    { title: 'OPERATION', text: ({ operation }) => operation },
    { title: 'REQUEST', text: ({ method, path }) => `${method} ${path}` },
    { title: 'WHAT', text: ({ summary }) => summary },
  ])
}

const api = async (session: Session, ...words: string[]): Promise<void> => {
  if (session.options['list'] === true) return listOperations(session)
  if (words.length === 0)
    throw new PawlError('invalid_option', 'nothing is asked for', {
      expected: 'an operation, or a method and a path; --list shows them',
    })
  const given = session.options['data'] as string | undefined
  const { method, path, query, body } = await requestOf(
    words,
    given === undefined ? undefined : readJsonInput(given, '--data'),
  )
  const client = await (method === 'GET' ? session.client() : session.writing())
  const { body: answer } = await client.request({ method, path, query, ...(body !== undefined && { body }) })
  session.terminal.print(typeof answer === 'string' ? answer : JSON.stringify(answer ?? null, undefined, 2))
}

export const addApi = (program: Command): void => {
  const command = remote(sub(program, 'api [words...]', 'Send any request of the API'))
    .option('--data <json>', 'the body: JSON, @file or -')
    .option('--list', 'every operation there is')
    .action(run(api))
  examples(
    command,
    'pawl api listActions limit=2',
    'pawl api GET /v1/actions?limit=2',
    'pawl api sendEvent id=l_1 type=paid --explain',
    'pawl api POST /v1/definitions --data @lease.json',
  )
}
