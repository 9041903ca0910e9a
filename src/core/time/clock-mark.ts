// Owns what a person is told when a zone's clock changes near a firing (⌁): a time that does not exist, one that
// happens twice, or a change on the way there. Words only; the instant was chosen elsewhere.

import { civilOf, DAY_MS, dayNumber, weekdayOf } from './civil.ts'
import { printDate } from './date.ts'
import type { Dst } from './dst.ts'
import { printDuration } from './duration-words.ts'
import { printTime } from './time-of-day.ts'
import { WEEKDAY_LABELS } from './weekday.ts'
import {
  instantsOf,
  type LocalDateTime,
  localAt,
  offsetAt,
  type Transition,
  transitionsBetween,
} from './zone.ts'

export interface ClockMark {
  readonly kind: 'gap' | 'overlap' | 'change'
  readonly text: string
}

interface Marked {
  readonly at: number
  /** The local time the rule or schedule names; left out where it names none. */
  readonly nominal?: LocalDateTime
  readonly zone: string
  readonly dst: Dst
}

const dayOf = (local: LocalDateTime): number => dayNumber(local.year, local.month, local.day)
const timeOf = (local: LocalDateTime): string =>
  printTime(((local.hour * 60 + local.minute) * 60 + local.second) * 1000)

/** “02:30 does not exist; runs at 03:30”; with dates where the day changes too, as when Apia had no 30 December 2011. */
const gapText = (nominal: LocalDateTime, actual: LocalDateTime): string => {
  const isSameDay = dayOf(nominal) === dayOf(actual)
  const show = (local: LocalDateTime): string =>
    isSameDay ? timeOf(local) : `${printDate(dayOf(local))} ${timeOf(local)}`
  return `${show(nominal)} does not exist; runs at ${show(actual)}`
}

const changeText = ({ at, before, after }: Transition): string => {
  const wall = at + before
  const day = Math.floor(wall / DAY_MS)
  const way = after > before ? 'forward' : 'back'
  const when = `${WEEKDAY_LABELS[weekdayOf(day)]} ${printDate(day)} at ${printTime(wall - day * DAY_MS)}`
  return `clocks go ${way} ${printDuration(Math.abs(after - before))} on ${when}`
}

const midnight = (day: number, zone: string): number =>
  instantsOf({ ...civilOf(day), hour: 0, minute: 0, second: 0, millisecond: 0 }, zone).first

/** The mark of a firing, if any; `since` is the firing before it, or the beginning of what is looked at. */
export const markOf = ({ at, nominal, zone, dst }: Marked, since: number): ClockMark | undefined => {
  const actual = localAt(at, zone)
  const named = nominal ?? actual
  const { kind, first } = instantsOf(named, zone)
  if (kind === 'gap') return { kind, text: gapText(named, actual) }
  if (kind === 'overlap') {
    const runs = dst.overlap === 'both' ? 'both times' : `once, at the ${at === first ? 'first' : 'last'}`
    return { kind, text: `${timeOf(actual)} happens twice; runs ${runs}` }
  }
  const today = Math.floor((at + offsetAt(at, zone)) / DAY_MS)
  const changes = transitionsBetween(
    zone,
    Math.min(since, midnight(today, zone)),
    Math.max(at, midnight(today + 1, zone)),
  )
  const last = changes.at(-1)
  return last === undefined ? undefined : { kind: 'change', text: changeText(last) }
}
