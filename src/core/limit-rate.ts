// Owns rates: how `10/s` reads, and which slot a start gets. It is GCRA with a burst of one: slots follow one another at a
// fixed distance, and a start belongs to a slot.
// G1  In any window of the rate's length there are at most `count` starts. A start may be late for its slot by up to
//     TOLERANCE_MS, and slots are so much further apart that this cannot add one: distance = (window + tolerance) / count.
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

/** `slot`: start at this instant, not before it and at most TOLERANCE_MS later. `later`: ask again then. */
export interface RateAnswer {
  readonly kind: 'slot' | 'later'
  readonly at: number
}

export const TOLERANCE_MS = 90
/** Between asking and starting something happens: of the tolerance this much is left for it. */
const MARGIN_MS = 60
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

const distanceOf = ({ count, windowMs }: Rate): number => (windowMs + TOLERANCE_MS) / count

/** What a process may take ahead: enough for a few slots of a fast rate. A slow one gives each when its time has come. */
const BLOCK_MS = 200
const BLOCK_LEAST = 4

/** So far ahead slots may be taken by who is ready to wait for them. A process that falls asleep loses no more than that. */
export const blockMs = (rate: Rate): number => (distanceOf(rate) * BLOCK_LEAST <= BLOCK_MS ? BLOCK_MS : 0)

/** The state as it is to be read now: distances stay when the clock was set back. */
const seenAt = (state: RateState, now: number): RateState => {
  const back = state.at - now
  if (back <= SET_BACK_MS) return state
  return { at: now, next: state.next - back, line: state.line - back, front: state.front - back }
}

/** One after the other, in the order given. */
export const takeSlots = (
  kept: RateState | undefined,
  asks: readonly RateAsk[],
  now: number,
): { readonly state: RateState; readonly answers: readonly RateAnswer[] } => {
  let { next, line, front } = kept === undefined ? { next: 0, line: 0, front: 0 } : seenAt(kept, now)
  const answers = asks.map((ask): RateAnswer => {
    const distance = distanceOf(ask.rate)
    if (next + Math.max(UNTAKEN * distance, UNTAKEN_MS) < now) line = front = 0
    const slot = Math.max(next, now - TOLERANCE_MS + MARGIN_MS)
    if (slot <= now + ask.aheadMs) {
      next = slot + distance
      return { kind: 'slot', at: slot }
    }
    if (ask.isOnce) return { kind: 'later', at: slot }
    const at = Math.max(slot, ask.isBack ? front : line)
    if (ask.isBack) front = at + distance
    else line = at + distance
    return { kind: 'later', at: Math.min(at, now + FARTHEST_MS) }
  })
  return { state: { at: now, next, line, front }, answers }
}
