// Owns the spelling of ids: 48 bits of time and 80 of chance in 26 letters that sort by time. Where the chance comes
// from is the caller's.

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

const timePart = (now: number): string => {
  let text = ''
  for (let rest = now; text.length < 10; rest = Math.floor(rest / 32)) text = CROCKFORD[rest % 32]! + text
  return text
}

/** The time is the same for many: it is spelt once for each millisecond. */
let spelt = { now: Number.NaN, text: '' }

/** `chance` gives 16 bytes at least, of which five bits each are used. */
export const ulid = (now: number, chance: Uint8Array): string => {
  if (spelt.now !== now) spelt = { now, text: timePart(now) }
  let text = spelt.text
  for (let index = 0; index < 16; index++) text += CROCKFORD[chance[index]! % 32]
  return text
}
