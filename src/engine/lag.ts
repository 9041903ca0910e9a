// Owns the watch over the event loop: when it is held for a quarter of a second, heartbeats and timeouts are late too, and
// another claim would make it worse. Nothing is claimed until the loop keeps up or what runs here is done (F34).

import type { Clock } from './clock.ts'
import type { Log } from './log.ts'

export interface Lag {
  /** Was the loop held, and has it not kept up since? */
  readonly isLate: () => boolean
  readonly stop: () => void
}

export interface LagOptions {
  readonly clock: Clock
  readonly log: Log
  /** What may be to blame: the actions under way. */
  readonly suspects: () => readonly string[]
  readonly maxMs?: number
}

const MAX_MS = 250
const EVERY_MS = 100
const NAMED = 20

export const watchLag = ({ clock, log, suspects, maxMs = MAX_MS }: LagOptions): Lag => {
  let seenAt = clock.monotonic()
  let wasLate = false
  const lateness = (): number => clock.monotonic() - seenAt - EVERY_MS
  const stop = clock.timers.every(EVERY_MS, () => {
    const heldMs = Math.round(lateness())
    seenAt = clock.monotonic()
    wasLate = heldMs >= maxMs
    if (wasLate)
      log.warn('the event loop was held: nothing is claimed until it keeps up', {
        heldMs,
        underWay: suspects().slice(0, NAMED),
      })
  })
  return { isLate: () => wasLate || lateness() >= maxMs, stop }
}
