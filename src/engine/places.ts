// Owns those that are under way, in any order: each knows its own place, so that it leaves without being looked for, and the last
// takes the place that is left. A Map or Set that is added to and deleted from makes itself a new table again and again, and
// each old one leads to the next (pigeonholes.ts): what was in it outlives the young generation.

export interface Placed {
  /** Its own; -1 while it has none. */
  place: number
}

export interface Places<One extends Placed> {
  readonly size: () => number
  readonly has: (one: One) => boolean
  readonly add: (one: One) => void
  /** False: it was not there. */
  readonly delete: (one: One) => boolean
  /** Those that are there now, in a list of the caller's own. */
  readonly all: () => One[]
}

export const createPlaces = <One extends Placed>(): Places<One> => {
  const list: One[] = []
  const has = (one: One): boolean => list[one.place] === one
  return {
    size: () => list.length,
    has,
    add: (one) => {
      if (has(one)) return
      one.place = list.push(one) - 1
    },
    delete: (one) => {
      if (!has(one)) return false
      const last = list.pop()!
      if (last !== one) {
        list[one.place] = last
        last.place = one.place
      }
      one.place = -1
      return true
    },
    all: () => [...list],
  }
}
