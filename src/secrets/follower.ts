// Owns comparing one needle with one text where it seems to begin: Knuth, Morris and Pratt, so that all comparisons
// together cost the length of both, whatever they are made of. A tenant may choose a secret and an answer that agree
// for 60,000 characters at every place; comparing each place anew took half a minute.

/** End exclusive. */
interface Stretch {
  readonly start: number
  readonly end: number
}

/** Asked from left to right. What overlaps is one stretch; what was told once is not told again. */
export const createFollower = (text: string, needle: string): ((start: number) => readonly Stretch[]) => {
  let borders: Uint32Array | undefined
  let until = 0
  return (start) => {
    if (start < until || start + needle.length > text.length) return []
    borders ??= bordersOf(needle)
    const covered: { start: number; end: number }[] = []
    let matched = 0
    let at = start
    for (; at < text.length; at++) {
      while (matched > 0 && text[at] !== needle[matched]) matched = borders[matched - 1]!
      if (text[at] === needle[matched]) matched++
      // No beginning is pending: whatever is still to come begins after this place.
      if (matched === 0) break
      if (matched < needle.length) continue
      const [begin, last] = [at + 1 - needle.length, covered.at(-1)]
      if (last !== undefined && begin <= last.end) last.end = at + 1
      else covered.push({ start: begin, end: at + 1 })
      matched = borders[matched - 1]!
    }
    until = at
    return covered
  }
}

/** For every beginning of the needle: how long a shorter beginning it ends with. */
const bordersOf = (needle: string): Uint32Array => {
  const borders = new Uint32Array(needle.length)
  let length = 0
  for (let at = 1; at < needle.length; at++) {
    while (length > 0 && needle[at] !== needle[length]) length = borders[length - 1]!
    if (needle[at] === needle[length]) length++
    borders[at] = length
  }
  return borders
}
