// Owns what a delivery window means for one action that is due: it may go out, waits for the next opening, is dropped,
// or is no longer worth doing; always with a reason a person can read.

import { DAY_MS, weekdayOf } from './civil.ts'
import { printDate } from './date.ts'
import { printDuration } from './duration-words.ts'
import { isOpen, nextOpen } from './opening-hours.ts'
import { printTime } from './time-of-day.ts'
import { WEEKDAY_LABELS } from './weekday.ts'
import type { DeliveryWindow } from './window.ts'
import { offsetAt } from './zone.ts'

export type Admission =
  | { readonly kind: 'open' }
  | { readonly kind: 'hold'; readonly until: number }
  | { readonly kind: 'drop'; readonly reason: string }
  | { readonly kind: 'expired'; readonly reason: string }

const shown = (instant: number, zone: string): string => {
  const wall = instant + offsetAt(instant, zone)
  const day = Math.floor(wall / DAY_MS)
  return `${WEEKDAY_LABELS[weekdayOf(day)]} ${printDate(day)} ${printTime(wall - day * DAY_MS)} ${zone}`
}

/** May an action that was due at `dueAt` go out? Asked before it is due, it answers for the moment it will be. */
export const admit = (window: DeliveryWindow, dueAt: number, now: number): Admission => {
  const { zone, expiresAfterMs = Number.POSITIVE_INFINITY } = window
  const at = Math.max(dueAt, now)
  const expired = (why: string): Admission => ({
    kind: 'expired',
    reason: `${why}worth doing for ${printDuration(expiresAfterMs)} after ${shown(dueAt, zone)}`,
  })
  if (at > dueAt + expiresAfterMs) return expired('')
  if (isOpen(window, at)) return { kind: 'open' }
  const until = nextOpen(window, at)
  const reason = `closed at ${shown(at, zone)}, opens ${shown(until, zone)}`
  if (window.closed === 'drop') return { kind: 'drop', reason }
  return until > dueAt + expiresAfterMs ? expired(`${reason}, `) : { kind: 'hold', until }
}
