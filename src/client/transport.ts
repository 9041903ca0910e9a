// Owns one request to a server: its address, its headers, its body, and what its answer means. Nothing is tried twice here:
// a POST carries an idempotency key, so that whoever tries again does it safely.

import { PawlError } from '../core/errors.ts'
import type { Json } from '../core/json.ts'
import { newKey } from './key.ts'
import { problemError } from './problem.ts'

export interface ClientOptions {
  /** `http://127.0.0.1:4400`, with a base path where there is one. */
  readonly url: string
  readonly token?: string
  /** Sent with every request in local mode; a key has its own. */
  readonly namespace?: string
  readonly tenant?: string
  /** Default: the global fetch. */
  readonly fetch?: typeof globalThis.fetch
}

type Query = Readonly<Record<string, string | number | boolean | undefined>>

export interface Call {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Below the address, beginning with a slash. */
  readonly path: string
  readonly query?: Query
  readonly body?: Json
  /** A body that is no JSON: its text and its type. */
  readonly text?: { readonly body: string; readonly type: string }
  readonly headers?: Readonly<Record<string, string>>
  /** Default for a POST: drawn. The same key again is the same request. */
  readonly idempotencyKey?: string
  readonly signal?: AbortSignal
}

export interface Answer {
  readonly status: number
  readonly headers: Headers
  /** Undefined when there is none. */
  readonly body: Json | undefined
}

export interface Transport {
  readonly send: (call: Call) => Promise<Answer>
  /** The answer before its body is read. Refusals are thrown all the same. */
  readonly open: (call: Call) => Promise<Response>
}

/** One segment of a path: an id may hold anything. */
export const segment = (id: string): string => encodeURIComponent(id)

export const createTransport = (options: ClientOptions): Transport => {
  const { fetch = globalThis.fetch } = options
  const open = async (call: Call): Promise<Response> => {
    const url = addressOf(options, call)
    const response = await fetch(url, initOf(options, call)).catch((error: unknown) => {
      throw unreachable(url, error)
    })
    if (!response.ok) throw problemError(response.status, await bodyOf(response))
    return response
  }
  return {
    open,
    send: async (call) => {
      const response = await open(call)
      return { status: response.status, headers: response.headers, body: await bodyOf(response) }
    },
  }
}

const addressOf = ({ url, namespace, tenant }: ClientOptions, { path, query }: Call): string => {
  const address = new URL(url.replace(/\/+$/, '') + path)
  for (const [name, value] of Object.entries({ namespace, tenant, ...query }))
    if (value !== undefined) address.searchParams.set(name, String(value))
  return address.toString()
}

const initOf = ({ token }: ClientOptions, call: Call): RequestInit => {
  const { method = 'GET', body, text, headers, signal, idempotencyKey } = call
  const key = idempotencyKey ?? (method === 'POST' ? newKey() : undefined)
  const payload = text?.body ?? (body === undefined ? undefined : JSON.stringify(body))
  return {
    method,
    ...(payload !== undefined && { body: payload }),
    ...(signal !== undefined && { signal }),
    redirect: 'error',
    headers: {
      accept: 'application/json',
      ...(payload !== undefined && { 'content-type': text?.type ?? 'application/json' }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(key !== undefined && { 'idempotency-key': key }),
      ...headers,
    },
  }
}

/** What is not JSON is not ours: its words are kept short. */
const bodyOf = async (response: Response): Promise<Json | undefined> => {
  const text = await response.text()
  if (text === '') return undefined
  try {
    return JSON.parse(text) as Json
  } catch {
    if (response.ok && !response.headers.get('content-type')?.includes('json')) return text
    return { detail: `the server answered ${response.status}: ${text.slice(0, 200)}` }
  }
}

const unreachable = (url: string, error: unknown): unknown => {
  if (error instanceof PawlError || (error instanceof Error && error.name === 'AbortError')) return error
  const reason = error instanceof Error ? causeOf(error) : String(error)
  return new PawlError('server_unreachable', `no server answers at ${new URL(url).origin}: ${reason}`, {
    expected: 'a running server: pawl serve',
  })
}

const causeOf = (error: Error): string => {
  const { cause } = error
  if (!(cause instanceof Error)) return error.message
  return cause.message !== ''
    ? cause.message
    : String((cause as { readonly code?: string }).code ?? error.message)
}
