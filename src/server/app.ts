// Owns the table from addresses to routes: Hono finds the route, handle.ts does the rest. A path that exists with other
// methods says which; one that does not exist says no more than that.

import { Hono } from 'hono'
import { PawlError } from '../core/errors.ts'
import { type Desk, handle, type Incoming, type Outgoing, refuse, requestIdOf } from './handle.ts'
import { asPawlError } from './problem.ts'
import type { Route } from './route.ts'

const MAX_URL = 8 * 1024

interface Asking {
  readonly raw: Request
  readonly header: (name: string) => string | undefined
  readonly from?: string | undefined
}

/** What the bridge to Node gives beside a request. */
interface Bridge {
  readonly incoming?: { readonly socket?: { readonly remoteAddress?: string } }
}

const incomingOf = ({ raw, header, from }: Asking, params: Readonly<Record<string, string>>): Incoming => {
  const { pathname, search } = new URL(raw.url)
  return { method: raw.method, path: pathname, search, params, header, body: raw.body, from }
}

const send = ({ status, headers, body }: Outgoing): Response => new Response(body, { status, headers })

/** `/v1/actions/{id}` as Hono writes it. */
const patternOf = (path: string): string => path.replace(/\{(\w+)\}/g, ':$1')

export const createApp = (desk: Desk, routes: readonly Route[]): Hono<{ Bindings: Bridge }> => {
  const app = new Hono<{ Bindings: Bridge }>()
  const refused = (asking: Asking, error: PawlError): Response =>
    send(refuse(desk, incomingOf(asking, {}), requestIdOf(asking.header), error))
  const askingOf = (
    req: { readonly raw: Request; header: (name: string) => string | undefined },
    bridge?: Bridge,
  ): Asking => ({
    raw: req.raw,
    header: (name) => req.header(name),
    from: bridge?.incoming?.socket?.remoteAddress,
  })

  app.use(async ({ req }, next) => {
    if (req.url.length <= MAX_URL) return next()
    return refused(
      askingOf(req),
      new PawlError('uri_too_long', 'the address is too long', { expected: 'at most 8 KiB' }),
    )
  })
  const methods = new Map<string, string[]>()
  for (const route of routes) {
    const pattern = patternOf(route.path)
    app.on(route.method, pattern, async ({ req, env }) =>
      send(await handle(desk, route, incomingOf(askingOf(req, env), req.param() as Record<string, string>))),
    )
    methods.set(pattern, [...(methods.get(pattern) ?? []), route.method])
  }
  for (const [pattern, allowed] of methods)
    app.all(pattern, ({ req }) =>
      refused(
        askingOf(req),
        new PawlError('method_not_allowed', `${req.method.slice(0, 20)} is not possible here`, {
          expected: allowed.join(', '),
          headers: { allow: allowed.join(', ') },
        }),
      ),
    )
  app.notFound(({ req }) =>
    refused(askingOf(req), new PawlError('not_found', 'there is nothing at this path')),
  )
  app.onError((error, { req }) => refused(askingOf(req), asPawlError(error)))
  return app
}
