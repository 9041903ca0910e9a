// Owns the spelling of ids: 48 bits of time and 80 of chance in 26 letters that sort by time. Where the chance comes
// from is the caller's.

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

const timePart = (now: number): string => {
  let text = ''
  for (let rest = now; text.length < 10; rest = Math.floor(rest / 32)) text = CROCKFORD[rest % 32]! + text
  return text
}

/** `chance` gives 16 bytes at least, of which five bits each are used. */
export const ulid = (now: number, chance: Uint8Array): string =>
  timePart(now) + Array.from(chance.subarray(0, 16), (byte) => CROCKFORD[byte % 32]).join('')
