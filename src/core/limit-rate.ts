// Owns rates: how `10/s` reads, and which slot a start gets. It is GCRA with a burst of one: slots follow one another at a
// fixed distance, and a start belongs to a slot. Of a rate of few, a slot that was asked for late is made up for.
// G1  In any window of the rate's length there are at most `count` starts. A start may be late for its slot by up to
//     the tolerance, and slots are so much further apart that this cannot add one: distance = (window + tolerance) / count.
// G2  Who cannot have a slot soon is told when to ask again. That is an estimate: only a slot that was given is a promise.
// G3  Of a fast rate, whoever asks together takes a block of slots ahead. Each is for one who waits for it: none is left.

import { PawlError } from './errors.ts'

export interface Rate {
  readonly count: number
  readonly windowMs: number
}

/** What is kept of a rate: instants in milliseconds, not always whole ones. */
export interface RateState {
  /** When it was written. */
  readonly at: number
  /** The first slot nobody has. */
  readonly next: number
  /** Where the line of those who were sent away for the first time ends, and that of those who came back too early. */
  readonly line: number
  readonly front: number
  /** Of a rate of few: the slots of its last window. */
  readonly recent?: readonly number[]
}

export interface RateAsk {
  readonly rate: Rate
  /** It has waited before: it goes before those who come for the first time. */
  readonly isBack: boolean
  /** It will not come back: nobody stands in line for it. */
  readonly isOnce: boolean
  /** A slot this far ahead is taken already now, and waited for: so whoever asks together takes a block of them. */
  readonly aheadMs: number
}

/** `slot`: start at this instant, not before it and at most the tolerance later. `later`: ask again then. */
export interface RateAnswer {
  readonly kind: 'slot' | 'later'
  readonly at: number
}

/** Between asking and starting something happens: so late a start may be for its slot. */
const START_MS = 65
/** Of a rate of many a slot is still given when it is asked for so late; of a rate of few there is a better way. */
const LATE_MS = 25
/** So many slots are few enough to be kept one by one: then what comes late does not push all that come after it. */
const FEW = 64
/** Estimates reach no further: a line that has melted away must not keep anybody waiting for long. */
const FARTHEST_MS = 600_000
/** Slots that nobody took, one after the other: then there is no line, whatever was estimated. */
const UNTAKEN = 3
const UNTAKEN_MS = 2000
/** A clock that was set back by more than this is noticed. */
const SET_BACK_MS = 1000

const FORM = /^([1-9]\d{0,8})\/([smhd])$/
const UNITS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

export const parseRate = (text: string, path = 'limit.rate'): Rate => {
  const match = FORM.exec(text)
  if (match === null)
    throw new PawlError('invalid_option', `“${String(text).slice(0, 80)}” is no rate`, {
      path,
      expected: 'a rate such as 10/s, 100/m, 1000/h or 5/d',
    })
  return { count: Number(match[1]), windowMs: UNITS[match[2]!]! }
}

const isFew = ({ count }: Rate): boolean => count <= FEW

/** How late for its slot a start may be. */
export const toleranceMs = (rate: Rate): number => (isFew(rate) ? START_MS : START_MS + LATE_MS)

const distanceOf = (rate: Rate): number => (rate.windowMs + toleranceMs(rate)) / rate.count

/** What a process may take ahead: enough for a few slots of a fast rate. A slow one gives each when its time has come. */
const BLOCK_MS = 200
const BLOCK_LEAST = 4

/** So far ahead slots may be taken by who is ready to wait for them. A process that falls asleep loses no more than that. */
export const blockMs = (rate: Rate): number => (distanceOf(rate) * BLOCK_LEAST <= BLOCK_MS ? BLOCK_MS : 0)

const NEW: RateState = { at: 0, next: 0, line: 0, front: 0 }

/** The state as it is to be read now: distances stay when the clock was set back. */
const seenAt = (state: RateState, now: number): Required<RateState> => {
  const { at, next, line, front, recent = [] } = state
  const back = at - now > SET_BACK_MS ? at - now : 0
  return {
    at: now,
    next: next - back,
    line: line - back,
    front: front - back,
    recent: recent.map((slot) => slot - back),
  }
}

interface Free {
  /** The first that may be given. */
  readonly slot: number
  /** Where it would be, had nobody come late: what follows is counted from there. */
  readonly ideal: number
}

/**
 * Of a rate of many, what is late pushes all that follow. Of a rate of few they follow at half the distance until it is made
 * up for; that no window has too many is then seen by the slot which is so many before. Who comes after a pause makes up
 * for nothing.
 */
const firstFree = ({ next, recent }: Required<RateState>, rate: Rate, now: number): Free => {
  if (!isFew(rate)) {
    const slot = Math.max(next, now - LATE_MS)
    return { slot, ideal: slot }
  }
  const distance = distanceOf(rate)
  const ideal = now - next > distance ? now : next
  const afterLast = (recent.at(-1) ?? 0) + distance / 2
  const afterWindow = (recent.at(-rate.count) ?? 0) + rate.windowMs + toleranceMs(rate)
  const slot = Math.max(ideal, now, afterLast, afterWindow)
  return { slot, ideal: Math.max(ideal, slot - distance) }
}

/** One after the other, in the order given. */
export const takeSlots = (
  kept: RateState | undefined,
  asks: readonly RateAsk[],
  now: number,
): { readonly state: RateState; readonly answers: readonly RateAnswer[] } => {
  let state = seenAt(kept ?? NEW, now)
  const answers = asks.map((ask): RateAnswer => {
    const distance = distanceOf(ask.rate)
    if (state.next + Math.max(UNTAKEN * distance, UNTAKEN_MS) < now) state = { ...state, line: 0, front: 0 }
    const { slot, ideal } = firstFree(state, ask.rate, now)
    if (slot <= now + ask.aheadMs) {
      const recent = isFew(ask.rate) ? [...state.recent, slot].slice(-ask.rate.count) : []
      state = { ...state, next: ideal + distance, recent }
      return { kind: 'slot', at: slot }
    }
    if (ask.isOnce) return { kind: 'later', at: slot }
    const at = Math.max(slot, ask.isBack ? state.front : state.line)
    state = { ...state, [ask.isBack ? 'front' : 'line']: at + distance }
    return { kind: 'later', at: Math.min(at, now + FARTHEST_MS) }
  })
  return { state, answers }
}
