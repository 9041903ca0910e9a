// Owns the name of a store: `str_` and a ULID, drawn once when the store is made. It is part of every idempotency key,
// so it must never be given to two stores; the time part only sorts.

import { sha256 } from '../core/hash.ts'
import { ulid } from '../core/ulid.ts'

/** `entropy` is any text of at least 80 random bits: hashed, so that its spelling does not matter. */
export const newStoreId = (now: number, entropy: string): string => `str_${ulid(now, sha256(entropy))}`
