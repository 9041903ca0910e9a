// Owns the end of a process that serves or works: the first signal lets what runs finish, the second ends it at once.

import { EXIT } from './fail.ts'

const SIGNALS = ['SIGTERM', 'SIGINT'] as const

/** A longest wait that Node can count. */
const LONG_MS = 2 ** 31 - 1

/** Signals and drains alone do not keep a process alive. Returns how to let it end. */
export const stayAlive = (): (() => void) => {
  const interval = setInterval(() => undefined, LONG_MS)
  return () => clearInterval(interval)
}

/** Resolves with the signal that asked for the end. A second one ends the process there and then. */
export const untilAsked = (): Promise<(typeof SIGNALS)[number]> =>
  new Promise((resolve) => {
    let count = 0
    for (const signal of SIGNALS)
      process.on(signal, () => {
        count += 1
        if (count > 1) process.exit(signal === 'SIGINT' ? EXIT.interrupted : EXIT.terminated)
        resolve(signal)
      })
  })
