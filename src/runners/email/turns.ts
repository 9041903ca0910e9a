// Owns taking turns: so many at a time, first come first served. Who waits may stop waiting; its place is not lost.

import { untilAborted } from '../../egress/deadline.ts'

export interface Turns {
  /** Resolves when it is one's turn, with what ends it; rejects with the signal's reason. */
  readonly take: (signal: AbortSignal) => Promise<() => void>
  /** Nobody has a turn, and nobody waits. */
  readonly isIdle: () => boolean
}

export const createTurns = (limit: number): Turns => {
  const waiting: (() => void)[] = []
  let taken = 0

  /** The turn goes to who waits longest. */
  const pass = (): void => {
    const next = waiting.shift()
    if (next === undefined) taken--
    else next()
  }
  const wait = async (signal: AbortSignal): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>()
    waiting.push(resolve)
    try {
      await untilAborted(promise, signal)
    } catch (reason) {
      const at = waiting.indexOf(resolve)
      // Not among those who wait: the turn came at the same moment, and goes on.
      if (at === -1) pass()
      else waiting.splice(at, 1)
      throw reason
    }
  }

  return {
    take: async (signal) => {
      if (taken < limit) taken++
      else await wait(signal)
      return pass
    },
    isIdle: () => taken === 0 && waiting.length === 0,
  }
}
