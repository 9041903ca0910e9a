// Owns what a value looks like in a text: plain, in hex, in base64 wherever it begins. White space is left out, because
// views.ts leaves it out of the texts too. A needle is found, and hides, only as a whole.

/**
 * Shorter ones are not searched: five characters are guessed or met by chance (a year, `admin`), and hiding them
 * everywhere would make logs unreadable and tell that they are secret.
 */
export const MIN_LENGTH = 6

/** Each at least MIN_LENGTH long and free of white space; none when the value is too short to be searched. */
export const needlesOf = (value: string): readonly string[] => {
  const plain = value.replaceAll(/\s+/g, '')
  if (plain.length < MIN_LENGTH) return []
  const bytes = Buffer.from(value)
  const hex = bytes.toString('hex')
  const base64 = [0, 1, 2].map((offset) => base64Core(bytes, offset))
  return [...new Set([plain, hex, hex.toUpperCase(), ...base64, ...base64.map(urlSafe)])]
}

/** The characters that are the same whatever stands before and after: `offset` bytes modulo 3 stand before. */
const base64Core = (bytes: Uint8Array, offset: number): string => {
  const text = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64')
  return text.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6))
}

const urlSafe = (text: string): string => text.replaceAll('+', '-').replaceAll('/', '_')
