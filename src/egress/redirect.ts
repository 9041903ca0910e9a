// Owns where an answer of the 300s leads, and what of the request goes along: never to plain text after TLS, never off
// an origin the caller named, and no credentials to another origin. Whether the next place is public is the guard's.

import { PawlError } from '../core/errors.ts'
import { type Destination, readDestination } from './destination.ts'
import type { Answer } from './exchange.ts'
import type { Outgoing } from './request.ts'

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

export const isRedirect = ({ status, headers }: Answer): boolean =>
  REDIRECTS.has(status) && headers.has('location')

/** The request was answered, so the effect may have happened: never the refusal of a first hop. */
export const notFollowed = (why: string, cause?: unknown): PawlError =>
  new PawlError('redirect_not_followed', `a redirect was not followed: ${why}`, {}, cause)

/** Location may be relative (RFC 9110 §10.2.2); only a full URL is read the strict way. */
const absolute = (location: string, { origin, path }: Destination): string => {
  if (/^[a-z][a-z0-9+.-]*:/i.test(location)) return location
  if (/[\\]|\p{Cc}/u.test(location) || !URL.canParse(location, `${origin}${path}`))
    throw notFollowed('its location cannot be read')
  return new URL(location, `${origin}${path}`).href
}

export const nextDestination = (
  answer: Answer,
  from: Destination,
  origin: string | undefined,
): Destination => {
  const location = absolute(answer.headers.get('location')!, from)
  let next: Destination
  try {
    next = readDestination(location)
  } catch (cause) {
    throw notFollowed((cause as Error).message, cause)
  }
  if (from.isSecure && !next.isSecure) throw notFollowed(`it leads from https to ${next.origin}`)
  if (origin !== undefined && next.origin !== origin)
    throw notFollowed(`it leads to ${next.origin}, off ${origin}`)
  return next
}

const becomesGet = (status: number, method: string): boolean =>
  status === 303 ? method !== 'GET' && method !== 'HEAD' : method === 'POST' && status <= 302

/** What the next hop is sent: as browsers do it (fetch standard, HTTP-redirect fetch). */
export const nextOutgoing = (outgoing: Outgoing, status: number, isSameOrigin: boolean): Outgoing => {
  const isGet = becomesGet(status, outgoing.method)
  const headers = [...outgoing.headers].filter(
    ([name]) => (isSameOrigin || !outgoing.sensitive.has(name)) && !(isGet && name.startsWith('content-')),
  )
  const next = { ...outgoing, headers: new Map(headers) }
  return isGet ? { ...next, method: 'GET', body: undefined, asksFirst: false } : next
}
