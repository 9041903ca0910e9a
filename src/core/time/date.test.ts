import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { refusedWith } from '../../../test/time/refusal.ts'
import { civilOf } from './civil.ts'
import { parseDate, printDate } from './date.ts'

const anyDay = fc.integer({ min: parseDate('0001-01-01'), max: parseDate('9999-12-31') })

describe('calendar dates', () => {
  it.each([
    ['1970-01-01', 0],
    ['2024-02-29', 19_782],
    ['2026-05-09', 20_582],
    ['0099-12-31', -683_004],
  ])('%s is day %i', (text, day) => {
    expect(parseDate(text)).toBe(day)
    expect(printDate(day)).toBe(text)
  })

  it.each([
    ['2026-02-29', 'does not exist', undefined],
    ['2026-13-01', 'does not exist', undefined],
    ['2026-00-10', 'does not exist', undefined],
    ['2026-04-31', 'does not exist', undefined],
    ['2026-04-00', 'does not exist', undefined],
    ['0000-01-01', 'does not exist', undefined],
    ['2026-5-9', 'YYYY-MM-DD', '2026-05-09'],
    ['2026/05/09', 'YYYY-MM-DD', '2026-05-09'],
    ['20260509', 'YYYY-MM-DD', '2026-05-09'],
    ['2026-05-09T18:00:00Z', 'YYYY-MM-DD', '2026-05-09'],
    ['9 May 2026', 'YYYY-MM-DD', undefined],
    ['09/05/2026', 'YYYY-MM-DD', undefined],
    ['', 'YYYY-MM-DD', undefined],
  ])('refuses %s: %s', (text, why, suggestion) => {
    const { message, details } = refusedWith('invalid_date', () => parseDate(text, 'variables.weddingDate'))
    expect(message).toContain(`“${text}”`)
    expect(message).toContain(why)
    expect(details).toMatchObject({ path: 'variables.weddingDate', expected: 'a date such as 2026-05-09' })
    expect(details.suggestion).toBe(suggestion)
  })

  it('quotes at most 80 characters', () => {
    const { message, details } = refusedWith('invalid_date', () => parseDate('2'.repeat(100_000)))
    expect(message.length).toBeLessThan(150)
    expect(details).not.toHaveProperty('path')
  })

  it('parses what it prints and prints what it parses', () => {
    fc.assert(
      fc.property(anyDay, (day) => {
        expect(parseDate(printDate(day))).toBe(day)
      }),
    )
  })

  it('orders text as it orders days', () => {
    fc.assert(
      fc.property(anyDay, anyDay, (a, b) => {
        expect(Math.sign(a - b)).toBe(Math.sign(printDate(a).localeCompare(printDate(b), 'en')))
      }),
    )
  })

  it('J-001: 42 days before is 42 days of calendar, over leap days and year ends', () => {
    expect(printDate(parseDate('2024-04-01') - 42)).toBe('2024-02-19')
    expect(printDate(parseDate('2026-01-10') - 42)).toBe('2025-11-29')
    expect(civilOf(parseDate('2028-02-28') + 1)).toEqual({ year: 2028, month: 2, day: 29 })
  })
})
