// Owns asking for slots and quotas. A slot that is near is waited for here, under the claim; one that is far sends the
// action away. Which slot, and when to come back, is core's to say.

import type { JsonObject } from '../core/json.ts'
import { type QuotaState, takeQuota } from '../core/limit-quota.ts'
import {
  blockMs,
  type RateAnswer,
  type RateAsk,
  type RateState,
  takeSlots,
  toleranceMs,
} from '../core/limit-rate.ts'
import type { Applied } from '../core/limit-settings.ts'
import type { LimitRef } from '../store/limits.ts'
import type { Clock } from './clock.ts'
import { createDesk, type Swap, type Swapped } from './limits-desk.ts'

/** An action that asks, and what it asks for. */
export interface Asker {
  readonly ref: LimitRef
  readonly applied: Applied
  readonly isBack: boolean
}

/** Undefined: it may go now. Otherwise not before so many milliseconds, because of this limit. */
export type Refusal = { readonly asker: Asker; readonly waitMs: number } | undefined

/** A turn this many distances away is waited for here, with the claim in hand. */
const AHEAD = 8
const KEEP_MIN_MS = 200
const KEEP_MAX_MS = 1000
/** Between here and the runner's first word the process may be made to wait: so much of the tolerance is left for it. */
const START_MS = 30
const ROUNDS = 4

type Slot = Swapped<RateAnswer>
export type Slots = Map<Asker, Slot>

const at = (ref: LimitRef, prefix: string): LimitRef => ({ ...ref, key: `${prefix}:${ref.key}` })

const keepOf = ({ rate }: Applied): number => {
  const ms = (AHEAD * rate!.windowMs) / rate!.count
  return Math.min(Math.max(ms, KEEP_MIN_MS), KEEP_MAX_MS)
}

const createRateDesk = (swap: Swap, clock: Clock) =>
  createDesk<RateAsk, Slot>(clock, async (ref, asks) => {
    const { answer, ...told } = await swap(at(ref, 'rate'), (kept, now) => {
      const { state, answers } = takeSlots(kept as RateState | undefined, asks, now)
      const isChanged = asks.some(({ isOnce }, index) => !isOnce || answers[index]!.kind === 'slot')
      const idleAt = Math.ceil(Math.max(state.next, state.line, state.front))
      return { ...(isChanged && { next: { state: { ...state }, idleAt } }), answer: answers }
    })
    return answer.map((each) => ({ ...told, answer: each }))
  })

/** Then time stands still, only leases go on: nobody can wait for it here. */
const isByHand = (clock: Clock): boolean => {
  const { now, lease } = clock.clocks()
  return now !== undefined && lease === undefined
}

const isTimely = (clock: Clock, asker: Asker, slots: Slots): boolean => {
  const slot = slots.get(asker)
  if (slot === undefined || isByHand(clock)) return slot !== undefined
  const { answer, now, asked } = slot
  return clock.monotonic() <= asked + answer.at - now + toleranceMs(asker.applied.rate!) - START_MS
}

const aheadOf = (clock: Clock, { answer, now, heard }: Slot): number =>
  answer.at - now - (isByHand(clock) ? 0 : clock.monotonic() - heard)

/** A slot of a block is ahead: it is not used before its instant, by the clock that counts. */
const untilSlot = async (clock: Clock, slot: Slot): Promise<void> => {
  const ms = Math.ceil(aheadOf(clock, slot))
  if (ms > 0) await clock.timers.sleep(ms)
}

/**
 * Whoever waits for a turn asks when the next slot is there, and gets it then: a process that is held up meanwhile keeps
 * no slot from the others.
 */
export const createRates = (swap: Swap, clock: Clock) => {
  const desk = createRateDesk(swap, clock)
  const ask = ({ ref, applied: { rate }, isBack }: Asker, isOnce: boolean, mayWait: boolean): Promise<Slot> =>
    desk(ref, { rate: rate!, isBack, isOnce, aheadMs: mayWait ? blockMs(rate!) : 0 })
  const waitOf = (slot: Slot): number => Math.max(1, Math.ceil(aheadOf(clock, slot)))

  /** Undefined: it is too far away. */
  const askHere = async (asker: Asker, first: Slot): Promise<Slot | undefined> => {
    const keepMs = keepOf(asker.applied)
    const until = clock.monotonic() + 2 * keepMs
    let slot = first
    while (slot.answer.kind === 'later') {
      if (waitOf(slot) > keepMs || clock.monotonic() > until) return undefined
      await clock.timers.sleep(waitOf(slot))
      slot = await ask(asker, true, true)
    }
    await untilSlot(clock, slot)
    return slot
  }
  /** With several rates a turn has to come for all at the same moment: then nobody waits here with one in hand. */
  const acquire = async (askers: readonly Asker[], slots: Slots, isAgain: boolean): Promise<Refusal> => {
    for (const asker of askers) {
      if (isTimely(clock, asker, slots)) continue
      const isOnce = asker.applied.onFull === 'drop'
      const mayWait = askers.length === 1 && !isOnce && !isByHand(clock)
      const first = await ask(isAgain ? { ...asker, isBack: true } : asker, isOnce, mayWait)
      const slot = mayWait ? await askHere(asker, first) : first
      if (slot === undefined || slot.answer.kind === 'later') {
        // Early enough to be here when its turn comes.
        const early = isByHand(clock) ? 0 : keepOf(asker.applied) / 2
        return { asker, waitMs: Math.max(1, Math.ceil(waitOf(first) - early)) }
      }
      slots.set(asker, slot)
    }
    return undefined
  }
  return {
    acquire,
    /** What else had to be asked may have taken too long for a slot. */
    renew: async (askers: readonly Asker[], slots: Slots): Promise<Refusal> => {
      for (let round = 0; round < ROUNDS; round++) {
        if (askers.every((asker) => isTimely(clock, asker, slots))) return undefined
        const refusal = await acquire(askers, slots, true)
        if (refusal !== undefined) return refusal
      }
      return { asker: askers[0]!, waitMs: KEEP_MIN_MS }
    },
  }
}

export const createQuotas = (swap: Swap, clock: Clock) => {
  const desk = createDesk<Asker, { readonly isGranted: boolean; readonly waitMs: number }>(
    clock,
    async (ref, asks) => {
      const { answer, now } = await swap(at(ref, 'quota'), (kept, instant) => {
        const quota = asks[0]!.applied.quota!
        const taken = takeQuota(kept as QuotaState | undefined, quota, asks.length, instant)
        const next = { state: { ...taken.state } as JsonObject, idleAt: taken.state.until }
        return { ...(taken.granted > 0 && { next }), answer: taken }
      })
      const waitMs = answer.state.until - now
      return asks.map((_, index) => ({ isGranted: index < answer.granted, waitMs }))
    },
  )
  return async (asker: Asker): Promise<Refusal> => {
    const { isGranted, waitMs } = await desk(asker.ref, asker)
    return isGranted ? undefined : { asker, waitMs }
  }
}
