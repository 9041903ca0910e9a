// Timers that pass by themselves, for a store under test that other processes or connections share: their time cannot be
// stepped.

import type { Timers } from '../store/timers.ts'

export const realTimers: Timers = {
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  turn: () => new Promise((resolve) => setImmediate(resolve)),
  every: (ms, tick) => {
    const interval = setInterval(tick, ms).unref()
    return () => clearInterval(interval)
  },
}
