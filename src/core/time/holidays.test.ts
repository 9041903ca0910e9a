import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseDate } from './date.ts'
import { holidaysOf, isHoliday } from './holidays.ts'

describe('holidays', () => {
  it('are dates in order, each once, fit for storing', () => {
    const days = ['2026-12-25', '2025-12-25', '2026-12-25'].map((date) => parseDate(date))
    expect(holidaysOf(days)).toEqual(['2025-12-25', '2026-12-25'])
  })

  it('are found by search exactly when they are in the list', () => {
    const anyDay = fc.integer({ min: 20_000, max: 20_200 })
    fc.assert(
      fc.property(fc.array(anyDay), anyDay, (days, day) => {
        expect(isHoliday(holidaysOf(days), day)).toBe(days.includes(day))
      }),
    )
  })
})
