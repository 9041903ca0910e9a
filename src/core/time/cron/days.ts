// Owns which days a pattern names: the next one, the one before, and how many. The months it names are an ordered list
// that is never written out: a place in it is computed, so going forward, going back and counting are the same sums.
// Bound: a search looks at no more than MAX_MONTHS months, whatever the pattern and wherever it starts.

import { type Civil, civilOf, dayNumber } from '../civil.ts'
import { FIRST_YEAR, type Fields, LAST_NAMED_YEAR, LAST_YEAR } from './cron.ts'
import { daysOfMonth } from './month-days.ts'

/** The rarest date, a fifth Monday in February, comes back after 40 years at most (2072 → 2112). */
const RAREST_YEARS = 41
export const MAX_MONTHS: number = 12 * Math.max(RAREST_YEARS, LAST_NAMED_YEAR - FIRST_YEAR + 1)

type Month = Omit<Civil, 'day'>

/** How many of the sorted values are smaller. */
export const below = (sorted: readonly number[], value: number): number => {
  let count = 0
  while (count < sorted.length && sorted[count]! < value) count++
  return count
}

/** A month's place in the list. Without a year field the list starts in year 0. */
const placeOf = ({ years, months }: Fields, year: number, month: number): number => {
  if (years === undefined) return year * months.length + below(months, month)
  const yearIndex = below(years, year)
  return yearIndex * months.length + (years[yearIndex] === year ? below(months, month) : 0)
}

const monthAt = ({ years, months }: Fields, place: number): Month => {
  const yearIndex = Math.floor(place / months.length)
  return { year: years === undefined ? yearIndex : years[yearIndex]!, month: months[place % months.length]! }
}

const firstPlace = ({ years, months }: Fields): number =>
  years === undefined ? FIRST_YEAR * months.length : 0
const endPlace = ({ years, months }: Fields): number =>
  (years === undefined ? LAST_YEAR + 1 : years.length) * months.length
/** A list of years ends by itself; without one, what does not come in the rarest time never comes. */
const reach = ({ years, months }: Fields): number =>
  years === undefined ? RAREST_YEARS * months.length : Number.POSITIVE_INFINITY

const isIn = (month: Month, date: Civil): boolean => month.year === date.year && month.month === date.month

export const dayFrom = (fields: Fields, dayNo: number): number | undefined => {
  const date = civilOf(dayNo)
  const start = Math.max(placeOf(fields, date.year, date.month), firstPlace(fields))
  const end = Math.min(endPlace(fields), start + reach(fields))
  for (let place = start; place < end; place++) {
    const month = monthAt(fields, place)
    let days = daysOfMonth(fields.days, month.year, month.month)
    if (isIn(month, date)) days &= -1 << date.day
    if (days !== 0) return dayNumber(month.year, month.month, 31 - Math.clz32(days & -days))
  }
  return undefined
}

export const dayUpTo = (fields: Fields, dayNo: number): number | undefined => {
  const date = civilOf(dayNo)
  const end = Math.min(placeOf(fields, date.year, date.month + 1), endPlace(fields))
  const start = Math.max(firstPlace(fields), end - reach(fields))
  for (let place = end - 1; place >= start; place--) {
    const month = monthAt(fields, place)
    let days = daysOfMonth(fields.days, month.year, month.month)
    if (isIn(month, date)) days &= ~(-2 << date.day)
    if (days !== 0) return dayNumber(month.year, month.month, 31 - Math.clz32(days))
  }
  return undefined
}

const bitCount = (bits: number): number => {
  let count = 0
  for (let rest = bits; rest !== 0; rest &= rest - 1) count++
  return count
}

/** How many named days there are with from ≤ day < to. */
export const countDays = (fields: Fields, from: number, to: number): number => {
  const [first, after] = [civilOf(from), civilOf(to)]
  const start = Math.max(placeOf(fields, first.year, first.month), firstPlace(fields))
  const end = Math.min(placeOf(fields, after.year, after.month + 1), endPlace(fields))
  let count = 0
  for (let place = start; place < end; place++) {
    const month = monthAt(fields, place)
    let days = daysOfMonth(fields.days, month.year, month.month)
    if (isIn(month, first)) days &= -1 << first.day
    if (isIn(month, after)) days &= ~(-1 << after.day)
    count += bitCount(days)
  }
  return count
}
