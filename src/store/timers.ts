// Waiting, as a store needs it. Whoever opens a store owns time and gives these in: real timers in production, stepped
// ones in a test. A store never reads a clock of its own; what it must know of the hour it asks its database.

export interface Timers {
  readonly sleep: (ms: number) => Promise<void>
  /** One turn of the event loop: what waits for it comes first. */
  readonly turn: () => Promise<void>
  /** Calls back again and again, and does not keep the process alive for it. Returns how to stop. */
  readonly every: (ms: number, tick: () => void) => () => void
}
