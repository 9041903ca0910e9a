// Owns the end of an exchange: one signal for the caller's abort, the closing of the door and the time that ran out.
// A timer of Node runs on the monotonic clock, so a clock that is set does not move it.

export interface Deadline {
  /** Its reason is the caller's own, or what `late` gave. */
  readonly signal: AbortSignal
  /** Takes the timer and the listeners away. */
  readonly end: () => void
}

/** Beyond it a timer of Node fires at once. */
export const MAX_TIMEOUT_MS = 2 ** 31 - 1

export const createDeadline = (
  ms: number,
  outside: readonly (AbortSignal | undefined)[],
  late: () => Error,
): Deadline => {
  const own = new AbortController()
  const signals = outside.filter((signal) => signal !== undefined)
  const timer = setTimeout(() => own.abort(late()), Math.min(ms, MAX_TIMEOUT_MS))
  const follow = (event: Event): void => own.abort((event.target as AbortSignal).reason)
  for (const signal of signals) signal.addEventListener('abort', follow)
  const aborted = signals.find((signal) => signal.aborted)
  if (aborted !== undefined) own.abort(aborted.reason)
  return {
    signal: own.signal,
    end: () => {
      clearTimeout(timer)
      for (const signal of signals) signal.removeEventListener('abort', follow)
    },
  }
}

/** What the promise gives, or the signal's reason as soon as there is one. */
export const untilAborted = <T>(promise: Promise<T>, signal: AbortSignal): Promise<T> =>
  new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason)
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
