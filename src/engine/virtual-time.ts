// Owns moving a virtual clock (KERNEL §7): instant by instant, at each doing all that is due, waiting until nothing is
// under way and no event is unapplied, then on to the next. 42 days pass in milliseconds, and nothing is jumped over.

import { PawlError } from '../core/errors.ts'
import type { Keeper } from '../store/keeper.ts'
import type { Store } from '../store/store.ts'
import type { VirtualClock } from './clock.ts'
import type { Hands } from './engine.ts'

export interface VirtualTime {
  /** Does all that is due by now. */
  readonly drain: () => Promise<void>
  /** Answers when all that was due by then has been done. */
  readonly advanceTo: (instant: number) => Promise<void>
}

export interface VirtualTimeParts {
  readonly clock: VirtualClock
  readonly hands: Hands
  readonly store: Pick<Store, 'heads' | 'dueTimers'>
  readonly keeper: Pick<Keeper, 'setVirtualNow'>
  /** Attempts under way in this process. */
  readonly underWay: () => readonly string[]
  readonly isOffered: (type: string) => boolean
  /** Real time after which it gives up. */
  readonly patienceMs?: number
}

const PATIENCE_MS = 60_000
const LIMIT = 200

export const createVirtualTime = (parts: VirtualTimeParts): VirtualTime => {
  const { clock, keeper, patienceMs = PATIENCE_MS } = parts
  const drain = (): Promise<void> => drainBy(parts, clock.monotonic() + patienceMs)
  return {
    drain,
    advanceTo: async (target) => {
      assertAhead(clock, target)
      await drain()
      while (clock.now() < target) {
        clock.set(await nextInstant(parts, target))
        await keeper.setVirtualNow(clock.now())
        await drain()
      }
    },
  }
}

const shown = (instant: number): string => new Date(instant).toISOString()

const assertAhead = (clock: VirtualClock, target: number): void => {
  if (target >= clock.now()) return
  throw new PawlError('invalid_option', `the clock stands at ${shown(clock.now())} and does not go back`, {
    path: 'advanceTo',
    expected: 'that instant or a later one',
  })
}

const drainBy = async (parts: VirtualTimeParts, deadline: number): Promise<void> => {
  const { clock, hands, underWay } = parts
  for (;;) {
    const done = await pass(hands)
    if (done === 0 && underWay().length === 0) return
    if (clock.monotonic() > deadline)
      throw new PawlError(
        'clock_stuck',
        `the clock stands at ${shown(clock.now())}: work that is due has not ended`,
        { expected: 'every attempt to end', underWay: underWay().slice(0, 20) },
      )
    const waited = Promise.withResolvers<void>()
    const cancel = clock.timers.after(Math.max(1, deadline - clock.monotonic()), waited.resolve)
    if (hands.worker.inFlight() > 0) await Promise.race([hands.worker.anyDone(), waited.promise])
    else await clock.timers.turn()
    cancel()
  }
}

const pass = async ({ hint, reap, worker, advancing, triage }: Hands): Promise<number> => {
  hint()
  const reaped = await reap(LIMIT)
  const claimed = await worker.claim()
  const learnt = await advancing.learn()
  // Events that wait were there before a timer that is due now: they go first.
  const applied = await advancing.applyInbox(LIMIT)
  const fired = await advancing.fireTimers(LIMIT)
  return reaped + claimed + learnt + fired + applied + (await triage())
}

/** The next instant up to the target at which something is due. */
const nextInstant = async (
  { clock, store, isOffered }: VirtualTimeParts,
  target: number,
): Promise<number> => {
  const heads = await store.heads({ ...clock.clocks(), now: clock.now() })
  const due = heads.filter(({ paused, type }) => !paused && isOffered(type)).map(({ dueAt }) => dueAt)
  const timers = await nextTimer({ store, clock }, target)
  return Math.min(target, ...[...due, ...timers].filter((at) => at > clock.now()))
}

/** What cannot be read is set aside when it is told: the next one is behind it. */
const nextTimer = async (
  { store, clock }: Pick<VirtualTimeParts, 'store' | 'clock'>,
  target: number,
): Promise<readonly number[]> => {
  for (;;) {
    const [timer] = await store.dueTimers(1, { ...clock.clocks(), now: target })
    if (timer === undefined || !('unreadable' in timer)) return timer ? [timer.timer.dueAt] : []
  }
}
