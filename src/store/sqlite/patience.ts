// Owns waiting for a file that others keep locked. busy_timeout is 0: waiting inside SQLite blocked the event loop for
// 4.6 s and starved processes 80 : 1. A busy file is asked again after a jittered pause, the sooner the longer it was waited
// for; and a writer that saw others at work pauses after its own commit too. So 8 processes share a file about 0.8 : 1.

import type { DatabaseSync } from 'node:sqlite'
import type { Timers } from '../timers.ts'
import { faultOf } from './faults.ts'
import { createLookout, NO_PARTNER, type Partner } from './others.ts'

export interface PatienceOptions {
  readonly timers: Timers
  /** A number in [0, 1). */
  readonly jitter: () => number
  /** Makes room on a full disk; false when there is none to make. */
  readonly relieve: () => boolean
  /** What this process writes by another connection. */
  readonly partner?: Partner
  /** How long a locked file is waited for, in milliseconds of waiting. */
  readonly busyMs: number
}

export interface Patience {
  /** Tries again while the file is busy, until the waiting adds up to too much. */
  readonly patiently: <Value>(attempt: () => Value) => Promise<Value>
  /** After a commit: a turn for the event loop, and for other processes when there are any. */
  readonly giveWay: () => Promise<void>
  /** Were others at work lately? */
  readonly areOthersAround: () => boolean
  /** One turn of the event loop. */
  readonly turn: () => Promise<void>
}

/** Others may be at work for this many transactions after they were last seen. */
const COURTESY = 8
const PAUSE_MS = 8

export const createPatience = (db: DatabaseSync, options: PatienceOptions): Patience => {
  const { timers, jitter, relieve, busyMs } = options
  const lookout = createLookout(db, options.partner ?? NO_PARTNER)
  let courtesy = 0

  const pause = async (tries: number): Promise<number> => {
    const ms = 1 + (jitter() * PAUSE_MS) / (1 + tries / 4)
    await timers.sleep(ms)
    return ms
  }
  const lookForOthers = (): void => {
    courtesy = lookout() === 'others' ? COURTESY : Math.max(courtesy - 1, 0)
  }
  const tryToLook = (): void => {
    try {
      lookForOthers()
    } catch {
      // Closed, or busy recovering: whoever comes next will be told.
    }
  }
  return {
    patiently: async (attempt) => {
      let waited = 0
      let isRelieved = false
      for (let tries = 0; ; tries++)
        try {
          return attempt()
        } catch (error) {
          if (faultOf(error) === 'full' && !isRelieved && relieve()) {
            isRelieved = true
            continue
          }
          if (faultOf(error) !== 'busy' || waited >= busyMs) throw error
          courtesy = COURTESY
          waited += await pause(tries)
        }
    },
    giveWay: async () => {
      tryToLook()
      await (courtesy > 0 ? pause(0) : timers.turn())
    },
    areOthersAround: () => {
      tryToLook()
      return courtesy > 0
    },
    turn: timers.turn,
  }
}
