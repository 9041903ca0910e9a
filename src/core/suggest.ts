// Owns "did you mean": the nearest known word to one that is not known.

/** Edits (insert, delete, replace, swap neighbours) that turn one word into the other. */
export const distance = (from: string, to: string): number => {
  let before: readonly number[] = []
  let previous: readonly number[] = Array.from({ length: to.length + 1 }, (_, column) => column)
  for (let row = 1; row <= from.length; row++) {
    const current = [row]
    for (let column = 1; column <= to.length; column++) {
      const same = from[row - 1] === to[column - 1]
      let best = Math.min(
        previous[column]! + 1,
        current[column - 1]! + 1,
        previous[column - 1]! + (same ? 0 : 1),
      )
      const swapped =
        row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
      if (swapped) best = Math.min(best, before[column - 2]! + 1)
      current.push(best)
    }
    before = previous
    previous = current
  }
  return previous[to.length]!
}

/** The known word within a third of its length (at least two edits), or undefined. Case does not count. */
export const nearest = (word: string, known: Iterable<string>): string | undefined => {
  if (word.length > 64) return undefined
  let best: string | undefined
  let bestDistance = Number.POSITIVE_INFINITY
  for (const candidate of known) {
    const edits = distance(word.toLowerCase(), candidate.toLowerCase())
    const allowed = Math.max(2, Math.floor(candidate.length / 3))
    if (edits <= allowed && edits < bestDistance && edits < candidate.length) {
      best = candidate
      bestDistance = edits
    }
  }
  return best
}
