import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { civilOf, DAY_MS, dayNumber, daysInMonth, isLeapYear, weekdayOf } from './civil.ts'

const anyDay = fc.integer({ min: -1_000_000, max: 4_000_000 })

describe('the calendar as arithmetic', () => {
  it.each([
    [1970, 1, 1, 0],
    [1969, 12, 31, -1],
    [2000, 2, 29, 11_016],
    [2000, 3, 1, 11_017],
    [2026, 5, 9, 20_582],
    [1, 1, 1, -719_162],
    [0, 2, 29, -719_469],
  ])('%i-%i-%i is day %i', (year, month, day, number) => {
    expect(dayNumber(year, month, day)).toBe(number)
    expect(civilOf(number)).toEqual({ year, month, day })
  })

  it('agrees with the platform on every day it can name', () => {
    fc.assert(
      fc.property(anyDay, (number) => {
        const date = new Date(number * DAY_MS)
        expect(civilOf(number)).toEqual({
          year: date.getUTCFullYear(),
          month: date.getUTCMonth() + 1,
          day: date.getUTCDate(),
        })
        expect(weekdayOf(number)).toBe(date.getUTCDay())
      }),
      { numRuns: 2000 },
    )
  })

  it('is its own inverse and never skips a day', () => {
    fc.assert(
      fc.property(anyDay, (number) => {
        const { year, month, day } = civilOf(number)
        expect(dayNumber(year, month, day)).toBe(number)
        expect(dayNumber(year, month, day + 1)).toBe(number + 1)
      }),
    )
  })

  it('knows leap years and the lengths of months', () => {
    expect([1900, 2000, 2023, 2024, 2100].map(isLeapYear)).toEqual([false, true, false, true, false])
    const lengths = Array.from({ length: 12 }, (_, index) => daysInMonth(2023, index + 1))
    expect(lengths).toEqual([31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31])
    expect(daysInMonth(2024, 2)).toBe(29)
  })
})
