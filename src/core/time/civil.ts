// Owns the proleptic Gregorian calendar as arithmetic: a day is an integer, day 0 is 1970-01-01. No zones, no text.
// Written out because Date.UTC reads the years 0–99 as 1900–1999.

export const DAY_MS = 86_400_000

const DAYS_PER_ERA = 146_097
/** Days from 0000-03-01, where an era of 400 years begins, to 1970-01-01. */
const ERA_TO_EPOCH = 719_468

/** Counting the year from March puts the leap day last, so no month needs to know whether the year leaps. */
export const dayNumber = (year: number, month: number, day: number): number => {
  const marchYear = month > 2 ? year : year - 1
  const era = Math.floor(marchYear / 400)
  const yearOfEra = marchYear - era * 400
  const dayOfYear = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + day - 1
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear
  return era * DAYS_PER_ERA + dayOfEra - ERA_TO_EPOCH
}

export interface Civil {
  readonly year: number
  readonly month: number
  readonly day: number
}

export const civilOf = (dayNo: number): Civil => {
  const shifted = dayNo + ERA_TO_EPOCH
  const era = Math.floor(shifted / DAYS_PER_ERA)
  const dayOfEra = shifted - era * DAYS_PER_ERA
  const leapDays =
    Math.floor(dayOfEra / 1460) - Math.floor(dayOfEra / 36_524) + Math.floor(dayOfEra / 146_096)
  const yearOfEra = Math.floor((dayOfEra - leapDays) / 365)
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const marchMonth = Math.floor((5 * dayOfYear + 2) / 153)
  const month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
  return {
    year: yearOfEra + era * 400 + (month > 2 ? 0 : 1),
    month,
    day: dayOfYear - Math.floor((153 * marchMonth + 2) / 5) + 1,
  }
}

export const isLeapYear = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)

export const daysInMonth = (year: number, month: number): number =>
  month === 2 ? (isLeapYear(year) ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31

/** 0 = Sunday … 6 = Saturday, as cron counts. Day 0 was a Thursday. */
export const weekdayOf = (dayNo: number): number => (((dayNo + 4) % 7) + 7) % 7
