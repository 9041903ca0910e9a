// Owns the name of a store: `str_` and a ULID, drawn once when the store is made. It is part of every idempotency key,
// so it must never be given to two stores; the time part only sorts.

import { sha256 } from '../core/hash.ts'

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

const timePart = (now: number): string => {
  let text = ''
  for (let rest = now; text.length < 10; rest = Math.floor(rest / 32)) text = CROCKFORD[rest % 32] + text
  return text
}

/** `entropy` is any text of at least 80 random bits: hashed, so that its spelling does not matter. */
export const newStoreId = (now: number, entropy: string): string => {
  const random = Array.from(sha256(entropy).slice(0, 16), (byte) => CROCKFORD[byte % 32]).join('')
  return `str_${timePart(now)}${random}`
}
