// Owns how often an address may come with a key that is not taken (S50): so many in a minute, then it waits, and what it
// brings is not even looked at. A key that was taken from that address lately still is: whoever shares a way out with a
// guesser is not shut out with them. All of it is this process's own.

import { PawlError } from '../core/errors.ts'

export interface Tries {
  /** Throws `rate_limited` where nothing may be tried any more. */
  readonly begin: (hash: string, from: string | undefined) => void
  /** What was begun counts as a failure until it is known to be none: many at once are many. */
  readonly taken: (hash: string, from: string | undefined) => void
}

interface Failures {
  readonly count: number
  readonly since: number
}

const MINUTE_MS = 60_000
/** As many addresses, and as many keys of an address, as are remembered. */
const MAX_KEPT = 10_000

const remember = <Value>(kept: Map<string, Value>, key: string, value: Value): void => {
  kept.delete(key)
  if (kept.size >= MAX_KEPT) kept.delete(kept.keys().next().value!)
  kept.set(key, value)
}

/** Where nobody has an address there is nobody to be held back. */
export const createTries = (perMinute: number, monotonic: () => number): Tries => {
  const failures = new Map<string, Failures>()
  const valid = new Map<string, true>()
  const failuresOf = (from: string): Failures => {
    const kept = failures.get(from)
    const now = monotonic()
    return kept === undefined || now - kept.since >= MINUTE_MS ? { count: 0, since: now } : kept
  }
  return {
    begin: (hash, from) => {
      if (from === undefined || valid.has(`${from} ${hash}`)) return
      const { count, since } = failuresOf(from)
      if (count < perMinute) return remember(failures, from, { count: count + 1, since })
      const wait = Math.max(1, Math.ceil((since + MINUTE_MS - monotonic()) / 1000))
      throw new PawlError('rate_limited', 'too many keys from this address were not valid', {
        expected: `at most ${perMinute} a minute`,
        headers: { 'retry-after': String(wait) },
      })
    },
    taken: (hash, from) => {
      if (from === undefined || valid.has(`${from} ${hash}`)) return
      remember(valid, `${from} ${hash}`, true)
      const { count, since } = failuresOf(from)
      if (count > 0) remember(failures, from, { count: count - 1, since })
    },
  }
}
