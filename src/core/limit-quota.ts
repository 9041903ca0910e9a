// Owns quotas: so many in a day or a month of somebody's calendar, and when the next one begins.

import { PawlError } from './errors.ts'
import { civilOf, dayNumber } from './time/civil.ts'
import { assertZone, instantsOf, localAt } from './time/zone.ts'

export interface Quota {
  readonly count: number
  readonly period: 'day' | 'month'
  /** An IANA name. */
  readonly zone: string
}

export interface QuotaState {
  /** The end of the period that is counted. */
  readonly until: number
  readonly used: number
}

const LONGEST_MONTH = 31
const FORM = /^([1-9]\d{0,11})\/(day|month|d)$/

export const parseQuota = (text: string, zone = 'UTC', path = 'quota'): Quota => {
  const match = FORM.exec(text)
  if (match === null)
    throw new PawlError('invalid_option', `“${String(text).slice(0, 80)}” is no quota`, {
      path,
      expected: 'a quota such as 1000/day or 50000/month',
    })
  const period = match[2] === 'month' ? 'month' : 'day'
  return { count: Number(match[1]), period, zone: assertZone(zone, `${path}.zone`) }
}

/** The first instant of the next period. */
export const periodEnd = ({ period, zone }: Quota, now: number): number => {
  const { year, month, day } = localAt(now, zone)
  const isDay = period === 'day'
  const next = civilOf(isDay ? dayNumber(year, month, day) + 1 : dayNumber(year, month, 1) + LONGEST_MONTH)
  const midnight = { ...next, ...(!isDay && { day: 1 }), hour: 0, minute: 0, second: 0, millisecond: 0 }
  return instantsOf(midnight, zone).first
}

/** How many of those who ask may go, and what is kept then. */
export const takeQuota = (
  kept: QuotaState | undefined,
  quota: Quota,
  asked: number,
  now: number,
): { readonly state: QuotaState; readonly granted: number } => {
  const isCounted = kept !== undefined && now < kept.until
  const used = isCounted ? kept.used : 0
  const until = isCounted ? kept.until : periodEnd(quota, now)
  const granted = Math.max(0, Math.min(asked, quota.count - used))
  return { state: { until, used: used + granted }, granted }
}
