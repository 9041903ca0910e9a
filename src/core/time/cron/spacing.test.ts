import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PawlError } from '../../errors.ts'
import { parseCron } from './parse.ts'
import { cronSchedule } from './schedule.ts'
import { assertMinInterval, shortestInterval } from './spacing.ts'

const MINUTE = 60
const HOUR = 3600
const DAY = 86_400

describe('the shortest time between two firings', () => {
  it.each([
    ['* * * * * *', 1],
    ['*/10 * * * * *', 10],
    ['5,58 * * * * *', 7],
    ['5,58 0 * * * *', 53],
    ['5,58 * 9 * * *', 7],
    ['0,59 9,10 * * *', MINUTE],
    ['* * * * *', MINUTE],
    ['*/7 * * * *', 4 * MINUTE],
    ['0 * * * *', HOUR],
    ['0,30 9 * * *', HOUR / 2],
    ['0 */5 * * *', 4 * HOUR],
    ['0 9 * * *', DAY],
    ['0 0,23 * * *', HOUR],
    ['0 0,23 * * SUN', 23 * HOUR],
    ['0 9 * * MON-FRI', DAY],
    ['0 9 * * SUN', 7 * DAY],
    ['0 9 * * TUE,THU', 2 * DAY],
    ['0 9 1 * *', 28 * DAY],
    ['0 9 L * *', 28 * DAY],
    ['0 9 31 * *', 31 * DAY],
    ['0 9 29 2 *', 1461 * DAY],
    ['0 9 * 2 MON#5', 28 * 365.25 * DAY],
    ['0 0 0 1 1 ? 2030,2033', (3 * 365 + 1) * DAY],
    ['0 0 0 1 1 ? 2030', Number.POSITIVE_INFINITY],
    ['every 90s', 90],
  ])('%s', (text, seconds) => {
    expect(shortestInterval(parseCron(text))).toBe(seconds * 1000)
  })

  it('no two firings in UTC are ever closer', () => {
    const field = (max: number) => fc.array(fc.integer({ min: 0, max }), { minLength: 1, maxLength: 3 })
    fc.assert(
      fc.property(
        field(59),
        field(59),
        field(23),
        fc.constantFrom('*', '1,2', 'L', '15W'),
        (s, m, h, days) => {
          const cron = parseCron(`${s} ${m} ${h} ${days} * *`)
          const firings = cronSchedule(cron, { zone: 'UTC' }).nextN(Date.UTC(2026, 0, 1), 120)
          const steps = firings.slice(1).map((firing, index) => firing - firings[index]!)
          expect(Math.min(...steps)).toBeGreaterThanOrEqual(shortestInterval(cron))
          if (days === '*') expect(Math.min(...steps)).toBe(shortestInterval(cron))
        },
      ),
    )
  })
})

describe('S33: a limit on how often', () => {
  it('lets pass what keeps it', () => {
    expect(() => assertMinInterval(parseCron('* * * * *'), 60_000)).not.toThrow()
    expect(() => assertMinInterval(parseCron('every 60s'), 60_000)).not.toThrow()
  })

  it.each(['* * * * * *', '0,59 * * * * *', 'every 59s'])('refuses %s at one a minute', (text) => {
    let refused: unknown
    try {
      assertMinInterval(parseCron(text), 60_000)
    } catch (error) {
      refused = error
    }
    expect(refused).toBeInstanceOf(PawlError)
    expect(refused).toMatchObject({ code: 'interval_too_short', details: { suggestion: 'every 60s' } })
    expect((refused as PawlError).message).toMatch(/^“.*” fires \d+s apart; the shortest allowed is 1m$/)
  })
})
