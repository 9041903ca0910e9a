// Owns the step from whatever a runner threw, or an HTTP answer it refused, to a Failure. Total: it never throws, for
// no input, not for a getter that does. Only type, message, code and status are read: raw errors carry request
// headers and stacks, so nothing else of them is kept (S44). Which attempt comes next is retry.ts.

import { ActionFailure, actionError, ERROR_TYPES, type Failure, retryableByType } from './action-error.ts'
import { explain, PawlError } from './errors.ts'
import { parseRetryAfter } from './retry-after.ts'

/** Libraries wrap: fetch's own error says "fetch failed" and its cause says why. A chain may be a ring. */
const MAX_CAUSES = 8

interface Class {
  readonly type: string
  /** Absent: the original message says more. */
  readonly message?: string
  readonly effect: Failure['effect']
}

const TIMEOUT: Class = { type: 'timeout', message: 'Request timed out', effect: 'unknown' }
const NETWORK: Class = { type: 'network_error', message: 'Network connection failed', effect: 'unknown' }
const MALFORMED: Class = { type: 'malformed_request', message: 'Malformed request', effect: 'none' }
const NOT_FOUND: Class = { type: 'not_found', message: 'Not found', effect: 'none' }
const UNAVAILABLE: Class = {
  type: 'service_unavailable',
  message: 'Service temporarily unavailable',
  effect: 'unknown',
}
const UNREACHED: Class = { type: 'network_error', effect: 'none' }
const UNKNOWN: Class = { type: 'unknown_error', effect: 'unknown' }

/** F-082…F-085, X-06. A status in the 400s and 503 say that the request was turned away. */
const BY_STATUS: ReadonlyMap<number, Class> = new Map([
  [400, MALFORMED],
  [401, { type: 'authentication_failed', message: 'Authentication failed', effect: 'none' }],
  [403, { type: 'authorization_failed', message: 'Insufficient permissions', effect: 'none' }],
  [404, NOT_FOUND],
  [405, MALFORMED],
  [408, { ...TIMEOUT, effect: 'none' }],
  [409, { type: 'conflict', message: 'Conflict', effect: 'none' }],
  [410, NOT_FOUND],
  [422, MALFORMED],
  [425, { ...TIMEOUT, effect: 'none' }],
  [429, { type: 'rate_limit', message: 'Rate limit exceeded', effect: 'none' }],
  [503, { ...UNAVAILABLE, effect: 'none' }],
])

const BY_HUNDRED: ReadonlyMap<number, Class> = new Map([
  [3, { type: 'redirect_not_followed', message: 'Redirect not followed', effect: 'unknown' }],
  [4, { ...UNKNOWN, effect: 'none' }],
])

const classOfStatus = (status: number): Class =>
  BY_STATUS.get(status) ?? BY_HUNDRED.get(Math.floor(status / 100)) ?? UNAVAILABLE

const every = (signs: readonly string[], as: Class): readonly (readonly [string, Class])[] =>
  signs.map((sign) => [sign, as] as const)

/** F-086, F-087, C-011, A-018: by `code`, else by `name`. */
const BY_SIGN: ReadonlyMap<string | undefined, Class> = new Map([
  ...every(['ECONNABORTED', 'ETIMEDOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT'], TIMEOUT),
  ...every(['UND_ERR_CONNECT_TIMEOUT'], { ...TIMEOUT, effect: 'none' }),
  ...every(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'], { ...NETWORK, effect: 'none' }),
  ...every(['ECONNRESET', 'EPIPE', 'EHOSTUNREACH', 'ENETUNREACH', 'ENETDOWN', 'UND_ERR_SOCKET'], NETWORK),
  ...every(['EAGAIN', 'EBUSY', 'EMFILE', 'ENFILE', 'ENOMEM', 'ENOSPC'], {
    type: 'temporary_failure',
    effect: 'unknown',
  }),
  ...every(['ENOENT'], { type: 'not_found', effect: 'unknown' }),
  ...every(['EACCES', 'EPERM', 'SecurityError'], { type: 'authorization_failed', effect: 'unknown' }),
  ...every(['ERR_INVALID_ARG_TYPE', 'ERR_INVALID_ARG_VALUE', 'ERR_INVALID_URL', 'ERR_OUT_OF_RANGE'], {
    type: 'invalid_configuration',
    effect: 'unknown',
  }),
])

const quietly = <T>(get: () => T): T | undefined => {
  try {
    return get()
  } catch {
    return undefined
  }
}

const read = (value: unknown, key: string | undefined): unknown =>
  quietly(() => (value as Readonly<Record<string, unknown>>)[key as string])

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

const messageOf = (link: unknown): string | undefined => text(link) ?? text(read(link, 'message'))

const codeOf = (link: unknown): string | undefined => {
  const code = read(link, 'code')
  return typeof code === 'number' ? String(code) : text(code)
}

/** The first link of the chain of which something is known. */
const first = <T>(chain: readonly unknown[], find: (link: unknown) => T | undefined): T | undefined => {
  for (const link of chain) {
    const found = quietly(() => find(link))
    if (found !== undefined) return found
  }
  return undefined
}

const causes = (failure: unknown): readonly unknown[] => {
  const chain: unknown[] = []
  for (let link = failure; link !== undefined && chain.length < MAX_CAUSES; link = read(link, 'cause'))
    chain.push(link)
  return chain
}

const failureOf = (chain: readonly unknown[], as: Class, code?: string): Failure => {
  const said = first(chain, (link) => {
    const retryable = read(link, 'retryable')
    return typeof retryable === 'boolean' ? retryable : undefined
  })
  const message = as.message ?? first(chain, messageOf) ?? code ?? 'The runner failed without a message'
  return {
    error: actionError({ type: as.type, message, retryable: said ?? retryableByType(as.type), code }),
    effect: as.effect,
  }
}

/** C-010: also when wrapped. */
const thrownOnPurpose = (chain: readonly unknown[]): Failure | undefined =>
  quietly(() => chain.find((link) => link instanceof ActionFailure)?.failure)

/** F-042: a runner's own mapping, `{type, message, retryable, code?, details?}`, thrown or returned. */
const alreadyMapped = (failure: unknown): Failure | undefined => {
  const type = text(read(failure, 'type'))
  const retryable = read(failure, 'retryable')
  if (type === undefined || typeof retryable !== 'boolean') return undefined
  const message = messageOf(failure) ?? type
  const details = read(failure, 'details')
  return {
    error: actionError({ type, message, retryable, code: codeOf(failure), details }),
    effect: 'unknown',
  }
}

/** With these nothing was opened, or the next thing that would have been was not. */
const NOTHING_LEFT: ReadonlySet<string> = new Set([
  'destination_forbidden',
  'path_must_be_relative',
  'request_invalid',
  'secret_destination_mismatch',
  'template_value_forbidden',
])

/** A code that is an error type too (F-080, S12…S21) keeps its name; any other says that the definition is wrong. */
const refusedByPawl = (chain: readonly unknown[]): Failure | undefined => {
  const refusal = quietly(() => chain.find((link) => link instanceof PawlError))
  if (refusal === undefined) return undefined
  const { code } = refusal
  const type = ERROR_TYPES.has(code) ? code : 'invalid_configuration'
  return {
    error: actionError({ type, message: explain(refusal), retryable: false, code }),
    effect: NOTHING_LEFT.has(code) ? 'none' : 'unknown',
  }
}

/** From 300 up: an exit code of a child process, at most 255, is called `status` too. */
const statusOf = (answer: unknown): number | undefined =>
  [read(answer, 'status'), read(answer, 'statusCode')].find(
    (status) => typeof status === 'number' && status >= 300 && status <= 999,
  ) as number | undefined

const headerOf = (answer: unknown, name: string): unknown => {
  const headers = read(answer, 'headers')
  const fromGetter = quietly(() => (headers as ReadonlyMap<string, unknown>).get(name))
  if (fromGetter !== undefined) return fromGetter
  const key = quietly(() => Object.keys(headers as object).find((each) => each.toLowerCase() === name))
  return read(headers, key)
}

const answered = (chain: readonly unknown[], now: number): Failure | undefined => {
  const answer = first(chain, (link) =>
    [read(link, 'response'), link].find((candidate) => statusOf(candidate) !== undefined),
  )
  const status = statusOf(answer)
  if (status === undefined) return undefined
  const failure = failureOf(chain, classOfStatus(status), `HTTP_${status}`)
  if (status !== 429 && status !== 503) return failure
  const retryAfterMs = quietly(() => parseRetryAfter(String(headerOf(answer, 'retry-after')), now))
  return retryAfterMs === undefined ? failure : { ...failure, retryAfterMs }
}

/** An error in `connect` never carried a byte of the request, whatever its code. */
const isUnreached = (link: unknown): boolean => read(link, 'syscall') === 'connect'

const coded = (chain: readonly unknown[]): Failure | undefined =>
  first(chain, (link) => {
    const code = codeOf(link)
    const as = BY_SIGN.get(code) ?? BY_SIGN.get(text(read(link, 'name')))
    return as && failureOf(chain, isUnreached(link) ? { ...as, effect: 'none' } : as, code)
  })

/** A code nobody named: a certificate that is not trusted, a word of some library. */
const guessed = (chain: readonly unknown[]): Failure => {
  const mentionsTimeout = chain.some((link) => messageOf(link)?.toLowerCase().includes('timeout'))
  const isBefore = chain.some(isUnreached)
  const as = mentionsTimeout ? TIMEOUT : isBefore ? UNREACHED : UNKNOWN
  return failureOf(chain, isBefore ? { ...as, effect: 'none' } : as, first(chain, codeOf))
}

/** `now` is for a Retry-After that names a date. */
export const classify = (failure: unknown, now: number): Failure => {
  const chain = causes(failure)
  return (
    thrownOnPurpose(chain) ??
    alreadyMapped(failure) ??
    refusedByPawl(chain) ??
    answered(chain, now) ??
    coded(chain) ??
    guessed(chain)
  )
}
