// Owns the socket that listens and its patience (S51): time limits, sizes, the number of connections, and what is told to
// those who never sent a request.

import { createAdaptorServer } from '@hono/node-server'
import { PawlError } from '../core/errors.ts'
import { realClock } from '../engine/clock.ts'
import { tell } from './problem.ts'

export interface Patience {
  /** Until all headers are there, and until the whole request is. */
  readonly headersMs: number
  readonly requestMs: number
  readonly connections: number
}

const MAX_HEADER_BYTES = 16 * 1024
const CLOSING_MS = 5000
const SWEEP_MS = 20
const HEARD_OUT_MS = 500

/** What of Node's server is used here. */
export interface Listening {
  maxConnections: number
  on(event: 'clientError', heard: (error: NodeJS.ErrnoException, socket: Socket) => void): unknown
  on(event: 'request', heard: (request: Unread) => void): unknown
  once(event: 'error' | 'listening', heard: (error: Error) => void): unknown
  listen(port: number, host: string): unknown
  address(): unknown
  close(done: () => void): unknown
  closeIdleConnections(): void
  closeAllConnections(): void
}

interface Socket {
  readonly writable: boolean
  end(text?: string): unknown
  destroy(): unknown
  /** How Node ends a connection whose last answer is written. */
  destroySoon: () => void
}

interface Unread {
  readonly socket: Socket
  /** All of it was read. */
  readonly complete: boolean
  once(event: 'close', heard: () => void): unknown
}

/**
 * A connection that is closed while bytes of it are unread is reset, and who was still sending does not hear the answer: what
 * else of the body comes is read a while longer, and thrown away.
 */
const hearOut = (request: Unread): void => {
  const { socket } = request
  socket.destroySoon = () => {
    // Node's own again.
    Reflect.deleteProperty(socket, 'destroySoon')
    if (request.complete) return socket.destroySoon()
    socket.end()
    const cancel = realClock.timers.after(HEARD_OUT_MS, () => socket.destroy())
    request.once('close', () => {
      cancel()
      socket.destroy()
    })
  }
}

const CODES: Readonly<Record<string, 'request_timeout' | 'headers_too_large'>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
  HPE_HEADER_OVERFLOW: 'headers_too_large',
}

/** What never became a request is told in the same form. */
const tellClient = (error: NodeJS.ErrnoException, socket: Socket): void => {
  if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy()
  const code = CODES[error.code ?? ''] ?? 'request_malformed'
  const refusal = new PawlError(code, WORDS[code])
  const { status, body } = tell(refusal, { path: '', requestId: 'unread' })
  const text = JSON.stringify(body)
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_TEXTS[code]}\r\ncontent-type: application/problem+json\r\n` +
      `content-length: ${Buffer.byteLength(text)}\r\nconnection: close\r\n\r\n${text}`,
  )
}

const WORDS = {
  request_timeout: 'the request did not arrive in time',
  headers_too_large: 'the headers are larger than 16 KiB',
  request_malformed: 'the request is not HTTP',
}
const STATUS_TEXTS = {
  request_timeout: 'Request Timeout',
  headers_too_large: 'Request Header Fields Too Large',
  request_malformed: 'Bad Request',
}

export const listenOn = async (server: Listening, port: number, host: string): Promise<number> => {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.once('listening', () => resolve())
    server.listen(port, host)
  })
  return (server.address() as { readonly port: number }).port
}

/** Waits for requests under way, for a while; a connection that has answered its last one is not waited for. */
export const closeServer = async (server: Listening): Promise<void> => {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS)
  const cancel = realClock.timers.after(CLOSING_MS, () => server.closeAllConnections())
  await closed
  clearInterval(sweep)
  cancel()
}

export const createServer = (
  fetch: (request: Request) => Response | Promise<Response>,
  limits: Patience,
): Listening => {
  const { headersMs, requestMs, connections } = limits
  const server = createAdaptorServer({
    fetch,
    overrideGlobalObjects: false,
    serverOptions: {
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: headersMs,
      requestTimeout: requestMs,
      connectionsCheckingInterval: Math.min(1000, headersMs),
      keepAliveTimeout: 5000,
      requireHostHeader: true,
      joinDuplicateHeaders: false,
    },
  }) as unknown as Listening
  server.maxConnections = connections
  server.on('clientError', tellClient)
  server.on('request', hearOut)
  return server
}
