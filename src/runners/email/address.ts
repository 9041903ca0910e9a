// Owns what an address is (S22): one reading, narrower than RFC 5322, because every reading that is wider is read
// differently by the next server. No quoted local part, comments, groups, routes or address literals.
// A1  What is read holds only ASCII and no character that means something to SMTP or to a header.

import { readHost } from '../../egress/host.ts'
import { assertLine } from './header-text.ts'
import { quoted, refusal } from './refusal.ts'

export interface Mailbox {
  readonly address: string
  readonly name?: string
}

export type MailboxInput = string | { readonly address: string; readonly name?: string | undefined }

/** RFC 5321 §4.5.3.1: 64 before the @; 256 with the angle brackets, which leaves 254. */
const MAX_LOCAL = 64
const MAX_ADDRESS = 254
const MAX_NAME = 100

/** RFC 5322's dot-atom, less what old relays route by (% and !) and what shells and templates read (| ` { }). */
const LOCAL = /^[A-Za-z0-9#$&'*+/=?^_~-]+(?:\.[A-Za-z0-9#$&'*+/=?^_~-]+)*$/
/** Letters of any language, to be folded to ASCII; nothing that a URL would read as something else. */
const DOMAIN = /^[\p{L}\p{M}\p{N}.-]+$/u
/** `Ada Lovelace <ada@example.com>`, with a name that needs no quoting. */
const NAMED = /^(?<name>[^<>"@,;:\\()[\]]+) <(?<address>[^<>\s]+)>$/u

const invalid = (text: string, path: string, why: string) =>
  refusal('INVALID_EMAIL', path, `${quoted(text)} is no mail address: ${why}`)

/** The domain as DNS knows it, or undefined. */
const readDomain = (text: string): string | undefined => {
  if (!DOMAIN.test(text) || text.endsWith('.')) return undefined
  try {
    const { kind, text: name } = readHost(text)
    return kind === 'name' && name.includes('.') ? name : undefined
  } catch {
    return undefined
  }
}

/** `local@domain`, the domain in ASCII. Only the domain is folded: in the local part case counts. */
export const readAddress = (text: string, path: string): string => {
  assertLine(text, path)
  const at = text.lastIndexOf('@')
  if (at < 1) throw invalid(text, path, 'it has no part before an @')
  const [local, host] = [text.slice(0, at), text.slice(at + 1)]
  if (local.length > MAX_LOCAL) throw invalid(text, path, `more than ${MAX_LOCAL} characters before the @`)
  if (!LOCAL.test(local))
    throw invalid(text, path, 'before the @ stand letters, digits and single dots, without quotes')
  const domain = text.length > MAX_ADDRESS ? undefined : readDomain(host)
  if (domain === undefined || at + 1 + domain.length > MAX_ADDRESS)
    throw invalid(text, path, `after the @ stands a domain name; at most ${MAX_ADDRESS} characters in all`)
  return `${local}@${domain}`
}

const named = (name: string | undefined, path: string): Pick<Mailbox, 'name'> => {
  if (name === undefined || name === '') return {}
  if (name.length > MAX_NAME)
    throw refusal('INVALID_EMAIL', `${path}.name`, `a name of more than ${MAX_NAME} characters`)
  return { name: assertLine(name, `${path}.name`) }
}

export const readMailbox = (input: MailboxInput, path: string): Mailbox => {
  if (typeof input !== 'string')
    return { address: readAddress(input.address, `${path}.address`), ...named(input.name, path) }
  const { name, address } = NAMED.exec(assertLine(input, path))?.groups ?? {}
  return { address: readAddress(address ?? input, path), ...named(name?.trim(), path) }
}

/** Two spellings of one mailbox, as far as anybody but its own server can tell. */
const sameness = ({ address }: Mailbox): string => address.toLowerCase()

/** Each mailbox once: an earlier list wins over a later one, because SendGrid refuses repetitions, and readers do too. */
export const withoutRepeats = <Lists extends readonly (readonly Mailbox[])[]>(...lists: Lists): Lists => {
  const seen = new Set<string>()
  return lists.map((list) =>
    list.filter((mailbox) => {
      const isNew = !seen.has(sameness(mailbox))
      seen.add(sameness(mailbox))
      return isNew
    }),
  ) as unknown as Lists
}
