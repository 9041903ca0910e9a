// Owns what a time rule is: days or weeks before or after a date, the day itself, or a while after another step.
// A rule is data, so it can be stored, shown, foreseen and computed again when a date or a zone's clock moves.
// Words: rule-words.ts. The instant it comes to: rule-instant.ts.

import type { DayUnit } from './calendar.ts'

/** 42 days before weddingDate at 09:00. A name may be a date or a step (then its local date counts). */
interface OffsetRule {
  readonly kind: 'offset'
  readonly direction: 'before' | 'after'
  readonly count: number
  readonly unit: DayUnit
  /** Absent: the date the journey turns on. */
  readonly anchor?: string
  readonly time: string
}

/** On the day at 20:00. */
interface OnRule {
  readonly kind: 'on'
  readonly anchor?: string
  readonly time: string
}

/** 3 hours after timelineRequest: elapsed, whatever the clocks do. */
interface ElapsedRule {
  readonly kind: 'elapsed'
  readonly ms: number
  readonly step: string
}

export type Rule = OffsetRule | OnRule | ElapsedRule

/** */
export const DEFAULT_TIME = '09:00'
/** Ten years: a save-the-date goes out long before 366 days. */
export const MAX_COUNT = 3660
/** A name that reads as a word of the rule would make the words ambiguous. */
export const NAME: RegExp = /^(?!(?:at|the)$)[a-z_][\w.-]{0,63}$/i

const UNIT_WORDS: Readonly<Record<DayUnit, string>> = {
  day: 'day',
  week: 'week',
  business_day: 'business day',
}
const CLOCK_UNITS = [
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
] as const

const counted = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`

/** The one way Pawl writes a rule; reading it back gives the same rule. */
export const printRule = (rule: Rule): string => {
  if (rule.kind === 'elapsed') {
    const [word, unitMs] = CLOCK_UNITS.find(([, ms]) => rule.ms % ms === 0)!
    return `${counted(rule.ms / unitMs, word)} after ${rule.step}`
  }
  if (rule.kind === 'on') return `on ${rule.anchor ?? 'the day'} at ${rule.time}`
  const name = rule.anchor === undefined ? '' : ` ${rule.anchor}`
  return `${counted(rule.count, UNIT_WORDS[rule.unit])} ${rule.direction}${name} at ${rule.time}`
}
