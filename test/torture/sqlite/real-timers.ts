// Real waiting, for processes that contend for one file.

import type { Timers } from '../../../src/store/timers.ts'

export const realTimers: Timers = {
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  turn: () => new Promise((resolve) => setImmediate(resolve)),
  every: (ms, tick) => {
    const timer = setInterval(tick, ms)
    timer.unref()
    return () => clearInterval(timer)
  },
}
