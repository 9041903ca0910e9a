import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { refusedWith } from '../../../test/time/refusal.ts'
import { guessTime, parseTime, printTime } from './time-of-day.ts'

describe('times of day', () => {
  it.each([
    ['00:00', 0],
    ['09:00', 32_400_000],
    ['23:59', 86_340_000],
    ['23:59:59', 86_399_000],
  ])('%s is %i ms after midnight', (text, ms) => {
    expect(parseTime(text)).toBe(ms)
    expect(printTime(ms)).toBe(text)
  })

  it.each([
    ['9:00', '09:00'],
    ['9am', '09:00'],
    ['9 AM', '09:00'],
    ['12am', '00:00'],
    ['12pm', '12:00'],
    ['9.30pm', '21:30'],
    ['9:30 p.m.', '21:30'],
    ['17h', '17:00'],
    ['17h30', '17:30'],
    ['0900', '09:00'],
    ["8 o'clock", '08:00'],
    ['noon', '12:00'],
    ['midday', '12:00'],
    ['midnight', '00:00'],
    ['24:00', undefined],
    ['13pm', undefined],
    ['0am', undefined],
    ['09:60', undefined],
    ['soon', undefined],
    ['', undefined],
  ])('refuses %s, suggests %s', (text, suggestion) => {
    const { message, details } = refusedWith('invalid_date', () => parseTime(text, 'at.time'))
    expect(message).toBe(`“${text}” is not a time of day`)
    expect(details.path).toBe('at.time')
    expect(details.suggestion).toBe(suggestion)
    expect(guessTime(text)).toBe(suggestion)
  })

  it('refuses without a place when it was given none', () => {
    expect(refusedWith('invalid_date', () => parseTime('x'.repeat(9999))).details).not.toHaveProperty('path')
  })

  it('parses what it prints', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 86_399 }), (second) => {
        expect(parseTime(printTime(second * 1000))).toBe(second * 1000)
      }),
    )
  })
})
