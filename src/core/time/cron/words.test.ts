import fc from 'fast-check'
import { expect, describe as group, it } from 'vitest'
import type { Cron, DayRule } from './cron.ts'
import { parseCron } from './parse.ts'
import { cronWords, describe } from './words.ts'

group('R-062: a schedule in words', () => {
  it.each([
    ['0 9 * * MON-FRI', 'Weekdays at 09:00 (Europe/London)'],
    ['30 1 * * SUN', 'At 01:30, only on Sunday (Europe/London)'],
    ['every 90s', 'Every 90 seconds of elapsed time (Europe/London)'],
  ])('%s in its own zone', (text, words) => {
    expect(describe(parseCron(text), 'Europe/London')).toBe(words)
  })

  it.each([
    ['0 9 * * *', 'Every day at 09:00'],
    ['0 9,17 * * *', 'Every day at 09:00 and 17:00'],
    ['15,45 9,17 * * 6,0', 'Weekends at 09:15, 09:45, 17:15 and 17:45'],
    ['15 30 9 * * *', 'Every day at 09:30:15'],
    ['0 0 * * MON,WED,FRI', 'At 00:00, only on Monday, Wednesday and Friday'],
    ['0 0 * * MON-THU', 'At 00:00, only on Monday through Thursday'],
    ['0 0 * * FRI-MON', 'At 00:00, only on Monday, Friday, Saturday and Sunday'],
    ['*/15 * * * *', 'Every 15 minutes'],
    ['* * * * *', 'Every minute'],
    ['0 * * * *', 'Every hour'],
    ['0 */4 * * *', 'Every 4 hours'],
    ['0 */5 * * *', 'Every day at 00:00, 05:00, 10:00, 15:00 and 20:00'],
    ['0 9-17 * * *', 'Every hour from 09:00 through 17:00'],
    ['0 9-17 * * MON-FRI', 'Every hour from 09:00 through 17:00, on weekdays'],
    ['0 1,2,3,5,7,9,11 * * *', 'At minute 0, in hours 1, 2, 3, 5, 7, 9 and 11'],
    ['30 * * * *', 'At minute 30 of every hour'],
    ['5,20 * * * *', 'At minutes 5 and 20 of every hour'],
    ['5-9 * * * *', 'At minutes 5 through 9 of every hour'],
    ['*/11 * * * *', 'At every 11th minute from 0 through 55 of every hour'],
    ['1-40/13 * * * *', 'At every 13th minute from 1 through 40 of every hour'],
    ['*/22 * * * *', 'At every 22nd minute from 0 through 44 of every hour'],
    ['*/21 * * * *', 'At every 21st minute from 0 through 42 of every hour'],
    ['*/7 * * * *', 'At every 7th minute from 0 through 56 of every hour'],
    ['*/15 9-17 * * MON-FRI', 'Every 15 minutes, between 09:00 and 17:59, on weekdays'],
    ['* 9 * * *', 'Every minute, between 09:00 and 09:59'],
    ['*/5 */2 * * *', 'Every 5 minutes, in every 2nd hour from 0 through 22'],
    ['* * * * * *', 'Every second'],
    ['*/10 * * * * *', 'Every 10 seconds'],
    ['30 * * * * *', 'At second 30 of every minute'],
    ['*/10 5 * * * *', 'Every 10 seconds, in minute 5 of every hour'],
    ['5,50 */20 * * * *', 'At seconds 5 and 50, in every 20th minute from 0 through 40'],
    ['0 0 1 * *', 'At 00:00, on day 1 of the month'],
    ['0 0 1,15 * *', 'At 00:00, on days 1 and 15 of the month'],
    ['0 0 1-7 * *', 'At 00:00, on days 1 through 7 of the month'],
    ['0 0 */2 * *', 'At 00:00, on every 2nd day from 1 through 31 of the month'],
    ['0 0 13 * FRI', 'At 00:00, on day 13 of the month or on Friday'],
    ['0 0 13 * MON-FRI', 'At 00:00, on day 13 of the month or on weekdays'],
    ['0 0 L * *', 'At 00:00, on the last day of the month'],
    ['0 0 L-1 * *', 'At 00:00, 1 day before the last day of the month'],
    ['0 0 L-3 2 *', 'At 00:00, 3 days before the last day of the month, in February'],
    ['0 0 15W * *', 'At 00:00, on the weekday nearest day 15 of the month'],
    ['0 0 LW * *', 'At 00:00, on the last weekday of the month'],
    ['0 0 * * 5L', 'At 00:00, on the last Friday of the month'],
    ['0 0 * * FRI#2', 'At 00:00, on the second Friday of the month'],
    ['0 0 * JAN-MAR *', 'Every day at 00:00, in January through March'],
    ['0 0 1 */3 *', 'At 00:00, on day 1 of the month, in January, April, July and October'],
    ['0 0 0 1 1 ? 2030', 'At 00:00, on day 1 of the month, in January, in 2030'],
    ['0 0 0 * * ? 2030,2031', 'Every day at 00:00, in 2030 and 2031'],
    ['0 0 0 * * ? 2030-2033', 'Every day at 00:00, in years 2030 through 2033'],
    ['every 1h', 'Every hour of elapsed time'],
    ['every 90 minutes', 'Every 90 minutes of elapsed time'],
    ['every 36h', 'Every 36 hours of elapsed time'],
  ])('%s', (text, words) => {
    expect(cronWords(parseCron(text))).toBe(words)
  })

  it('reads the same however the same sets were written', () => {
    expect(cronWords(parseCron('0,15,30,45 * * * ?'))).toBe(cronWords(parseCron('*/15 0-23 1-31 1-12 *')))
  })
})

const subset = (min: number, max: number): fc.Arbitrary<readonly number[]> => {
  const values = Array.from({ length: max - min + 1 }, (_, index) => min + index)
  const steps = fc
    .tuple(fc.integer({ min, max }), fc.integer({ min, max }), fc.integer({ min: 1, max: 7 }))
    .map(([a, b, step]) =>
      values.filter(
        (value) =>
          value >= Math.min(a, b) && value <= Math.max(a, b) && (value - Math.min(a, b)) % step === 0,
      ),
    )
  return fc.oneof(
    fc.constant(values),
    steps,
    fc.subarray(values, { minLength: 1 }),
    fc.constantFrom(...values).map((value) => [value]),
  )
}

const none: fc.Arbitrary<readonly number[]> = fc.constant([])

const rules: fc.Arbitrary<readonly DayRule[]> = fc
  .record({
    days: fc.oneof(none, subset(1, 30)),
    fromEnd: fc.subarray([0, 1, 3]),
    nearest: fc.subarray([1, 15, 'last'] as const),
    nth: fc.subarray([1, 2, 5, 'last'] as const),
    weekdays: fc.oneof(none, subset(0, 5)),
  })
  .map(({ days, fromEnd, nearest, nth, weekdays }): readonly DayRule[] => [
    ...days.map((day) => ({ kind: 'day', day }) as const),
    ...fromEnd.map((before) => ({ kind: 'fromEnd', days: before }) as const),
    ...nearest.map((day) => ({ kind: 'nearest', day }) as const),
    ...nth.map((which) => ({ kind: 'nth', weekday: 5, nth: which }) as const),
    ...weekdays.map((weekday) => ({ kind: 'weekday', weekday }) as const),
  ])

const zero: fc.Arbitrary<readonly number[]> = fc.constant([0])

const crons: fc.Arbitrary<Cron> = fc.oneof(
  {
    weight: 9,
    arbitrary: fc
      .record({
        seconds: fc.oneof(zero, subset(0, 59)),
        minutes: subset(0, 59),
        hours: subset(0, 23),
        days: rules,
        months: subset(1, 12),
        years: fc.option(subset(2020, 2040), { nil: undefined }),
      })
      .map(
        ({ years, ...fields }): Cron => ({
          kind: 'fields',
          text: '',
          ...fields,
          ...(years === undefined ? {} : { years }),
        }),
      ),
  },
  {
    weight: 1,
    arbitrary: fc
      .integer({ min: 1, max: 10_000 })
      .map((seconds): Cron => ({ kind: 'interval', text: '', everyMs: seconds * 1000 })),
  },
)

group('whatever the sets', () => {
  it('W1, W2: there are words, and different sets have different words', () => {
    const meant = new Map<string, string>()
    fc.assert(
      fc.property(crons, (cron) => {
        const words = cronWords(cron)
        const sets = JSON.stringify(cron)
        expect(words).toMatch(/^[A-Z]/)
        expect(meant.get(words) ?? sets).toBe(sets)
        meant.set(words, sets)
      }),
      { numRuns: 5000 },
    )
    expect(meant.size).toBeGreaterThan(2000)
  })

  it('W1: one set changed by one value reads differently', () => {
    fc.assert(
      fc.property(
        crons,
        fc.constantFrom('seconds', 'minutes', 'hours', 'months'),
        fc.nat(),
        (cron, field, pick) => {
          if (cron.kind === 'interval' || cron[field].length < 2) return
          const fewer = cron[field].toSpliced(pick % cron[field].length, 1)
          expect(cronWords({ ...cron, [field]: fewer })).not.toBe(cronWords(cron))
        },
      ),
      { numRuns: 2000 },
    )
  })
})
