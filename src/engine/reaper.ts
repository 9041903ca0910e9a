// Owns claims whose lease has run out: their worker is gone, or so slow that it counts as gone. What becomes of each is
// core's to say; the settlement is fenced by the claim and by the expiry, so a worker that comes back loses or wins whole.

import type { Store } from '../store/store.ts'
import type { Clock } from './clock.ts'
import { type Log, messageOf } from './log.ts'
import type { Settling } from './settlement.ts'

export interface ReaperParts {
  readonly store: Pick<Store, 'reap'>
  readonly settling: Settling
  readonly clock: Clock
  readonly log: Log
  readonly worker: string
}

/** Answers how many were reaped. */
export const createReaper =
  ({ store, settling, clock, log, worker }: ReaperParts) =>
  async (limit: number): Promise<number> => {
    const expired = await store.reap(limit, clock.clocks())
    const reaped = expired.map(async (action): Promise<number> => {
      try {
        if (!('plan' in action)) {
          await settling.bury(action, worker)
          return 1
        }
        // Nobody can say whether the runner had started: it counts as started, so that at_most_once never repeats.
        const settlement = await settling.settle({
          action,
          outcome: { kind: 'lost', cause: 'lease_expired', started: true },
          attempt: action.attempt + 1,
          startedAt: clock.now(),
          endedAt: clock.now(),
          worker,
          cancelRequested: action.cancelRequested,
          isReaped: true,
        })
        return settlement === undefined ? 0 : 1
      } catch (error) {
        log.error('an expired lease could not be reaped', { action: action.id, error: messageOf(error) })
        return 0
      }
    })
    return (await Promise.all(reaped)).reduce((sum, count) => sum + count, 0)
  }
