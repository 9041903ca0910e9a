// Owns what a caller may put into a request, and refuses the rest before anything is opened: text that would end a
// header, headers that Pawl writes itself, methods that turn a request into something else. Values are never quoted.

import { PawlError } from '../core/errors.ts'

/** The shape that a runner's ctx.fetch has, and what the door itself takes besides. */
export interface EgressRequest {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  /** Sent as the JSON body, with its content type. */
  readonly json?: unknown
  /** Names of headers that, like Authorization and Cookie, do not follow a redirect to another origin. */
  readonly sensitive?: readonly string[]
  /** How many redirects are followed; each is checked like the first request. */
  readonly redirects?: number
  /** `https://api.example.com`: neither the request nor a redirect may leave it. */
  readonly origin?: string
  /** Of the decoded answer. */
  readonly maxBytes?: number
  /** From here to the last byte of the answer. */
  readonly timeoutMs?: number
  readonly signal?: AbortSignal
  /** Ask before the body is sent. */
  readonly expect?: '100-continue'
}

export interface Outgoing {
  readonly method: string
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>
  readonly body: Buffer | undefined
  readonly sensitive: ReadonlySet<string>
  readonly asksFirst: boolean
}

const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}$/
/** Node's own rule: what is left out would end the line, or cannot be sent as one byte. */
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/

/** They frame the message or belong to one connection; whoever sets them can smuggle a second request. */
const RESERVED: ReadonlySet<string> = new Set([
  ...['host', 'content-length', 'transfer-encoding', 'connection', 'keep-alive', 'proxy-connection'],
  ...['proxy-authorization', 'te', 'trailer', 'upgrade', 'expect', 'http2-settings'],
])
/** A tunnel, and two that send the caller's headers back. */
const NO_METHODS: ReadonlySet<string> = new Set(['CONNECT', 'TRACE', 'TRACK'])

const MAX_HEADERS = 100
const MAX_HEADER_BYTES = 16 * 1024

const SENSITIVE = ['authorization', 'cookie']

const invalid = (message: string, expected?: string): PawlError =>
  new PawlError('request_invalid', message, expected === undefined ? {} : { expected })

const methodOf = (given: string): string => {
  const method = given.toUpperCase()
  if (!TOKEN.test(method))
    throw new PawlError('template_value_forbidden', 'the method of a request is no word')
  if (NO_METHODS.has(method)) throw invalid(`the method ${method} is not allowed`)
  return method
}

const assertHeader = (name: string, value: unknown): void => {
  if (!TOKEN.test(name))
    throw new PawlError('template_value_forbidden', 'the name of a header is no word', {
      expected: 'letters, digits and hyphens',
    })
  if (RESERVED.has(name)) throw invalid(`the header "${name}" is written by Pawl and cannot be set`)
  if (typeof value !== 'string') throw invalid(`the header "${name}" is no text`)
  if (!VALUE.test(value))
    throw new PawlError(
      'template_value_forbidden',
      `the header "${name}" holds a line break, NUL or another character that no header may have`,
      { path: `headers.${name}` },
    )
}

const headersOf = (given: Readonly<Record<string, string>>): Map<string, string> => {
  const headers = new Map<string, string>()
  let bytes = 0
  for (const [key, value] of Object.entries(given)) {
    const name = key.toLowerCase()
    assertHeader(name, value)
    if (headers.has(name)) throw invalid(`the header "${name}" is given twice`)
    headers.set(name, value)
    bytes += name.length + value.length
  }
  if (headers.size > MAX_HEADERS || bytes > MAX_HEADER_BYTES)
    throw invalid(
      'a request has too many headers',
      `at most ${MAX_HEADERS} of ${MAX_HEADER_BYTES} bytes in all`,
    )
  return headers
}

const jsonText = (json: unknown): string | undefined => {
  try {
    return JSON.stringify(json)
  } catch {
    return undefined
  }
}

const bodyOf = ({ body, json }: EgressRequest): Buffer | undefined => {
  if (body !== undefined && json !== undefined)
    throw invalid('a request has both body and json', 'one of the two')
  const content = json === undefined ? body : jsonText(json)
  if (typeof content === 'string') return Buffer.from(content)
  if (content instanceof Uint8Array) return Buffer.from(content)
  if (json !== undefined) throw invalid('the json of a request is nothing that JSON can write')
  if (body !== undefined) throw invalid('the body of a request is neither text nor bytes')
  return undefined
}

const DEFAULTS: readonly (readonly [string, string])[] = [
  ['accept', '*/*'],
  ['accept-encoding', 'gzip, deflate, br'],
  ['user-agent', 'pawl'],
]

export const prepare = (request: EgressRequest): Outgoing => {
  const method = methodOf(
    request.method ?? (request.body === undefined && request.json === undefined ? 'GET' : 'POST'),
  )
  const headers = new Map([...DEFAULTS, ...headersOf(request.headers ?? {})])
  const body = bodyOf(request)
  if (request.json !== undefined && !headers.has('content-type'))
    headers.set('content-type', 'application/json')
  const sensitive = new Set([...SENSITIVE, ...(request.sensitive ?? []).map((name) => name.toLowerCase())])
  return {
    method,
    headers,
    body,
    sensitive,
    asksFirst: request.expect === '100-continue' && body !== undefined,
  }
}
