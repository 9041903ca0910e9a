// Owns calendar dates as text: YYYY-MM-DD, strictly, existing days only. Inside, a date is a day number (civil.ts),
// so adding days and weeks, comparing and counting are plain arithmetic. A date has no zone and no time.

import { PawlError } from '../errors.ts'
import { civilOf, dayNumber, daysInMonth } from './civil.ts'

/** Days since 1970-01-01. */
export type Day = number

const FORM = /^(\d{4})-(\d{2})-(\d{2})$/
/** 2026-5-9, 2026/05/09, 20260509 and a date with a time: understood well enough to suggest, never taken. */
const LOOSE = /^\s*(\d{4})[-/. ]?(\d{1,2})[-/. ]?(\d{1,2})(?:[T\s].*)?$/

const exists = (year: number, month: number, day: number): boolean =>
  year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month)

const pad = (value: number, width = 2): string => String(value).padStart(width, '0')

export const printDate = (dayNo: Day): string => {
  const { year, month, day } = civilOf(dayNo)
  return `${pad(year, 4)}-${pad(month)}-${pad(day)}`
}

const refusal = (text: string, why: string, path: string | undefined): PawlError => {
  const loose = LOOSE.exec(text.slice(0, 80))
  const [year, month, day] = (loose ?? []).slice(1).map(Number)
  const meant =
    year !== undefined && exists(year, month!, day!) ? printDate(dayNumber(year, month!, day!)) : undefined
  return new PawlError('invalid_date', `“${text.slice(0, 80)}” ${why}`, {
    expected: 'a date such as 2026-05-09',
    ...(path === undefined ? {} : { path }),
    ...(meant === undefined ? {} : { suggestion: meant }),
  })
}

export const parseDate = (text: string, path?: string): Day => {
  const match = FORM.exec(text)
  if (match === null) throw refusal(text, 'is not a date written as YYYY-MM-DD', path)
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])]
  if (!exists(year, month, day)) throw refusal(text, 'is a day that does not exist', path)
  return dayNumber(year, month, day)
}
