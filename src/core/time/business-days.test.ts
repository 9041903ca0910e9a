import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { refusedWith } from '../../../test/time/refusal.ts'
import {
  addBusinessDays,
  type BusinessCalendar,
  isBusinessDay,
  MONDAY_TO_FRIDAY,
  nextBusinessDay,
} from './business-days.ts'
import { parseDate, printDate } from './date.ts'
import { holidaysOf } from './holidays.ts'

const christmas: BusinessCalendar = { weekdays: [1, 2, 3, 4, 5], holidays: ['2026-12-25', '2026-12-28'] }
const moved = (date: string, count: number, calendar: BusinessCalendar): string =>
  printDate(addBusinessDays(parseDate(date), count, calendar))

const anyDay = fc.integer({ min: 20_000, max: 25_000 })
const anyCalendar: fc.Arbitrary<BusinessCalendar> = fc.record({
  weekdays: fc.uniqueArray(fc.integer({ min: 0, max: 6 }), { minLength: 1 }),
  holidays: fc.uniqueArray(anyDay, { maxLength: 400 }).map(holidaysOf),
})

describe('business days', () => {
  it.each([
    ['2026-05-08', 1, '2026-05-11', 'Friday to Monday'],
    ['2026-05-09', 1, '2026-05-11', 'a Saturday to Monday'],
    ['2026-05-10', -1, '2026-05-08', 'a Sunday back to Friday'],
    ['2026-05-09', -3, '2026-05-06', 'three before a Saturday'],
    ['2026-05-06', 5, '2026-05-13', 'a working week'],
    ['2026-05-09', 0, '2026-05-09', 'none stays, even on a Saturday'],
  ])('%s %i → %s: %s', (date, count, expected) => {
    expect(moved(date, count, MONDAY_TO_FRIDAY)).toBe(expected)
  })

  it('does not count holidays', () => {
    expect(moved('2026-12-24', 1, christmas)).toBe('2026-12-29')
    expect(moved('2026-12-29', -1, christmas)).toBe('2026-12-24')
    expect(isBusinessDay(parseDate('2026-12-28'), christmas)).toBe(false)
    expect(isBusinessDay(parseDate('2026-12-29'), christmas)).toBe(true)
  })

  it('takes the day itself as the next business day when it is one', () => {
    expect(printDate(nextBusinessDay(parseDate('2026-12-24'), christmas))).toBe('2026-12-24')
    expect(printDate(nextBusinessDay(parseDate('2026-12-25'), christmas))).toBe('2026-12-29')
  })

  it('refuses a week without business days instead of walking for ever', () => {
    refusedWith('invalid_window', () => addBusinessDays(0, 1, { weekdays: [], holidays: [] }))
  })

  it('lands on a business day, with exactly that many passed', () => {
    fc.assert(
      fc.property(anyDay, fc.integer({ min: 1, max: 60 }), anyCalendar, (day, count, calendar) => {
        const end = addBusinessDays(day, count, calendar)
        expect(isBusinessDay(end, calendar)).toBe(true)
        const passed = Array.from({ length: end - day }, (_, step) => day + 1 + step)
        expect(passed.filter((at) => isBusinessDay(at, calendar))).toHaveLength(count)
      }),
    )
  })

  it('comes back: n on and n back from a business day is that day, and next is idempotent', () => {
    fc.assert(
      fc.property(anyDay, fc.integer({ min: 1, max: 60 }), anyCalendar, (day, count, calendar) => {
        const start = nextBusinessDay(day, calendar)
        expect(nextBusinessDay(start, calendar)).toBe(start)
        expect(addBusinessDays(addBusinessDays(start, count, calendar), -count, calendar)).toBe(start)
      }),
    )
  })
})
