// Owns the full loop (E): executions of three steps, each an action whose result moves it on. Creation is included, a hundred
// are in flight, and an execution counts when it has ended.

import { perSecond, type Readings } from '../figure.ts'
import type { Racer } from '../rounds.ts'

type IsEnough = (begun: number) => boolean

/** Made ready, with nothing in it. */
export interface Loop {
  /** Executions, from their creation to their end, until so many have begun that it is enough; how many there were. */
  readonly run: (isEnough: IsEnough) => Promise<number>
  /** Closes it and throws it away; what else there is to say, per step. */
  readonly close: (steps: number) => Promise<Readings | undefined>
}

export interface LoopContender {
  readonly label: string
  readonly durable: string
  readonly open: () => Promise<Loop>
}

export const STEPS = 3
export const IN_FLIGHT = 100
export const EXECUTIONS = { 'three-step executions': perSecond, 'first three-step executions': perSecond }

/** `execute` is awaited until the execution has ended. */
export const keepInFlight = async (
  isEnough: IsEnough,
  execute: (n: number) => Promise<unknown>,
  inFlight = IN_FLIGHT,
): Promise<number> => {
  let next = 0
  const keepStarting = async (): Promise<void> => {
    while (!isEnough(next)) {
      next += 1
      await execute(next)
    }
  }
  await Promise.all(Array.from({ length: inFlight }, keepStarting))
  return next
}

/** The same work twice, so many at least and for so long: the second time counts, the first is told by itself (as with queues). */
export const looping = (
  { label, durable, open }: LoopContender,
  { executions, leastMs }: { readonly executions: number; readonly leastMs: number },
): Racer => ({
  label,
  durable,
  race: async () => {
    const loop = await open()
    let count = 0
    const rateOf = async (): Promise<number> => {
      const since = performance.now()
      const done = await loop.run((begun) => begun >= executions && performance.now() - since >= leastMs)
      count += done
      return (done / (performance.now() - since)) * 1000
    }
    const [first, rate] = [await rateOf(), await rateOf()]
    const costs = (await loop.close(count * STEPS)) ?? {}
    const perStep = Object.entries(costs).map(([name, value]) => [
      name.replace('per action', 'per step'),
      value,
    ])
    return {
      'three-step executions': rate,
      'first three-step executions': first,
      ...Object.fromEntries(perStep),
    }
  },
})
