// Owns places by name for what comes and goes with every step. A Map that is added to and deleted from makes itself a new
// table again and again, and each old one leads to the next: one of them that has grown old keeps alive, until the old
// generation is collected, all that was ever in those behind it. Here the tables hold numbers, and a place that is given
// back is empty. Together with forgetting what has ended (cache.ts) and with less to wait for in a step, the collector
// copies 15 KB for an execution of three steps where it copied 32.

export interface Pigeonholes<Value> {
  readonly size: () => number
  readonly get: (key: string) => Value | undefined
  /** A key that is there keeps its place among the others. */
  readonly set: (key: string, value: Value) => void
  readonly delete: (key: string) => void
  /** The key that has been there for longest. */
  readonly oldest: () => string | undefined
}

export const createPigeonholes = <Value>(): Pigeonholes<Value> => {
  const places = new Map<string, number>()
  const values: (Value | undefined)[] = []
  const free: number[] = []
  return {
    size: () => places.size,
    get: (key) => {
      const place = places.get(key)
      return place === undefined ? undefined : values[place]
    },
    set: (key, value) => {
      const place = places.get(key) ?? free.pop() ?? values.length
      places.set(key, place)
      values[place] = value
    },
    delete: (key) => {
      const place = places.get(key)
      if (place === undefined) return
      places.delete(key)
      values[place] = undefined
      free.push(place)
    },
    oldest: () => places.keys().next().value,
  }
}
