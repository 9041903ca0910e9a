// Owns the host of a destination: one spelling of it, and whether it is an address or a name. WHATWG's URL does the
// folding (case, IDN, fullwidth digits, percent signs), because what it makes of a host is what would be connected to.

import { PawlError } from '../core/errors.ts'
import { type Address, readAddress } from './address.ts'

export type Host =
  | { readonly kind: 'address'; readonly address: Address; readonly text: string }
  | { readonly kind: 'name'; readonly text: string }

/** A host is quoted, and nothing else of a URL: paths and queries hold secrets (a Slack hook is one). */
const forbidden = (host: string, why: string): PawlError =>
  new PawlError('destination_forbidden', `the host "${host.slice(0, 80)}" ${why}`, {
    expected: 'a name such as api.example.com, or a public address',
  })

const LABEL = /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/
/** More than RFC 1035 allows is no name that DNS could answer. */
const MAX_NAME = 253

const readName = (name: string): string => {
  const labels = name.split('.')
  if (name.length > MAX_NAME) throw forbidden(name, `has more than ${MAX_NAME} characters`)
  if (!labels.every((label) => LABEL.test(label))) throw forbidden(name, 'is no name that DNS could answer')
  return name
}

/** The host as URL writes it: `[::1]`, `127.0.0.1`, `example.com.` */
export const hostOf = (hostname: string): Host => {
  const address = readAddress(hostname.replace(/^\[(.*)\]$/, '$1'))
  if (address !== undefined)
    return { kind: 'address', address, text: address.family === 6 ? `[${address.text}]` : address.text }
  // One dot at the end says that the name is whole; DNS and certificates know it without.
  return { kind: 'name', text: readName(hostname.replace(/\.$/, '')) }
}

const UNUSUAL = /[\s/?#@\\%]|\p{Cc}/u

/** A host given by itself, as for SMTP. IPv6 with or without brackets. */
export const readHost = (text: string): Host => {
  if (text === '' || text.length > 4 * MAX_NAME || UNUSUAL.test(text)) throw forbidden(text, 'is no host')
  const isBareIpv6 = text.includes(':') && !text.startsWith('[')
  const url = `http://${isBareIpv6 ? `[${text}]` : text}/`
  if (!URL.canParse(url)) throw forbidden(text, 'is no host')
  const { hostname, port } = new URL(url)
  if (port !== '') throw forbidden(text, 'is no host')
  return hostOf(hostname)
}
