// Every answer a test gets is compared with the description of its route: its status must be one of those described, and
// its body of the shape that stands there.

import { expect, vi } from 'vitest'
import type { z } from 'zod'
import type { Route } from '../../src/server/route.ts'
import { ROUTES } from '../../src/server/routes.ts'
import { problem } from '../../src/server/shapes.ts'
import type { Got, Sending, Served } from './served.ts'

const patternOf = ({ path }: Route): RegExp => new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`)

/** Paths without parameters come first: `/v1/dead-letters/groups` is no id. */
const PATTERNS = ROUTES.map((route) => [patternOf(route), route] as const)

const routeOf = (method: string, path: string): Route | undefined =>
  PATTERNS.find(([pattern, route]) => route.method === method && pattern.test(path.split('?')[0]!))?.[1]

const fits = (shape: z.ZodType, body: unknown, what: string): void => {
  const result = shape.safeParse(body)
  if (!result.success) expect.fail(`${what} does not fit its shape: ${JSON.stringify(result.error.issues)}`)
}

export const check = (method: string, path: string, { status, json, text }: Got): void => {
  const what = `${method} ${path} → ${status} ${text.slice(0, 500)}`
  const answer = routeOf(method, path)?.answers[status]
  if (answer === undefined) {
    fits(problem, json, what)
    expect([json.status, json.error], what).toEqual([status, json.detail])
  } else if (typeof answer === 'object') fits(answer, json, what)
  else if (answer === 'nothing') expect(text, what).toBe('')
}

/** One tenant of a server in local mode, or one key of a server with keys. */
export interface Client {
  readonly ask: (method: string, path: string, sending?: Sending) => Promise<Got>
  readonly get: (path: string, sending?: Sending) => Promise<Got>
  readonly post: (path: string, json?: unknown, sending?: Sending) => Promise<Got>
}

export const clientOf = (served: Served, { tenant, token }: { tenant?: string; token?: string }): Client => {
  const ask: Client['ask'] = async (method, path, sending) => {
    const of = tenant === undefined ? '' : `${path.includes('?') ? '&' : '?'}tenant=${tenant}`
    const got = await served.ask(method, `${path}${of}`, { ...(token && { token }), ...sending })
    check(method, path, got)
    return got
  }
  return {
    ask,
    get: (path, sending) => ask('GET', path, sending),
    post: (path, json = {}, sending) => ask('POST', path, { json, ...sending }),
  }
}

/** Asks until it is so. */
export const until = <Value>(look: () => Promise<Value>, holds: (value: Value) => boolean): Promise<Value> =>
  vi.waitFor(
    async () => {
      const value = await look()
      if (!holds(value)) throw new Error(`it did not come to it: ${JSON.stringify(value).slice(0, 1000)}`)
      return value
    },
    { timeout: 60_000, interval: 25 },
  )
