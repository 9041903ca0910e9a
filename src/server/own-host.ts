// Owns who may call through a browser, with keys and without (S49): the Host must be this server's, and what changes
// something must not come from a page of another site. A name that was made to point here is not ours.

import { PawlError } from '../core/errors.ts'

export interface Called {
  readonly host: string | undefined
  readonly origin: string | undefined
  readonly fetchSite: string | undefined
  readonly isSafe: boolean
}

export interface OwnHosts {
  readonly isLoopback: boolean
  /** Further names: of a proxy in front, or in DNS. */
  readonly hosts: readonly string[]
}

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i
const HOST = /^(\[[0-9a-f:.]+\]|[^:/?#@\s]+)(?::(\d{1,5}))?$/i

export const isLoopbackHost = (host: string): boolean => LOOPBACK.test(host) || host === '::1'

const nameIn = (host: string): string | undefined => HOST.exec(host)?.[1]?.toLowerCase().replace(/\.$/, '')

const isOwn = (host: string | undefined, { isLoopback, hosts }: OwnHosts): boolean => {
  const name = host === undefined ? undefined : nameIn(host)
  if (name === undefined) return false
  const isNamed = hosts.some(
    (each) => each.toLowerCase() === name || each.toLowerCase() === host?.toLowerCase(),
  )
  if (isNamed || LOOPBACK.test(name)) return true
  // Bound to the world without a list of names: every request needs a key, which no page of others has.
  return !isLoopback && hosts.length === 0
}

const isSameSite = ({ origin, fetchSite, host }: Called): boolean => {
  if (fetchSite !== undefined && fetchSite !== 'same-origin' && fetchSite !== 'none') return false
  return origin === undefined || /^https?:\/\/(.+)$/i.exec(origin)?.[1]?.toLowerCase() === host?.toLowerCase()
}

export const assertOwnHost = (called: Called, own: OwnHosts): void => {
  if (!isOwn(called.host, own))
    throw new PawlError('misdirected', 'the Host header does not name this server', {
      expected: own.isLoopback
        ? 'localhost or 127.0.0.1, or one of the hosts it was given'
        : 'one of its hosts',
    })
  if (!called.isSafe && !isSameSite(called))
    throw new PawlError('cross_site', 'a page of another site may not change anything here')
}
