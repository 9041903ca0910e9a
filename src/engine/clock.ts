// Owns time: the only place that reads a clock. Due times, backoff and `{{now}}` follow `now`, which may be virtual;
// timeouts, leases and heartbeats follow `monotonic`, which never is outside a simulation (KERNEL §7).

import type { Clocks } from '../store/store.ts'
import type { Timers } from '../store/timers.ts'

export interface EngineTimers extends Timers {
  /** Calls back once. Keeps the process alive no longer than anything else does. Returns how to stop it. */
  readonly after: (ms: number, call: () => void) => () => void
}

export interface Clock {
  /** Epoch milliseconds, as `decide` and the rows see them. */
  readonly now: () => number
  /** What the store is told: nothing when the database's own clock is meant. */
  readonly clocks: () => Clocks
  readonly monotonic: () => number
  readonly timers: EngineTimers
}

/** A longer wait fires at once in Node (B22); whoever waits this long looks again and waits on. */
const LONGEST_WAIT = 2 ** 31 - 1

export const realTimers: EngineTimers = {
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, Math.min(ms, LONGEST_WAIT))),
  turn: () => new Promise((resolve) => setImmediate(resolve)),
  every: (ms, tick) => {
    const interval = setInterval(tick, ms).unref()
    return () => clearInterval(interval)
  },
  after: (ms, call) => {
    const timeout = setTimeout(call, Math.max(0, Math.min(ms, LONGEST_WAIT))).unref()
    return () => clearTimeout(timeout)
  },
}

const OWN_CLOCKS: Clocks = {}

export const realClock: Clock = {
  now: () => Date.now(),
  clocks: () => OWN_CLOCKS,
  monotonic: () => performance.now(),
  timers: realTimers,
}

export interface VirtualClock extends Clock {
  /** Never backwards. */
  readonly set: (instant: number) => void
}

/** `now` stands still until it is set; leases and timeouts go on in real time. */
export const createVirtualClock = (start: number): VirtualClock => {
  let now = start
  return {
    ...realClock,
    now: () => now,
    clocks: () => ({ now }),
    set: (instant) => {
      now = Math.max(now, instant)
    },
  }
}
