// Owns the joining of a configured base URL with an endpoint that came from a definition or a template. The endpoint
// only ever extends the base: S17, where axios let it replace the host (CVE-2025-27152).

import { PawlError } from '../core/errors.ts'
import { readDestination } from './destination.ts'

const refused = (why: string): PawlError =>
  new PawlError('path_must_be_relative', `an endpoint ${why}`, {
    expected: 'a path below the base URL, such as /v1/messages',
  })

/** Servers differ in when they decode: `..%2f` is a step up to some of them. */
const stepsUp = (path: string): boolean =>
  path
    .replace(/%2e/gi, '.')
    .split(/[/\\]|%2f|%5c/i)
    .includes('..')

const assertRelative = (endpoint: string): void => {
  if (/\p{Cc}|^\s|\s$/u.test(endpoint))
    throw refused('holds a line break, a control character or a space at its end')
  if (/^[a-z][a-z0-9+.-]*:/i.test(endpoint))
    throw refused('is a whole URL; if it is a path with a colon, begin it with /')
  if (endpoint.startsWith('//')) throw refused('begins with // and so names a host')
  const path = endpoint.replace(/[?#].*$/s, '')
  if (path.includes('\\')) throw refused('holds a backslash, which some readers take for /')
  if (stepsUp(path)) throw refused('steps up with ..')
}

/** @example resolveEndpoint('https://api.example.com/v1', '/messages?page=2') // https://api.example.com/v1/messages?page=2 */
export const resolveEndpoint = (baseUrl: string, endpoint: string): string => {
  const base = readDestination(baseUrl)
  if (base.path.includes('?') || baseUrl.includes('#'))
    throw new PawlError('destination_forbidden', `the base URL at ${base.origin} has a query or a fragment`, {
      expected: 'scheme://host/path',
    })
  assertRelative(endpoint)
  const root = base.path.replace(/\/$/, '')
  const separator = endpoint === '' || /^[/?#]/.test(endpoint) ? '' : '/'
  const { origin, path } = readDestination(`${base.origin}${root}${separator}${endpoint}`)
  // The rules above make it so; this is what they are for.
  if (origin !== base.origin || !path.replace(/(?=\?|$)/, '/').startsWith(`${root}/`))
    throw refused(`leaves ${base.origin}`)
  return `${origin}${path}`
}
