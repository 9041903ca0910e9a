// Owns where a secret may be sent. A secret without hosts goes wherever its user says; one with hosts goes to these
// alone, checked where the request leaves (S20). Whether an address may be reached at all is the egress guard's.
// D1  Two spellings of one host (case, closing dot, international names) are one host; anything unclear is refused.

import type { PawlError } from '../core/errors.ts'
import { refusal } from './refusal.ts'
import type { Secret } from './secret.ts'

const MAX_HOSTS = 32
const EXPECTED = 'host names such as api.example.com, *.example.com or api.example.com:8443'

interface Host {
  /** Lower case, ASCII, no closing dot. */
  readonly name: string
  readonly port: string
}

/** The one spelling that is stored. `*.example.com` is every host below example.com, and not example.com itself. */
export const parseHosts = (hosts: readonly string[]): readonly string[] => {
  if (hosts.length === 0 || hosts.length > MAX_HOSTS)
    throw invalid(`${hosts.length} hosts are not possible`, `1 to ${MAX_HOSTS} hosts, or none given`)
  return [...new Set(hosts.map(parsePattern))]
}

/** `host` as in a URL: a name, with or without a port. Throws before a byte leaves. */
export const assertDestination = (used: Iterable<Secret>, host: string): void => {
  const to = parseHost(host)
  for (const { name, hosts } of used)
    if (hosts !== undefined && (to === undefined || !hosts.some((pattern) => covers(pattern, to))))
      throw refusal(
        'secret_destination_mismatch',
        `the secret ${name} may not be sent to "${host.slice(0, 80)}"`,
        { expected: hosts.join(', ') },
      )
}

const parsePattern = (text: string): string => {
  const wildcard = text.startsWith('*.')
  const host = parseHost(wildcard ? text.slice(2) : text)
  // A star over a whole top level, or over numbers, would bind to nothing anybody owns.
  if (host === undefined || (wildcard && !/\.[^.]*[a-z][^.]*$/.test(host.name)))
    throw invalid(`"${text.slice(0, 80)}" is no host`, EXPECTED)
  return `${wildcard ? '*.' : ''}${host.name}${host.port === '' ? '' : `:${host.port}`}`
}

/** Read as a URL reads it, so that this check and the request mean the same host. */
const parseHost = (text: string): Host | undefined => {
  if (!/^[^\s/\\?#@*%]+$/.test(text)) return undefined
  // The scheme is one without a default port: with https, an explicit :443 would be lost.
  const url = URL.parse(`ws-host://${text}`)
  const asWeb = URL.parse(`https://${text}`)
  if (url === null || asWeb === null || asWeb.hostname === '') return undefined
  return { name: asWeb.hostname.replace(/\.$/, ''), port: url.port }
}

const covers = (pattern: string, to: Host): boolean => {
  const wildcard = pattern.startsWith('*.')
  const bound = parseHost(wildcard ? pattern.slice(2) : pattern)
  if (bound === undefined || (bound.port !== '' && bound.port !== to.port)) return false
  return wildcard ? to.name.endsWith(`.${bound.name}`) : to.name === bound.name
}

const invalid = (message: string, expected: string): PawlError =>
  refusal('secret_invalid', message, { path: 'hosts', expected })
