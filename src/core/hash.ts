// Owns hashing without a platform: SHA-256 for identities (keys, versions, chains), base32 to print them, and a
// 32-bit spread for jitter. All are pure functions of the text, so every process and every replay agrees.

/** UTF-8; a lone surrogate becomes U+FFFD, as TextEncoder does it. */
const utf8 = (text: string): number[] => {
  const bytes: number[] = []
  for (const char of text) {
    const point = char.codePointAt(0)!
    const lone = char.length === 1 && point >= 0xd800 && point <= 0xdfff
    pushUtf8(bytes, lone ? 0xfffd : point)
  }
  return bytes
}

const pushUtf8 = (bytes: number[], point: number): void => {
  if (point < 0x80) bytes.push(point)
  else if (point < 0x800) bytes.push(0xc0 | (point >> 6), tail(point))
  else if (point < 0x10000) bytes.push(0xe0 | (point >> 12), tail(point >> 6), tail(point))
  else bytes.push(0xf0 | (point >> 18), tail(point >> 12), tail(point >> 6), tail(point))
}

const tail = (bits: number): number => 0x80 | (bits & 0x3f)

/** The first 32 bits of the fractional part of a root, as FIPS 180-4 derives its constants. */
const fraction = (root: number): number => ((root - Math.floor(root)) * 2 ** 32) | 0

const primes = (count: number): readonly number[] => {
  const found: number[] = []
  for (let candidate = 2; found.length < count; candidate++)
    if (found.every((prime) => candidate % prime !== 0)) found.push(candidate)
  return found
}

const INITIAL: readonly number[] = primes(8).map((prime) => fraction(Math.sqrt(prime)))
const ROUND: readonly number[] = primes(64).map((prime) => fraction(Math.cbrt(prime)))

const rotate = (word: number, by: number): number => (word >>> by) | (word << (32 - by))

/** Message, a 1 bit, zeros, and the length in bits, filled up to whole 64-byte blocks. */
const padded = (message: readonly number[]): DataView => {
  const view = new DataView(new ArrayBuffer(Math.ceil((message.length + 9) / 64) * 64))
  message.forEach((byte, index) => {
    view.setUint8(index, byte)
  })
  view.setUint8(message.length, 0x80)
  view.setBigUint64(view.byteLength - 8, BigInt(message.length) * 8n)
  return view
}

const schedule = (block: DataView, offset: number): Int32Array => {
  const words = new Int32Array(64)
  for (let i = 0; i < 16; i++) words[i] = block.getInt32(offset + i * 4)
  for (let i = 16; i < 64; i++) {
    const early = words[i - 15]!
    const late = words[i - 2]!
    const mixedEarly = rotate(early, 7) ^ rotate(early, 18) ^ (early >>> 3)
    const mixedLate = rotate(late, 17) ^ rotate(late, 19) ^ (late >>> 10)
    words[i] = words[i - 16]! + mixedEarly + words[i - 7]! + mixedLate
  }
  return words
}

const compress = (state: Int32Array, words: Int32Array): void => {
  let a = state[0]!
  let b = state[1]!
  let c = state[2]!
  let d = state[3]!
  let e = state[4]!
  let f = state[5]!
  let g = state[6]!
  let h = state[7]!
  for (let i = 0; i < 64; i++) {
    const choice = (e & f) ^ (~e & g)
    const majority = (a & b) ^ (a & c) ^ (b & c)
    const first = h + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + choice + ROUND[i]! + words[i]!
    const second = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + majority
    h = g
    g = f
    f = e
    e = (d + first) | 0
    d = c
    c = b
    b = a
    a = (first + second) | 0
  }
  ;[a, b, c, d, e, f, g, h].forEach((word, index) => {
    state[index]! += word
  })
}

export const sha256 = (text: string): Uint8Array => {
  const message = padded(utf8(text))
  const state = Int32Array.from(INITIAL)
  for (let offset = 0; offset < message.byteLength; offset += 64) compress(state, schedule(message, offset))
  const digest = new DataView(new ArrayBuffer(32))
  state.forEach((word, index) => {
    digest.setInt32(index * 4, word)
  })
  return new Uint8Array(digest.buffer)
}

export const sha256Hex = (text: string): string =>
  Array.from(sha256(text), (byte) => byte.toString(16).padStart(2, '0')).join('')

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567'

/** RFC 4648 in lower case, without padding: safe in a URL, a file name and a double click. */
export const base32 = (bytes: Uint8Array): string => {
  let text = ''
  let bits = 0
  let held = 0
  for (const byte of bytes) {
    held = ((held << 8) | byte) & 0xfff
    bits += 8
    while (bits >= 5) {
      bits -= 5
      text += ALPHABET[(held >> bits) & 31]
    }
  }
  return bits === 0 ? text : text + ALPHABET[(held << (5 - bits)) & 31]
}

/** FNV-1a: reads a text from a position on, after what was read before. */
export const readOn = (hash: number, text: string, from = 0): number => {
  let read = hash
  for (let i = from; i < text.length; i++) read = Math.imul(read ^ text.charCodeAt(i), 0x01000193)
  return read
}

/** Where FNV-1a begins. */
export const UNREAD = 0x811c9dc5

/** The 32-bit finaliser of MurmurHash3, in which every input bit flips every output bit about half the time. */
export const mixed = (hash: number): number => {
  let mix = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  mix = Math.imul(mix ^ (mix >>> 13), 0xc2b2ae35)
  return (mix ^ (mix >>> 16)) >>> 0
}

/**
 * A number in [0, 1) that looks random and is the same for the same text. FNV-1a reads the text; on its own it leaves
 * keys that differ in their last character next to each other (`a#1`, `a#2`: exactly the keys jitter uses), so it is mixed.
 */
export const spread = (text: string): number => mixed(readOn(UNREAD, text)) / 2 ** 32
