// Real servers for the door to be tried against, each counting what reaches it. All end with the test.

import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net'
import { afterEach } from 'vitest'
import { createEgress, type Egress, type EgressOptions } from '../../src/egress/egress.ts'

export interface Listener {
  readonly port: number
  /** Connections that were accepted so far. */
  readonly connections: () => number
  readonly requests: readonly string[]
  /** Accepted and not yet closed. */
  readonly open: () => number
  readonly sockets: ReadonlySet<Socket>
}

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()))
})

const start = async (server: Server, host: string, requests: readonly string[]): Promise<Listener> => {
  const sockets = new Set<Socket>()
  let connections = 0
  server.on('connection', (socket: Socket) => {
    connections++
    sockets.add(socket.on('error', () => {}))
    socket.once('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  closers.push(async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  })
  const { port } = server.address() as AddressInfo
  return { port, requests, sockets, connections: () => connections, open: () => sockets.size }
}

interface HttpOptions {
  readonly host?: string
  readonly tls?: { readonly key: string; readonly cert: string }
}

export const serve = (
  handle: (request: IncomingMessage, response: ServerResponse) => void,
  { host = '127.0.0.1', tls }: HttpOptions = {},
): Promise<Listener> => {
  const requests: string[] = []
  const listener: RequestListener = (request, response) => {
    requests.push(`${request.method} ${request.url}`)
    handle(request, response)
  }
  const server = tls === undefined ? createServer(listener) : createSecureServer(tls, listener)
  return start(server, host, requests)
}

/** Bytes as they come and go, for what no well-behaved server would send. */
export const serveRaw = (handle: (socket: Socket) => void, host = '127.0.0.1'): Promise<Listener> =>
  // A socket that nobody reads would not see that it was closed.
  start(
    createTcpServer((socket) => {
      handle(socket)
      socket.resume()
    }),
    host,
    [],
  )

/** Answers the first bytes of each request with this text, and leaves the connection open. */
export const serveText = (text: string | Buffer): Promise<Listener> =>
  serveRaw((socket) => {
    socket.on('data', () => socket.write(text))
  })

export const openEgress = (options: EgressOptions = {}): Egress => {
  const egress = createEgress(options)
  closers.push(egress.close)
  return egress
}

/** For places that are public: should the guard ever fail, the test must not be what reaches a stranger. */
export const openNothing: NonNullable<EgressOptions['trace']> = ({ address, port }) => {
  throw new Error(`would open ${address} ${port}`)
}

/** What a promise was rejected with. */
export const failureOf = async (promise: Promise<unknown>): Promise<Error & { readonly code?: string }> => {
  try {
    await promise
  } catch (error) {
    return error as Error
  }
  throw new Error('it did not fail')
}

/** A resolver that knows these names only. */
export const resolver =
  (names: Readonly<Record<string, readonly string[]>>): NonNullable<EgressOptions['resolve']> =>
  async (host) => {
    if (!Object.hasOwn(names, host)) throw Object.assign(new Error(`no ${host}`), { code: 'ENOTFOUND' })
    return names[host]!.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
  }

export const bodyOf = async (request: IncomingMessage): Promise<string> => {
  let text = ''
  for await (const chunk of request) text += chunk
  return text
}
