import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { refusedWith } from '../../../test/time/refusal.ts'
import { parseWeekdays, WEEKDAY_LABELS } from './weekday.ts'

describe('weekdays in words', () => {
  it.each([
    ['mon-fri', [1, 2, 3, 4, 5]],
    ['Mon', [1]],
    ['monday', [1]],
    ['Thurs', [4]],
    ['fri-mon', [0, 1, 5, 6]],
    ['sat-sat', [6]],
    ['weekdays', [1, 2, 3, 4, 5]],
    ['weekends', [0, 6]],
    ['daily', [0, 1, 2, 3, 4, 5, 6]],
    ['tue, thu', [2, 4]],
    [
      ['mon', 'Wednesday', 'mon'],
      [1, 3],
    ],
    [
      ['mon-tue', 'sun'],
      [0, 1, 2],
    ],
  ])('%j is %j', (input, days) => {
    expect(parseWeekdays(input, 'weekdays')).toEqual(days)
  })

  it.each([
    ['mnoday', 'monday'],
    ['weekday', 'weekdays'],
    ['mo', undefined],
    ['mon-', undefined],
    ['-fri', undefined],
    ['mon-tue-wed', undefined],
    ['mon-xyz', undefined],
    ['', undefined],
    ['constructor', undefined],
  ])('refuses %s, suggests %s', (input, suggestion) => {
    const { message, details } = refusedWith('invalid_window', () => parseWeekdays(input, 'window.weekdays'))
    expect(message).toBe(`“${input}” is not a weekday`)
    expect(details).toMatchObject({ path: 'window.weekdays' })
    expect(details.suggestion).toBe(suggestion)
  })

  it('reads every range as its days in turn', () => {
    const anyDay = fc.integer({ min: 0, max: 6 })
    fc.assert(
      fc.property(anyDay, fc.integer({ min: 0, max: 6 }), (from, length) => {
        const days = Array.from({ length: length + 1 }, (_, step) => (from + step) % 7)
        const range = `${WEEKDAY_LABELS[from]}-${WEEKDAY_LABELS[days.at(-1)!]}`
        expect(parseWeekdays(range, 'weekdays')).toEqual(days.sort())
      }),
    )
  })
})
