// Owns one request and one answer over one connection. Every way it can end ends the same: the promise settles once,
// listeners are gone, and a connection that is not clean is destroyed. Redirects and other addresses are fetch.ts.

import { type ClientRequest, type IncomingMessage, request as open } from 'node:http'
import { PawlError } from '../core/errors.ts'
import type { Address } from './address.ts'
import { readBody } from './body.ts'
import type { Destination } from './destination.ts'
import type { Attempt } from './dial.ts'
import { broken, brokenBy, isUnreached, staleBy } from './faults.ts'
import type { EgressLimits } from './limits.ts'
import type { Pool, PooledArgs } from './pool.ts'
import type { Outgoing } from './request.ts'

export interface Answer {
  readonly status: number
  readonly headers: ReadonlyMap<string, string>
  readonly body: Buffer
}

export interface Exchange {
  readonly pool: Pool
  readonly destination: Destination
  readonly address: Address
  readonly outgoing: Outgoing
  readonly limits: EgressLimits
  readonly signal: AbortSignal
  readonly trace: ((attempt: Attempt) => void) | undefined
  /** From here on the effect may happen. */
  readonly onSent: () => void
}

/** 100 and 103 may come before an answer, but not without end. */
const MAX_INFORMATION = 16
/** How long a server may leave "may I send the body?" unanswered (RFC 9110 §10.1.1: not indefinitely). */
const CONTINUE_MS = 1000

const tooManyHeaders = (expected: string): PawlError =>
  new PawlError('response_too_large', 'the answer has too many headers', { expected: `at most ${expected}` })

const codeOf = (error: Error): unknown => (error as { readonly code?: unknown }).code
const HUNG_UP: ReadonlySet<unknown> = new Set(['ECONNRESET', 'EPIPE'])
const OVERFLOWS: ReadonlySet<unknown> = new Set(['HPE_HEADER_OVERFLOW', 'HPE_CHUNK_EXTENSIONS_OVERFLOW'])

const headersOf = (message: IncomingMessage, max: number): ReadonlyMap<string, string> => {
  const { rawHeaders } = message
  if (rawHeaders.length / 2 > max) throw tooManyHeaders(String(max))
  const headers = new Map<string, string>()
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!.toLowerCase()
    const before = headers.get(name)
    headers.set(name, before === undefined ? rawHeaders[index + 1]! : `${before}, ${rawHeaders[index + 1]}`)
  }
  return headers
}

const start = (exchange: Exchange): ClientRequest => {
  const { pool, destination, address, outgoing, limits, signal, trace } = exchange
  const { host, port, isSecure, authority, path } = destination
  const { method, body, asksFirst } = outgoing
  const hasBody = body !== undefined || !['GET', 'HEAD', 'OPTIONS', 'DELETE'].includes(method)
  const args: PooledArgs = {
    agent: pool.agentFor(isSecure),
    method,
    path,
    headers: {
      host: authority,
      ...Object.fromEntries(outgoing.headers),
      ...(hasBody && { 'content-length': String(body?.length ?? 0) }),
      ...(asksFirst && { expect: '100-continue' }),
    },
    maxHeaderSize: limits.headerBytes,
    // Said here because a flag of the process may say otherwise.
    insecureHTTPParser: false,
    dialing: { host, address, port, connectMs: limits.connectMs, signal, trace },
  }
  const request = open(args)
  // One more than allowed, because Node drops what is beyond without a word.
  request.maxHeadersCount = limits.headers + 1
  return request
}

const sendBody = (request: ClientRequest, { body, asksFirst }: Outgoing): void => {
  if (!asksFirst) {
    request.end(body)
    return
  }
  const send = (): void => {
    clearTimeout(timer)
    if (!request.writableEnded && !request.destroyed) request.end(body)
  }
  const timer = setTimeout(send, CONTINUE_MS)
  request.once('continue', send).once('close', () => clearTimeout(timer))
  request.flushHeaders()
}

const faultOf = (error: Error, { destination, limits }: Exchange): Error => {
  if (isUnreached(error) || error instanceof PawlError) return error
  if (OVERFLOWS.has(codeOf(error))) return tooManyHeaders(`${limits.headerBytes} bytes`)
  return brokenBy(destination.host.text, error)
}

const read = async (message: IncomingMessage, { limits }: Exchange): Promise<Answer> => ({
  status: message.statusCode!,
  headers: headersOf(message, limits.headers),
  body: await readBody(message, limits.bytes),
})

export const exchange = (options: Exchange): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const { signal, destination, onSent } = options
    const name = destination.host.text
    const request = start(options)
    let [information, hasAnswered, isOver] = [0, false, false]
    /** Ends it once. A connection that is not clean must not reach the next exchange. */
    const end = (isClean: boolean): boolean => {
      if (isOver) return false
      isOver = true
      signal.removeEventListener('abort', abort)
      if (!isClean) request.destroy()
      return true
    }
    const fail = (error: unknown): void => {
      if (end(false)) reject(error)
    }
    const abort = (): void => fail(signal.reason)
    const succeed = (answer: Answer): void => {
      // An answer may come before the whole request was sent.
      if (end(request.writableFinished)) resolve(answer)
    }
    signal.addEventListener('abort', abort)
    if (signal.aborted) abort()
    request.on('error', (error) => {
      const isStale = request.reusedSocket && !hasAnswered && HUNG_UP.has(codeOf(error))
      fail(isStale ? staleBy(name, error) : faultOf(error, options))
    })
    request.on('socket', onSent)
    request.on('information', () => {
      if (++information > MAX_INFORMATION) fail(broken('ECONNRESET', `${name} sends no answer but 1xx`))
    })
    request.on('upgrade', (_, socket) => {
      socket.destroy()
      fail(broken('ECONNRESET', `${name} changed the protocol, which nobody asked for`))
    })
    request.on('response', (message) => {
      hasAnswered = true
      read(message, options).then(succeed, (error) => fail(faultOf(error, options)))
    })
    sendBody(request, options.outgoing)
  })
