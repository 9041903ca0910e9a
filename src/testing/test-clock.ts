// Owns time and chance of one test: a clock that stands until it is moved, for leases too, and ids that are counted
// instead of drawn, so that the same test writes the same rows every time.

import { createVirtualClock, type VirtualClock } from '../engine/clock.ts'
import { type Chance, createChance } from '../engine/random.ts'

export interface TestClock extends VirtualClock {
  /** A process was away for so long: leases run out meanwhile, nothing else moves. */
  readonly outlive: (ms: number) => void
}

export const createTestClock = (start: number): TestClock => {
  const clock = createVirtualClock(start)
  let away = 0
  return {
    ...clock,
    // Leases stand still with the test, or a slow machine would reap what a debugger looks at.
    clocks: () => ({ now: clock.now(), lease: clock.now() + away }),
    outlive: (ms) => {
      away += ms
    },
  }
}

/** Five bits a byte, the way ids are spelled: what is made later sorts later. */
export const countedChance = (): Chance => {
  let count = 0
  const chance = createChance((length) => {
    count += 1
    const bytes = new Uint8Array(length)
    for (let rest = count, at = length - 1; rest > 0 && at >= 0; rest = Math.floor(rest / 32), at--)
      bytes[at] = rest % 32
    return bytes
  })
  // A series would count on from the number of one draw, and meet the next.
  return { ...chance, series: (prefix, now) => () => chance.id(prefix, now) }
}
