// Owns what of a server's own words may be kept: printable, short, and without the credentials it was given (S44). A server
// may answer with what it was sent; what is thrown by this runner holds no other foreign text.

import { needlesOf } from '../../secrets/needles.ts'
import { createRedactor } from '../../secrets/redactor.ts'

const MAX_WORDS = 200

export type Words = (text: string) => string

/** `secrets`: what was sent to the server. If one is too short to be searched for, nothing is kept. */
export const wordsWithout =
  (secrets: readonly string[]): Words =>
  (text) => {
    if (secrets.some((secret) => needlesOf(secret).length === 0)) return ''
    const redactor = createRedactor()
    for (const value of secrets) redactor.learn({ name: 'email', value })
    // Cleaned before it is cut: half a secret is not recognised.
    const cleaned = redactor.clean(text)
    return cleaned
      .replace(/[\p{C}\s]+/gu, ' ')
      .trim()
      .slice(0, MAX_WORDS)
  }
