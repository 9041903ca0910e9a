// Owns remembering what was computed for a key. A memo keeps a few hundred keys; the one kept longest goes first.

export const MEMO_LIMIT = 500

export const memoise = <Key, Value extends object>(compute: (key: Key) => Value): ((key: Key) => Value) => {
  const kept = new Map<Key, Value>()
  return (key) => {
    const known = kept.get(key)
    if (known !== undefined) return known
    const value = compute(key)
    kept.set(key, value)
    if (kept.size > MEMO_LIMIT) kept.delete(kept.keys().next().value as Key)
    return value
  }
}
