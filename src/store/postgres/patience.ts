// Owns trying again: what was overtaken or deadlocked was undone whole and is begun again soon, what lost its connection
// before anything was committed is begun again when there is one. Whose outcome is unknown is never begun again.

import type { Timers } from '../timers.ts'
import { isUnknown } from './connections.ts'
import { faultOf, storeError } from './faults.ts'

export interface Patience {
  readonly timers: Timers
  /** A number in [0, 1). */
  readonly jitter: () => number
  /** How long a server that is away is waited for, in milliseconds of waiting. */
  readonly awayMs: number
}

const MAX_RACES = 20
const RACE_MS = 5
const FIRST_MS = 25
const LAST_MS = 1000

/** `attempt` is told how many races were lost before. Throws PawlErrors only, or what is a member's own. */
export const patiently = async <Value>(
  { timers, jitter, awayMs }: Patience,
  attempt: (races: number) => Promise<Value>,
): Promise<Value> => {
  let races = 0
  let waited = 0
  let pause = FIRST_MS
  for (;;)
    try {
      return await attempt(races)
    } catch (error) {
      const fault = faultOf(error)
      const isRace = fault === 'again'
      if (isRace && races < MAX_RACES) {
        races += 1
        await timers.sleep(1 + jitter() * RACE_MS * races)
        continue
      }
      const isAway = fault === 'lost' && !isUnknown(error)
      if (!isAway || waited >= awayMs) throw fault === 'member' ? error : storeError(error)
      const ms = pause * (0.5 + jitter())
      await timers.sleep(ms)
      waited += ms
      pause = Math.min(pause * 2, LAST_MS)
    }
}
