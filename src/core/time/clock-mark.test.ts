import { describe, expect, it } from 'vitest'
import { instantsOn, localOn } from './calendar.ts'
import { markOf } from './clock-mark.ts'
import { parseDate } from './date.ts'
import { DEFAULT_DST, type Dst } from './dst.ts'
import { parseTime } from './time-of-day.ts'

const utc = (text: string): number => Date.parse(`${text}Z`)
const textOf = (
  date: string,
  time: string,
  zone: string,
  dst: Dst = DEFAULT_DST,
  since = Number.POSITIVE_INFINITY,
): string | undefined => {
  const [day, ofDay] = [parseDate(date), parseTime(time)]
  const [at] = instantsOn(day, ofDay, zone, dst)
  return markOf({ at: at!, nominal: localOn(day, ofDay), zone, dst }, Math.min(since, at!))?.text
}

describe('⌁: what a person is told about clocks', () => {
  it.each([
    ['2026-03-08', '02:30', 'America/New_York', '02:30 does not exist; runs at 03:30'],
    ['2026-10-04', '02:15', 'Australia/Lord_Howe', '02:15 does not exist; runs at 02:45'],
    ['2026-03-28', '23:30', 'America/Nuuk', '2026-03-28 23:30 does not exist; runs at 2026-03-29 00:30'],
    ['2011-12-30', '09:00', 'Pacific/Apia', '2011-12-30 09:00 does not exist; runs at 2011-12-31 09:00'],
    ['2026-10-25', '01:30', 'Europe/London', '01:30 happens twice; runs once, at the first'],
    ['2026-10-25', '12:00', 'Europe/London', 'clocks go back 1h on Sun 2026-10-25 at 02:00'],
    ['2026-03-29', '12:00', 'Europe/London', 'clocks go forward 1h on Sun 2026-03-29 at 01:00'],
    ['2026-03-29', '00:15', 'Europe/London', 'clocks go forward 1h on Sun 2026-03-29 at 01:00'],
    ['2025-03-09', '12:00', 'America/Havana', 'clocks go forward 1h on Sun 2025-03-09 at 00:00'],
    ['2026-10-04', '12:00', 'Australia/Lord_Howe', 'clocks go forward 30m on Sun 2026-10-04 at 02:00'],
    ['2026-03-28', '12:00', 'Europe/London', undefined],
    ['2026-03-30', '12:00', 'Europe/London', undefined],
    ['2026-07-01', '12:00', 'Asia/Tokyo', undefined],
  ])('EXPERIENCE §2.4: %s %s in %s', (date, time, zone, text) => {
    expect(textOf(date, time, zone)).toBe(text)
  })

  it('says which of two times runs, as the policy says', () => {
    const overlap = (policy: Dst['overlap']): string | undefined =>
      textOf('2026-10-25', '01:30', 'Europe/London', { gap: 'shift', overlap: policy })
    expect(overlap('last')).toBe('01:30 happens twice; runs once, at the last')
    expect(overlap('both')).toBe('01:30 happens twice; runs both times')
  })

  it('names the last change on the way there', () => {
    expect(textOf('2026-07-01', '12:00', 'Europe/London', DEFAULT_DST, utc('2026-01-01T00:00'))).toBe(
      'clocks go forward 1h on Sun 2026-03-29 at 01:00',
    )
    expect(
      textOf('2026-07-01', '12:00', 'Europe/London', DEFAULT_DST, utc('2026-04-01T00:00')),
    ).toBeUndefined()
  })

  it.each([
    ['2026-10-25T00:30', '01:30 happens twice; runs once, at the first'],
    ['2026-10-25T01:30', '01:30 happens twice; runs once, at the last'],
  ])('says which one it is where no local time was named: %s', (instant, text) => {
    const at = utc(instant)
    expect(markOf({ at, zone: 'Europe/London', dst: DEFAULT_DST }, at)).toEqual({ kind: 'overlap', text })
  })
})
