// Owns the days of a pattern in words: which days, which months, which years. Leaves the times to words.ts.

import type { DayRule, Fields } from './cron.ts'
import { counted, listed, named } from './set-words.ts'

const MONTHS: readonly string[] =
  'January February March April May June July August September October November December'.split(' ')
/** From Monday, so that a weekend is one piece. */
const WEEKDAYS: readonly string[] = 'Monday Tuesday Wednesday Thursday Friday Saturday Sunday'.split(' ')
const NTH: readonly string[] = ['first', 'second', 'third', 'fourth', 'fifth']

const fromMonday = (weekday: number): number => (weekday + 6) % 7

const weekdayWords = (weekdays: readonly number[]): string => {
  const ordered = weekdays.map(fromMonday).sort()
  const key = ordered.join('')
  if (key === '01234') return 'weekdays'
  return key === '56' ? 'weekends' : named(ordered, (weekday) => WEEKDAYS[weekday]!)
}

const ruleWords = (rule: Exclude<DayRule, { kind: 'day' | 'weekday' }>): string => {
  switch (rule.kind) {
    case 'fromEnd':
      if (rule.days === 0) return 'on the last day of the month'
      return `${rule.days} day${rule.days === 1 ? '' : 's'} before the last day of the month`
    case 'nearest':
      if (rule.day === 'last') return 'on the last weekday of the month'
      return `on the weekday nearest day ${rule.day} of the month`
    case 'nth': {
      const which = rule.nth === 'last' ? 'last' : NTH[rule.nth - 1]
      return `on the ${which} ${WEEKDAYS[fromMonday(rule.weekday)]} of the month`
    }
  }
}

/** "on weekdays", "only on Sunday", "on day 13 of the month or on Friday"; empty for every day. */
export const dayWords = (rules: readonly DayRule[]): string => {
  const days: number[] = []
  const weekdays: number[] = []
  const others: string[] = []
  for (const rule of rules) {
    if (rule.kind === 'day') days.push(rule.day)
    else if (rule.kind === 'weekday') weekdays.push(rule.weekday)
    else others.push(ruleWords(rule))
  }
  const week = weekdayWords(weekdays)
  const isGroup = week === 'weekdays' || week === 'weekends'
  if (weekdays.length === rules.length && weekdays.length > 0)
    return isGroup ? `on ${week}` : `only on ${week}`
  return [
    ...(days.length === 0 ? [] : [`on ${counted('day', days)} of the month`]),
    ...others,
    ...(weekdays.length === 0 ? [] : [`on ${week}`]),
  ].join(' or ')
}

export const monthWords = ({ months }: Fields): string =>
  months.length === 12 ? '' : `in ${named(months, (month) => MONTHS[month - 1]!)}`

export const yearWords = ({ years }: Fields): string => {
  if (years === undefined) return ''
  return `in ${years.length > 2 ? counted('year', years) : listed(years.map(String))}`
}
