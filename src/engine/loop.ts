// Owns doing something again and again: at once while there is more to do, on a poke, and at the latest after a while.
// A pass that throws is told and tried again after a growing pause; no failure ends a loop (B13, F36).

import type { Clock } from './clock.ts'
import { type Log, messageOf } from './log.ts'
import type { Chance } from './random.ts'

export interface Loop {
  /** There may be something to do. */
  readonly poke: () => void
  /** Resolves when its first pass is over, whatever came of it. */
  readonly looked: Promise<void>
  /** Resolves when the pass under way is over; no other follows. */
  readonly stop: () => Promise<void>
}

export interface LoopOptions {
  readonly name: string
  readonly everyMs: number
  /** It begins when that has been, unless it is poked or that takes longer than it waits between passes. */
  readonly after?: Promise<void> | undefined
  /** Answers how much it did: more than nothing, and the next pass follows at once. */
  readonly pass: () => Promise<number>
  /** How long until there will be something to do, when that is sooner. */
  readonly untilNext?: () => Promise<number | undefined> | number | undefined
  readonly clock: Clock
  readonly chance: Chance
  readonly log: Log
}

const MAX_PAUSE_MS = 5000

/** A wait that can be ended early. */
const createNap = ({ timers }: Pick<Clock, 'timers'>) => {
  let wake: (() => void) | undefined
  return {
    wake: (): void => wake?.(),
    sleep: (ms: number): Promise<void> =>
      new Promise((resolve) => {
        const cancel = timers.after(ms, () => wake?.())
        wake = () => {
          wake = undefined
          cancel()
          resolve()
        }
      }),
  }
}

export const startLoop = (options: LoopOptions): Loop => {
  const { name, everyMs, after, pass, untilNext, clock, chance, log } = options
  const looked = Promise.withResolvers<void>()
  let isStopped = false
  let isPoked = false
  const { wake, sleep } = createNap(clock)
  const wait = (ms: number): Promise<void> => (isStopped || isPoked ? Promise.resolve() : sleep(ms))

  const turn = async (failures: number): Promise<number> => {
    try {
      isPoked = false
      const done = await pass().finally(looked.resolve)
      if (done > 0 || isPoked) await clock.timers.turn()
      else await wait(Math.min(everyMs, (await untilNext?.()) ?? everyMs))
      return 0
    } catch (error) {
      log.error(`${name} failed and is tried again`, { error: messageOf(error), failures: failures + 1 })
      isPoked = false
      await wait(Math.min(MAX_PAUSE_MS, 50 * 2 ** failures) * (0.5 + chance.fraction() / 2))
      return Math.min(failures + 1, 10)
    }
  }
  const run = async (): Promise<void> => {
    void after?.then(wake)
    if (after !== undefined) await wait(everyMs)
    for (let failures = 0; !isStopped; ) failures = await turn(failures)
  }
  const running = run()
  return {
    poke: () => {
      isPoked = true
      wake()
    },
    looked: looked.promise,
    stop: () => {
      isStopped = true
      wake()
      return running
    },
  }
}

/**
 * Loops that begin one after the other. All at once each would make a connection of its own, and the first action waited 38 ms
 * for its turn among them instead of 15.
 */
export const loopsInTurn = (parts: Pick<LoopOptions, 'clock' | 'chance' | 'log'>) => {
  let before: Promise<void> | undefined
  return (
    name: string,
    everyMs: number,
    pass: LoopOptions['pass'],
    untilNext?: LoopOptions['untilNext'],
  ): Loop => {
    const loop = startLoop({ name, everyMs, after: before, pass, ...(untilNext && { untilNext }), ...parts })
    before = loop.looked
    return loop
  }
}
