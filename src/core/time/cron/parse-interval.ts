// Owns plain intervals: `every 90s`, `every 1 hour 30 minutes`, `@every 1h30m`. Elapsed time only: a day is 23 to 25
// hours long, so days and weeks are refused here and belong to a pattern such as @daily.

import { PawlError } from '../../errors.ts'
import { DAY_MS } from '../civil.ts'
import type { Interval } from './cron.ts'

const UNITS: readonly (readonly [ms: number, names: readonly string[]])[] = [
  [3_600_000, ['h', 'hr', 'hrs', 'hour', 'hours']],
  [60_000, ['m', 'min', 'mins', 'minute', 'minutes']],
  [1000, ['s', 'sec', 'secs', 'second', 'seconds']],
]
/** As long as any duration may be. */
const MAX_MS = 366 * DAY_MS
const PART = /(\d{1,9})\s*([a-z]+)/g

const unitMs = (name: string): number => UNITS.find(([, names]) => names.includes(name))?.[0] ?? Number.NaN

/** Days and weeks as people write them, and what to write instead. */
const suggestionFor = (amount: string): string => {
  const [, count = '1', unit] = /^(\d{0,3})\s*(d|w|month)/.exec(amount) ?? []
  if (unit === undefined) return 'every 90s'
  if (Number(count || 1) === 1) return { d: '@daily', w: '@weekly', month: '@monthly' }[unit]!
  return unit === 'month' ? '@monthly' : `every ${Number(count) * (unit === 'd' ? 24 : 168)}h`
}

const lengthOf = (amount: string): number => {
  const counted = /^\d/.test(amount) ? amount : `1 ${amount}`
  if (counted.replaceAll(PART, '').trim() !== '') return Number.NaN
  return [...counted.matchAll(PART)].reduce((sum, [, count, unit]) => sum + Number(count) * unitMs(unit!), 0)
}

/** Undefined when the text does not start as an interval does. */
export const parseInterval = (text: string): Interval | undefined => {
  if (!/^@?every(\s|$)/i.test(text)) return undefined
  const amount = text.toLowerCase().replace(/^@?every\s*/, '')
  const everyMs = lengthOf(amount)
  if (everyMs >= 1000 && everyMs <= MAX_MS) return { kind: 'interval', text, everyMs }
  if (everyMs > MAX_MS)
    throw new PawlError('duration_out_of_range', `“${text}” is longer than a year`, {
      expected: 'at most 366 days',
    })
  if (everyMs < 1000 || /^\d+\s*ms$/.test(amount))
    throw new PawlError('interval_too_short', `“${text}” is shorter than a second`, {
      expected: 'at least 1 second',
      suggestion: 'every 1s',
    })
  throw new PawlError('invalid_cron', `interval “${text}” cannot be read`, {
    field: 'interval',
    value: amount,
    expected: 'every and hours, minutes or seconds, such as every 90s or every 5 minutes',
    suggestion: suggestionFor(amount),
  })
}
