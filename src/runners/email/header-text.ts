// Owns what may stand in a header of a mail (S21): nothing that would end its line, and of the headers themselves only
// those that do not say who sends what to whom.

import { refusal } from './refusal.ts'

/** The longest subject or header that is taken; RFC 5322 folds at 998, so this is many lines already. */
const MAX_TEXT = 2000
/** A header is folded at its spaces: a word that is longer than a line of 998 would make one that servers refuse. */
const MAX_WORD = 900
const MAX_HEADERS = 20

/** Line breaks of every kind, NUL, and half characters, which no charset can encode. */
const FORBIDDEN = /[\p{Cc}\p{Surrogate}\u2028\u2029]/u

export const assertLine = (text: string, path: string): string => {
  if (FORBIDDEN.test(text))
    throw refusal('template_value_forbidden', path, 'a line break, NUL or another control character')
  if (text.length > MAX_TEXT)
    throw refusal('template_value_forbidden', path, `more than ${MAX_TEXT} characters in one header`)
  if (text.split(' ').some(({ length }) => length > MAX_WORD))
    throw refusal('template_value_forbidden', path, `a word of more than ${MAX_WORD} characters in a header`)
  return text
}

const OPEN: ReadonlySet<string> = new Set([
  ...['auto-submitted', 'feedback-id', 'importance', 'in-reply-to', 'list-help', 'list-id'],
  ...['list-unsubscribe', 'list-unsubscribe-post', 'precedence', 'references'],
])
/** What mail servers and SendGrid keep for themselves. */
const CLOSED = /^x-(?:sg-|smtpapi$|original-|forwarded|envelope-)/

const isOpen = (name: string): boolean =>
  OPEN.has(name) || (/^x-[a-z0-9-]{1,70}$/.test(name) && !CLOSED.test(name))

export const readHeaders = (
  given: Readonly<Record<string, string>>,
  path: string,
): Readonly<Record<string, string>> => {
  const entries = Object.entries(given)
  if (entries.length > MAX_HEADERS)
    throw refusal('template_value_forbidden', path, `more than ${MAX_HEADERS} headers`)
  const seen = new Set<string>()
  for (const [name, value] of entries) {
    const key = name.toLowerCase()
    if (!isOpen(key) || seen.has(key))
      throw refusal(
        'template_value_forbidden',
        path,
        `a header that cannot be set, or is set twice; X-… and ${[...OPEN].join(', ')} can be`,
      )
    seen.add(key)
    assertLine(value, `${path}.${name}`)
  }
  return given
}
