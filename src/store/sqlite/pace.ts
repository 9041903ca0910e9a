// Owns what is expected of the disk: how long the next wait for it will take, by those before. One that was slow counts at once
// and is forgotten slowly: of what is beyond the usual an eighth goes with each that was quicker.

export interface Pace {
  /** May the event loop be held for the next wait? */
  readonly isQuick: () => boolean
  readonly note: (ms: number) => void
}

/** A wait of this long in the event loop is no worse than a transaction. */
const QUICK_MS = 1
/** As long as nothing is known: about twenty quick ones have to be seen. */
const UNKNOWN_MS = 10
const FORGOTTEN = 1 / 8

export const createPace = (): Pace => {
  let expected = UNKNOWN_MS
  return {
    isQuick: () => expected < QUICK_MS,
    note: (ms) => {
      expected = ms > expected ? ms : expected + (ms - expected) * FORGOTTEN
    },
  }
}
