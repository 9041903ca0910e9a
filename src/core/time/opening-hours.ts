// Owns when a delivery window is open: open at an instant, and the next instant it is, to the millisecond, across clock
// changes. Open when from ≤ t < to on the wall clock; an opening over midnight belongs to the day it begins, so a
// holiday closes the night that begins on it, not the one that ends on it.

import { PawlError } from '../errors.ts'
import { DAY_MS, weekdayOf } from './civil.ts'
import { type Day, printDate } from './date.ts'
import { isHoliday } from './holidays.ts'
import type { DeliveryWindow, Opening } from './window.ts'
import { offsetAt, transitionsBetween } from './zone.ts'

/** Five years: longer than any list of holidays keeps a weekly opening shut. */
const SEARCH_DAYS = 1827

const begins = (window: DeliveryWindow, opening: Opening, day: Day): boolean =>
  opening.weekdays.includes(weekdayOf(day)) && !isHoliday(window.holidays, day)

export const isOpen = (window: DeliveryWindow, instant: number): boolean => {
  const wall = instant + offsetAt(instant, window.zone)
  const today = Math.floor(wall / DAY_MS)
  return window.openings.some((opening) =>
    [today - 1, today].some((day) => {
      const ofDay = wall - day * DAY_MS
      return opening.from <= ofDay && ofDay < opening.to && begins(window, opening, day)
    }),
  )
}

/** The first wall-clock moment from `wall` on at which an opening begins. */
const nextBeginning = (window: DeliveryWindow, wall: number): number => {
  const today = Math.floor(wall / DAY_MS)
  for (let day = today; day <= today + SEARCH_DAYS; day++) {
    const beginnings = window.openings
      .filter((opening) => begins(window, opening, day))
      .map((opening) => day * DAY_MS + opening.from)
      .filter((beginning) => beginning >= wall)
    if (beginnings.length > 0) return Math.min(...beginnings)
  }
  throw new PawlError(
    'invalid_window',
    `the window does not open between ${printDate(today)} and five years later`,
    {
      expected: 'an opening that its holidays leave free',
    },
  )
}

/**
 * The instant itself when open, else the first one that is. Between two clock changes wall time and instants run in
 * step; a change may hide the beginning or throw the clock into the middle of an opening, so each is looked at.
 */
export const nextOpen = (window: DeliveryWindow, instant: number): number => {
  let at = instant
  while (!isOpen(window, at)) {
    const offset = offsetAt(at, window.zone)
    const beginning = nextBeginning(window, at + offset) - offset
    const [change] = transitionsBetween(window.zone, at + 1, beginning + 1)
    if (change === undefined) return beginning
    at = change.at
  }
  return at
}
