// Owns "did you mean": the nearest known word to one that is not known.

/**
 * The fewest edits (insert, delete, replace, swap neighbours) that turn one word into the other. Letters may come
 * between two that were swapped (Damerau's distance, not its common short cut), which makes it a metric.
 */
export const distance = (from: string, to: string): number => {
  const rows: number[][] = [Array.from({ length: to.length + 1 }, (_, column) => column)]
  const lastRowOf = new Map<string, number>()
  for (let row = 1; row <= from.length; row++) {
    const above = rows[row - 1]!
    const current = [row]
    let lastMatch = 0
    for (let column = 1; column <= to.length; column++) {
      const same = from[row - 1] === to[column - 1]
      const swapRow = lastRowOf.get(to[column - 1]!) ?? 0
      const swapped =
        swapRow > 0 && lastMatch > 0
          ? rows[swapRow - 1]![lastMatch - 1]! + (row - swapRow) + (column - lastMatch) - 1
          : Number.POSITIVE_INFINITY
      current.push(
        Math.min(above[column]! + 1, current[column - 1]! + 1, above[column - 1]! + (same ? 0 : 1), swapped),
      )
      if (same) lastMatch = column
    }
    rows.push(current)
    lastRowOf.set(from[row - 1]!, row)
  }
  return rows[from.length]![to.length]!
}

const MAX_WORD = 64

/** The known word within a third of its length (at least two edits), or undefined. Case does not count. */
export const nearest = (word: string, known: Iterable<string>): string | undefined => {
  if (word.length > MAX_WORD) return undefined
  const given = word.toLowerCase()
  let best: string | undefined
  let bestDistance = Number.POSITIVE_INFINITY
  for (const candidate of known) {
    const allowed = Math.max(2, Math.floor(candidate.length / 3))
    // No fewer edits than the lengths differ: a long candidate costs nothing.
    if (candidate.length - given.length > allowed) continue
    const edits = distance(given, candidate.toLowerCase())
    if (edits <= allowed && edits < bestDistance && edits < candidate.length) {
      best = candidate
      bestDistance = edits
    }
  }
  return best
}
