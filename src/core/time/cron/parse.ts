// Owns reading a schedule: 5 fields, 6 with seconds first, 7 with the year last; nicknames; intervals. Refuses what is
// too long before looking at it, and what can never come, so hostile text costs no more than a schedule does.

import { PawlError } from '../../errors.ts'
import { nearest } from '../../suggest.ts'
import type { Cron, Fields } from './cron.ts'
import { dayFrom } from './days.ts'
import { readDays } from './parse-days.ts'
import { HOUR, MINUTE, MONTH, readField, SECOND, YEAR } from './parse-field.ts'
import { parseInterval } from './parse-interval.ts'

const MAX_LENGTH = 128
const MAX_KEPT = 1000

const NICKNAMES: ReadonlyMap<string, string> = new Map([
  ['@hourly', '0 * * * *'],
  ['@daily', '0 0 * * *'],
  ['@midnight', '0 0 * * *'],
  ['@weekly', '0 0 * * 0'],
  ['@monthly', '0 0 1 * *'],
  ['@yearly', '0 0 1 1 *'],
  ['@annually', '0 0 1 1 *'],
])

const refuse = (text: string, why: string, expected: string, suggestion?: string): PawlError =>
  new PawlError('invalid_cron', `“${text.slice(0, 80)}${text.length > 80 ? '…' : ''}” ${why}`, {
    expected,
    ...(suggestion === undefined ? {} : { suggestion }),
  })

const expand = (text: string): string => {
  if (!text.startsWith('@')) return text
  const pattern = NICKNAMES.get(text.toLowerCase())
  if (pattern !== undefined) return pattern
  const known = [...NICKNAMES.keys(), '@every 1h']
  throw refuse(text, 'is not a known nickname', known.join(', '), nearest(text, known))
}

const partsOf = (text: string): readonly string[] => {
  const zoneSetting = /^(?:CRON_)?TZ=\S*\s*/i
  if (zoneSetting.test(text)) {
    const why = 'sets a time zone inside the expression'
    throw refuse(text, why, 'the zone as a setting of its own', text.replace(zoneSetting, ''))
  }
  const parts = expand(text).split(/\s+/)
  if (parts.length >= 5 && parts.length <= 7) return parts
  throw refuse(
    text,
    `has ${parts.length} field${parts.length === 1 ? '' : 's'}`,
    '5 fields (minute hour day month weekday), 6 with seconds first, 7 with the year last',
    [...parts, '*', '*', '*', '*'].slice(0, 5).join(' '),
  )
}

const parseFields = (text: string): Fields => {
  const parts = partsOf(text)
  const [second, minute, hour, monthDay, month, weekday, year = '*'] =
    parts.length === 5 ? ['0', ...parts] : parts
  const fields: Fields = {
    kind: 'fields',
    text,
    seconds: readField(SECOND, second!),
    minutes: readField(MINUTE, minute!),
    hours: readField(HOUR, hour!),
    days: readDays(monthDay!, weekday!),
    months: readField(MONTH, month!),
    ...(year === '*' ? {} : { years: readField(YEAR, year) }),
  }
  if (dayFrom(fields, 0) !== undefined) return fields
  const named = parts.with(parts.length === 5 ? 2 : 3, 'L').join(' ')
  throw new PawlError('never_fires', `“${text}” never fires: it names a date that no year has`, {
    expected: 'a date that exists',
    ...(fields.days.every((rule) => rule.kind === 'day') ? { suggestion: named } : {}),
  })
}

const kept = new Map<string, Cron>()

export const parseCron = (text: string): Cron => {
  const known = kept.get(text)
  if (known !== undefined) return known
  if (text.length > MAX_LENGTH)
    throw refuse(text, `is ${text.length} characters long`, `at most ${MAX_LENGTH} characters`)
  const trimmed = text.trim()
  if (trimmed === '') throw refuse(text, 'is empty', 'a pattern such as 0 9 * * MON-FRI', '0 9 * * *')
  const cron = parseInterval(trimmed) ?? parseFields(trimmed)
  if (kept.size >= MAX_KEPT) kept.clear()
  kept.set(text, cron)
  return cron
}
