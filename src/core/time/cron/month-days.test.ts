import { describe, expect, it } from 'vitest'
import type { DayRule } from './cron.ts'
import { daysOfMonth } from './month-days.ts'

const days = (rules: readonly DayRule[], year: number, month: number): readonly number[] => {
  const bits = daysOfMonth(rules, year, month)
  return Array.from({ length: 32 }, (_, day) => day).filter((day) => ((bits >>> day) & 1) === 1)
}
const nearest = (day: number | 'last'): readonly DayRule[] => [{ kind: 'nearest', day }]
const nth = (weekday: number, which: number | 'last'): readonly DayRule[] => [
  { kind: 'nth', weekday, nth: which },
]

describe('the days of one month', () => {
  it.each([
    ['every day of a long month', [], 2026, 1, Array.from({ length: 31 }, (_, index) => index + 1)],
    ['every day of a leap February', [], 2028, 2, Array.from({ length: 29 }, (_, index) => index + 1)],
    ['day 31 of a short month', [{ kind: 'day', day: 31 }], 2026, 4, []],
    ['L of February', [{ kind: 'fromEnd', days: 0 }], 2026, 2, [28]],
    ['L-30 of a long month', [{ kind: 'fromEnd', days: 30 }], 2026, 1, [1]],
    ['L-30 of a short month', [{ kind: 'fromEnd', days: 30 }], 2026, 4, []],
    ['Sundays', [{ kind: 'weekday', weekday: 0 }], 2026, 3, [1, 8, 15, 22, 29]],
    ['FRI#2', nth(5, 2), 2026, 11, [13]],
    ['FRI#5 where there is none', nth(5, 5), 2026, 11, []],
    ['FRIL of five', nth(5, 'last'), 2026, 7, [31]],
    ['FRIL of four', nth(5, 'last'), 2026, 11, [27]],
    ['several rules add up', [{ kind: 'day', day: 1 }, ...nth(5, 2)], 2026, 11, [1, 13]],
  ] as const)('%s', (_, rules, year, month, expected) => {
    expect(days(rules, year, month)).toEqual(expected)
  })

  it.each([
    ['a weekday stays', 15, 2026, 7, [15]],
    ['a Saturday goes back', 15, 2026, 8, [14]],
    ['a Sunday goes on', 15, 2026, 11, [16]],
    ['Saturday the 1st stays in its month', 1, 2026, 8, [3]],
    ['Sunday the last stays in its month', 31, 2026, 5, [29]],
    ['31W of a short month is not', 31, 2026, 4, []],
    ['LW on a Saturday', 'last', 2026, 10, [30]],
    ['LW on a Sunday', 'last', 2026, 5, [29]],
    ['LW on a weekday', 'last', 2026, 7, [31]],
  ] as const)('W: %s', (_, day, year, month, expected) => {
    expect(days(nearest(day), year, month)).toEqual(expected)
  })
})
