// Owns the reading of a URL that someone gave us: http or https, a host, a port, no credentials, no spelling that
// another reader would take for a different place. Whether the place may be reached is guard.ts.

import { PawlError } from '../core/errors.ts'
import { type Host, hostOf } from './host.ts'

export interface Destination {
  readonly isSecure: boolean
  readonly host: Host
  readonly port: number
  /** As the Host header has it: the port only where it is not the scheme's own. */
  readonly authority: string
  readonly origin: string
  /** Path and query: what the request line asks for. */
  readonly path: string
}

const MAX_URL = 16 * 1024

const forbidden = (message: string): PawlError =>
  new PawlError('destination_forbidden', message, { expected: 'https://host/path' })

/** Never quotes the text: a URL may hold a secret anywhere behind its host. */
const assertPlain = (text: string): void => {
  if (text.length > MAX_URL) throw forbidden(`a URL has more than ${MAX_URL} characters`)
  // URL would drop tabs and line breaks silently, so that what was checked is not what was written.
  if (/\p{Cc}/u.test(text))
    throw new PawlError('template_value_forbidden', 'a URL holds a line break or another control character')
  const scheme = /^[a-z][a-z0-9+.-]*(?=:)/i.exec(text)?.[0].toLowerCase()
  if (scheme !== 'http' && scheme !== 'https')
    throw forbidden(
      scheme === undefined ? 'a URL has no scheme' : `the scheme "${scheme.slice(0, 80)}:" is not allowed`,
    )
  const authority = /^[a-z]+:\/\/([^/?#\\]+)(?=$|[/?#])/i.exec(text)?.[1]
  if (authority === undefined || /^[^?#]*\\/.test(text))
    throw forbidden('a URL is not written as scheme://host/path')
  if (authority.includes('@'))
    throw forbidden('a URL carries credentials before its host: send them in a header')
}

export const readDestination = (text: string): Destination => {
  assertPlain(text)
  if (!URL.canParse(text)) throw forbidden('a URL has a host or a port that cannot be read')
  const url = new URL(text)
  const isSecure = url.protocol === 'https:'
  const host = hostOf(url.hostname)
  const authority = url.port === '' ? host.text : `${host.text}:${url.port}`
  return {
    isSecure,
    host,
    port: url.port === '' ? (isSecure ? 443 : 80) : Number(url.port),
    authority,
    origin: `${url.protocol}//${authority}`,
    path: `${url.pathname}${url.search}`,
  }
}
