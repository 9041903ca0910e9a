// Owns the chance by which waits of a store are spread: drawn once, then derived, so that whoever gives the seed knows
// every wait that follows.

import { spread } from '../core/hash.ts'

/** From 0 up to 1, another with each call. */
export const jitterOf = (random: () => string): (() => number) => {
  const seed = random()
  let drawn = 0
  return () => spread(`${seed}#${drawn++}`)
}
