// Owns writing rules in TypeScript: before('42d', '09:00'). The types take only what can be counted, so
// before('1mo') does not compile; the words behind them are read by the same reader as those in files.

import type { CalendarText, ElapsedText } from './duration.ts'
import { DEFAULT_TIME, type Rule } from './rule.ts'
import { parseRule } from './rule-words.ts'

type Digit = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9
/** 00:00 … 23:59. */
export type TimeText = `${`${0 | 1}${Digit}` | `2${0 | 1 | 2 | 3}`}:${0 | 1 | 2 | 3 | 4 | 5}${Digit}`
export type DaysText = CalendarText | '1 business day' | `${bigint} business days`

const relative = (days: string, direction: string, time: string, anchor: string): Rule =>
  parseRule(`${days} ${direction} ${anchor} at ${time}`)

/** `anchor` names a date or a step; left out, it is the date the journey turns on. */
export const before = (days: DaysText, time: TimeText = DEFAULT_TIME, anchor = ''): Rule =>
  relative(days, 'before', time, anchor)

export const after = (days: DaysText, time: TimeText = DEFAULT_TIME, anchor = ''): Rule =>
  relative(days, 'after', time, anchor)

export const onTheDay = (time: TimeText = DEFAULT_TIME, anchor = 'the day'): Rule =>
  parseRule(`on ${anchor} at ${time}`)

/** Elapsed time after a step went out. */
export const afterStep = (elapsed: ElapsedText, step: string): Rule => parseRule(`${elapsed} after ${step}`)
