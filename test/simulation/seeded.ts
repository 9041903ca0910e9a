// Owns chance in a simulated world: everything that is drawn comes from the seed, so a seed is a whole story.

export interface Seeded {
  /** From 0 up to 1. */
  readonly fraction: () => number
  /** A whole number below. */
  readonly below: (bound: number) => number
  /** A whole number from … to, both included. */
  readonly between: (from: number, to: number) => number
  readonly chance: (probability: number) => boolean
  readonly pick: <Item>(items: readonly Item[]) => Item
  readonly bytes: (count: number) => Uint8Array
}

/** sfc32: 128 bits of state, passes PractRand, a dozen operations a draw. */
export const seeded = (seed: number): Seeded => {
  let [a, b, c, counter] = [0x9e37_79b9, 0x243f_6a88, seed | 0, 1]
  const word = (): number => {
    const drawn = (((a + b) | 0) + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = ((c << 21) | (c >>> 11)) + drawn
    return drawn >>> 0
  }
  // Neighbouring seeds are strangers only after the state has been stirred.
  for (let stirred = 0; stirred < 16; stirred++) word()
  const fraction = (): number => word() / 2 ** 32
  const below = (bound: number): number => Math.floor(fraction() * bound)
  return {
    fraction,
    below,
    between: (from, to) => from + below(to - from + 1),
    chance: (probability) => probability > 0 && fraction() < probability,
    pick: (items) => items[below(items.length)]!,
    bytes: (count) => Uint8Array.from({ length: count }, () => word() & 255),
  }
}
