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

/** The letters that count in a series: a million, of which the first half may be skipped. */
const COUNTED = 4
const SKIPPED = 32 ** COUNTED / 2

/**
 * Many of one instant, in order: the letters before the last four are drawn once, and those count on from where chance has
 * them begin. Only the first of 16 bytes each are used, as by `ulid`.
 */
export const ulidSeries = (now: number, chance: Uint8Array): (() => string) => {
  const drawn = ulid(now, chance)
  const shared = drawn.slice(0, -COUNTED)
  let next = 0
  for (const letter of drawn.slice(-COUNTED)) next = next * 32 + CROCKFORD.indexOf(letter)
  next %= SKIPPED
  return () => {
    const number = next
    next += 1
    return (
      shared +
      CROCKFORD[(number >> 15) & 31] +
      CROCKFORD[(number >> 10) & 31] +
      CROCKFORD[(number >> 5) & 31] +
      CROCKFORD[number & 31]
    )
  }
}

/** `chance` gives 16 bytes at least, of which five bits each are used. */
export const ulid = (now: number, chance: Uint8Array): string => {
  if (spelt.now !== now) spelt = { now, text: timePart(now) }
  let text = spelt.text
  for (let index = 0; index < 16; index++) text += CROCKFORD[chance[index]! % 32]
  return text
}
