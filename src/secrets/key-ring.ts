// Owns the keys that secrets are sealed with: read from text once, weak ones refused, the first is current. What was
// sealed with an older one stays readable as long as that one is in the ring.
// K1  No error and no print of a ring shows a key.

import { createHash, createSecretKey, type KeyObject } from 'node:crypto'
import type { PawlError } from '../core/errors.ts'
import { refusal } from './refusal.ts'

export interface KeyRing {
  /** The id of the key that new secrets are sealed with. */
  readonly current: string
  readonly keys: ReadonlyMap<string, KeyObject>
}

/** The texts of PAWL_SECRETS_KEY and PAWL_SECRETS_KEYS, unread. */
export interface KeyTexts {
  /** One key. */
  readonly key?: string | undefined
  /** `id:key,id:key`: the first is current, unless `key` is given. */
  readonly keys?: string | undefined
}

const KEY_BYTES = 32
const MAX_KEYS = 16
const ID = /^[a-z0-9][a-z0-9_-]{0,31}$/
const HEX = /^[0-9a-f]{64}$/i
const BASE64 = /^[A-Za-z0-9+/_-]{43}=?$/
const EXPECTED = '32 random bytes in base64 or hex, as `openssl rand -base64 32` prints them'

/** Undefined when neither is set: then secrets can be read from the environment and files, and none stored. */
export const parseKeyRing = ({ key, keys }: KeyTexts): KeyRing | undefined => {
  const entries: (readonly [string, KeyObject])[] = []
  if (isSet(key)) {
    const bytes = parseKey(key.trim(), 'PAWL_SECRETS_KEY')
    entries.push([idOf(bytes), createSecretKey(bytes)])
  }
  if (isSet(keys)) entries.push(...keys.split(',').map(parseEntry))
  const [first] = entries
  if (first === undefined) return undefined
  if (entries.length > MAX_KEYS) throw invalid(`the ring holds ${entries.length} keys`, `at most ${MAX_KEYS}`)
  const ring = new Map(entries)
  if (ring.size < entries.length)
    throw invalid('two keys of PAWL_SECRETS_KEYS have one id', 'an id of its own for every key')
  return { current: first[0], keys: ring }
}

const isSet = (text: string | undefined): text is string => text !== undefined && text.trim() !== ''

const parseEntry = (entry: string, index: number): readonly [string, KeyObject] => {
  const place = `key ${index + 1} of PAWL_SECRETS_KEYS`
  const [id = '', text = '', ...more] = entry.trim().split(':')
  // The id is not quoted: without its colon it would be the key.
  if (!ID.test(id) || text === '' || more.length > 0)
    throw invalid(`${place} cannot be read`, 'id:key, the id in lower case, such as 2026-11:…')
  return [id, createSecretKey(parseKey(text, place))]
}

const parseKey = (text: string, place: string): Buffer => {
  const bytes = HEX.test(text) ? Buffer.from(text, 'hex') : BASE64.test(text) && Buffer.from(text, 'base64')
  if (!bytes || bytes.length !== KEY_BYTES)
    throw invalid(
      `${place} is not 32 bytes in base64 or hex (it is ${text.length} characters long)`,
      EXPECTED,
    )
  if (isWeak(bytes)) throw invalid(`${place} is not random`, EXPECTED)
  return bytes
}

/**
 * What people type instead of drawing it: zeros, a pattern, a count, a sentence. Of 32 random bytes fewer than 17 are
 * different once in 10^8 keys, all are printable once in 10^13.
 */
const isWeak = (bytes: Buffer): boolean => {
  const steps = bytes.map((byte, index) => byte - bytes.at(index - 1)!).subarray(1)
  const printable = bytes.every((byte) => byte >= 0x20 && byte < 0x7f)
  return new Set(bytes).size <= KEY_BYTES / 2 || new Set(steps).size <= 2 || printable
}

/** The same key has the same id on every machine. A hash of 256 random bits gives nothing away. */
const idOf = (bytes: Buffer): string =>
  `k${createHash('sha256').update('pawl key id').update(bytes).digest('hex').slice(0, 12)}`

const invalid = (message: string, expected: string): PawlError =>
  refusal('secrets_key_invalid', message, { expected })
