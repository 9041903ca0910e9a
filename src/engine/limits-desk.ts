// Owns asking the store about a limit: who asks at the same time about the same one is served together, one batch after
// the other, so that fifty claimed actions of one key cost one question. And the way a state is changed: read, think,
// replace, again when somebody else was quicker.

import { PawlError } from '../core/errors.ts'
import type { JsonObject } from '../core/json.ts'
import type { LimitRef, Limits } from '../store/limits.ts'
import type { Clock } from './clock.ts'
import type { Chance } from './random.ts'

export type Desk<Ask, Answer> = (ref: LimitRef, ask: Ask) => Promise<Answer>

interface Waiting<Ask, Answer> {
  readonly ask: Ask
  readonly resolve: (answer: Answer) => void
  readonly reject: (error: unknown) => void
}

export const nameOf = ({ namespace, tenant, key }: LimitRef): string =>
  JSON.stringify([namespace, tenant, key])

/** `serve` answers in the order of the asks. */
export const createDesk = <Ask, Answer>(
  { timers }: Pick<Clock, 'timers'>,
  serve: (ref: LimitRef, asks: readonly Ask[]) => Promise<readonly Answer[]>,
): Desk<Ask, Answer> => {
  const queues = new Map<string, Waiting<Ask, Answer>[]>()
  const work = async (ref: LimitRef, name: string, queue: Waiting<Ask, Answer>[]): Promise<void> => {
    // Who was claimed together asks in the same turn of the loop.
    for (await timers.turn(); queue.length > 0; ) {
      const batch = queue.splice(0)
      try {
        const answers = await serve(
          ref,
          batch.map(({ ask }) => ask),
        )
        batch.forEach(({ resolve }, index) => {
          resolve(answers[index]!)
        })
      } catch (error) {
        for (const { reject } of batch) reject(error)
      }
    }
    queues.delete(name)
  }
  return (ref, ask) =>
    new Promise((resolve, reject) => {
      const name = nameOf(ref)
      const queue = queues.get(name)
      if (queue !== undefined) {
        queue.push({ ask, resolve, reject })
        return
      }
      const first = [{ ask, resolve, reject }]
      queues.set(name, first)
      void work(ref, name, first)
    })
}

/** What becomes of a state; without `next` it stays. */
export interface Changed<Answer> {
  readonly next?: { readonly state: JsonObject; readonly idleAt: number; readonly shut?: boolean }
  readonly answer: Answer
}

export interface Swapped<Answer> {
  readonly answer: Answer
  /** The instant it was read, by the clock that counts. */
  readonly now: number
  /** Monotonic: that instant was between the two. */
  readonly asked: number
  readonly heard: number
}

export type Swap = <Answer>(
  ref: LimitRef,
  change: (kept: JsonObject | undefined, now: number) => Changed<Answer>,
) => Promise<Swapped<Answer>>

const TRIES = 40
const PATIENCE_MS = 4

export interface SwapParts {
  readonly limits: Limits
  readonly clock: Clock
  readonly chance: Chance
}

export const createSwap =
  ({ limits, clock, chance }: SwapParts): Swap =>
  async (ref, change) => {
    for (let tries = 0; tries < TRIES; tries++) {
      const asked = clock.monotonic()
      const { now, states } = await limits.read([ref], clock.clocks())
      const heard = clock.monotonic()
      const { version, state } = states[0]!
      const { next, answer } = change(version === 0 ? undefined : state, now)
      const told = { answer, now, asked, heard }
      if (next === undefined) return told
      if (await limits.swap({ ...ref, version, shut: false, ...next })) return told
      await clock.timers.sleep(chance.fraction() * PATIENCE_MS * Math.min(tries, 10))
    }
    throw new PawlError('store_busy', `the limit “${ref.key.slice(0, 80)}” changes too fast to be asked`)
  }
