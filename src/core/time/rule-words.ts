// Owns reading a rule from words: "42 days before weddingDate at 09:00", "on the day at 20:00", "3 hours after step".
// Case and spacing do not count, names do. What cannot be read is refused with the nearest rule that can.

import { type ErrorDetails, PawlError } from '../errors.ts'
import type { DayUnit } from './calendar.ts'
import { durationMs } from './duration.ts'
import { DEFAULT_TIME, MAX_COUNT, NAME, printRule, type Rule } from './rule.ts'
import { suggestWords } from './rule-hint.ts'
import { parseTime, printTime } from './time-of-day.ts'

const MAX_LENGTH = 200
const FORMS = 'N days|weeks before|after [at HH:MM]  or  on the day [at HH:MM]'
const STEP_FORM = 'N hours|minutes|seconds after <step>'

const OFFSET = /^(\d{1,9}) ?(d|days?|w|weeks?|business days?) (before|after)(?: (\S+))??(?: at (\S+))?$/i
const ON = /^on (the day|\S+)(?: at (\S+))?$/i
const ELAPSED = /^(\d{1,9} (?:hour|minute|second)s?|(?:\d{1,9}[hms])+) after (\S+)$/i
const MONTHS = /^(?:\d+|[a-z]+)? ?(mo|months?|years?|yrs?)(?= |$)/i
const CLOCK_BEFORE = /\d ?(?:h|hours?|m|mins?|minutes?|s|seconds?)\b.*\bbefore\b/i
const CLOCK_NOWHERE = /^\d+ ?(?:h|hours?|m|minutes?|s|seconds?) after$/i

type Attempt = { readonly rule: Rule } | { readonly problem: string; readonly expected: string }

const fault = (problem: string, expected: string = FORMS): Attempt => ({ problem, expected })

const unitOf = (word: string): DayUnit =>
  word.startsWith('b') ? 'business_day' : word.startsWith('w') ? 'week' : 'day'

const named = (anchor: string | undefined): { readonly anchor?: string } =>
  anchor === undefined ? {} : { anchor }

/** 9:00 and 25:00 are no times; 09:00:00 is written 09:00. */
const timeOf = (text: string | undefined): string | undefined => {
  try {
    return printTime(parseTime(text ?? DEFAULT_TIME))
  } catch {
    return undefined
  }
}

const offset = (match: RegExpExecArray): Attempt => {
  const [, digits, word, direction, anchor, at] = match as unknown as [
    string,
    string,
    string,
    string,
    string?,
    string?,
  ]
  const count = Number(digits)
  const time = timeOf(at)
  if (time === undefined || (anchor !== undefined && !NAME.test(anchor))) return fault('is not a time')
  if (count === 0) return fault('counts nothing', 'on the day [at HH:MM]')
  if (count > MAX_COUNT) return fault('is too far away', `at most ${MAX_COUNT} days, weeks or business days`)
  return {
    rule: {
      kind: 'offset',
      direction: direction.toLowerCase() as 'before' | 'after',
      count,
      unit: unitOf(word.toLowerCase()),
      ...named(anchor),
      time,
    },
  }
}

const on = (match: RegExpExecArray): Attempt => {
  const [, word, at] = match as unknown as [string, string, string?]
  const anchor = word.toLowerCase() === 'the day' ? undefined : word
  const time = timeOf(at)
  if (time === undefined || (anchor !== undefined && !NAME.test(anchor))) return fault('is not a time')
  return { rule: { kind: 'on', ...named(anchor), time } }
}

const elapsed = (match: RegExpExecArray): Attempt => {
  const [, length, step] = match as unknown as [string, string, string]
  const short = length.toLowerCase().replace(/ ([hms]).*/, '$1')
  try {
    const ms = durationMs(short)
    if (ms > 0 && NAME.test(step)) return { rule: { kind: 'elapsed', ms, step } }
    return fault('is not a time', STEP_FORM)
  } catch {
    return fault('is not a length of time up to 366 days', STEP_FORM)
  }
}

const attempt = (words: string): Attempt => {
  const asElapsed = ELAPSED.exec(words)
  if (asElapsed !== null) return elapsed(asElapsed)
  const asOffset = OFFSET.exec(words)
  if (asOffset !== null) return offset(asOffset)
  const asOn = ON.exec(words)
  if (asOn !== null) return on(asOn)
  if (CLOCK_BEFORE.test(words))
    return fault('cannot be counted: hours are counted after a step, never before', STEP_FORM)
  if (CLOCK_NOWHERE.test(words)) return fault('names no step', STEP_FORM)
  return fault('is not a time')
}

const readable = (words: string): string | undefined => {
  const result = attempt(words)
  return 'rule' in result ? printRule(result.rule) : undefined
}

export const parseRule = (text: string, path?: string): Rule => {
  const words = text
    .slice(0, MAX_LENGTH + 1)
    .trim()
    .replaceAll(/\s+/g, ' ')
  const place: ErrorDetails = path === undefined ? {} : { path }
  const shown = `“${text.slice(0, 80)}”`
  if (text.length > MAX_LENGTH)
    throw new PawlError('invalid_rule', `${shown}… is not a time`, { ...place, expected: FORMS })
  const result = attempt(words)
  if ('rule' in result) return result.rule
  const month = MONTHS.exec(words)
  if (month !== null)
    throw new PawlError(
      'invalid_rule',
      `${shown} cannot be counted: a ${/^y/i.test(month[1]!) ? 'year' : 'month'} is not a number of days`,
      { ...place, expected: 'days or weeks, such as 30 days before or 4 weeks before' },
    )
  const suggestion = suggestWords(words, readable)
  throw new PawlError('invalid_rule', `${shown} ${result.problem}`, {
    ...place,
    expected: result.expected,
    ...(suggestion === undefined ? {} : { suggestion }),
  })
}
