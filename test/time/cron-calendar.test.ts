// L, W, #, lists and steps of days against the oracle's reading of them, day by day over four decades: leap years, a
// century without a leap day (2100), and every month on every weekday it can start on.

import { expect, it } from 'vitest'
import { parseCron } from '../../src/core/time/cron/parse.ts'
import { cronSchedule } from '../../src/core/time/cron/schedule.ts'
import { readPattern } from './cron-oracle.ts'

const DAY = 86_400_000
const FROM = Date.UTC(2072, 0, 1)
const TO = Date.UTC(2113, 0, 1)

const DAYS = [
  ...[
    'L * *',
    'L-1 * *',
    'L-6 * *',
    'L-28 * *',
    'L-30 * *',
    'LW * *',
    '1W * *',
    '15W * *',
    '28W 2 *',
    '29W 2 *',
    '31W * *',
  ],
  ...[
    '29 2 *',
    '31 * *',
    '*/2 * *',
    '28/2 * *',
    '1,LW * *',
    '* * 0L',
    '* * FRIL',
    '* * MON#1',
    '* * 7#5',
    '* 2 MON#5',
  ],
  ...['13 * FRI', 'L * SUN#1', '31 2,4 3', '* * FRI-MON/2', '* * 7-2', '* NOV-FEB 5-7', '*/5 */5 *'],
]

it.each(DAYS)('0 0 %s', (days) => {
  const pattern = `0 0 ${days}`
  const { names } = readPattern(pattern)
  const expected: number[] = []
  for (let at = FROM; at < TO; at += DAY) if (names(at / DAY)) expected.push(at)
  const schedule = cronSchedule(parseCron(pattern), { zone: 'UTC' })
  expect([...schedule.between(FROM, TO)]).toEqual(expected)
  expect(schedule.count(FROM, TO)).toBe(expected.length)
  expect(schedule.previous(TO)).toBe(expected.at(-1))
})
