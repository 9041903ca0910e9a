import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PawlError } from '../../errors.ts'
import type { DayRule, Fields } from './cron.ts'
import { parseCron } from './parse.ts'

const fieldsOf = (text: string): Fields => {
  const cron = parseCron(text)
  if (cron.kind !== 'fields') throw new Error(`${text} is an interval`)
  return cron
}

const refusalOf = (text: string): PawlError => {
  try {
    parseCron(text)
  } catch (error) {
    if (error instanceof PawlError) return error
    throw error
  }
  throw new Error(`“${text}” was taken`)
}

const upTo = (end: number, from = 0): readonly number[] =>
  Array.from({ length: end - from + 1 }, (_, i) => from + i)
const on = (...days: readonly number[]): readonly DayRule[] => days.map((day) => ({ kind: 'day', day }))
const onWeekday = (...days: readonly number[]): readonly DayRule[] =>
  days.map((weekday) => ({ kind: 'weekday', weekday }))

describe('R-002: five, six and seven fields', () => {
  it('reads five', () => {
    expect(fieldsOf('5 9 13 2 FRI')).toEqual({
      kind: 'fields',
      text: '5 9 13 2 FRI',
      seconds: [0],
      minutes: [5],
      hours: [9],
      days: [...on(13), ...onWeekday(5)],
      months: [2],
    })
  })

  it('reads six with the second first and seven with the year last', () => {
    expect(fieldsOf('30 5 9 * * *')).toMatchObject({ seconds: [30], minutes: [5], hours: [9], days: [] })
    expect(fieldsOf('30 5 9 * * *')).not.toHaveProperty('years')
    expect(fieldsOf('0 0 0 1 1 ? 2030,2028')).toMatchObject({ years: [2028, 2030], months: [1], days: on(1) })
    expect(fieldsOf('0 0 0 1 1 ? *')).not.toHaveProperty('years')
  })

  it('takes any white space around and between, and any letter case', () => {
    expect(fieldsOf(' 0\t9  * * mon-Fri\n')).toMatchObject({
      text: '0\t9  * * mon-Fri',
      days: onWeekday(1, 2, 3, 4, 5),
    })
  })

  it.each([
    ['*', upTo(59)],
    ['*/15', [0, 15, 30, 45]],
    ['*/7', [0, 7, 14, 21, 28, 35, 42, 49, 56]],
    ['5', [5]],
    ['05', [5]],
    ['5,3,5', [3, 5]],
    ['10-13', [10, 11, 12, 13]],
    ['10-20/5', [10, 15, 20]],
    ['40/10', [40, 50]],
    ['58-2', [0, 1, 2, 58, 59]],
    ['55-10/5', [0, 5, 10, 55]],
    ['0-10/20', [0]],
    ['*/20,5', [0, 5, 20, 40]],
  ])('minute %s', (minute, expected) => {
    expect(fieldsOf(`${minute} * * * *`).minutes).toEqual(expected)
  })

  it.each([
    ['JAN', [1]],
    ['jan,Mar', [1, 3]],
    ['NOV-FEB', [1, 2, 11, 12]],
    ['*/3', [1, 4, 7, 10]],
    ['2/5', [2, 7, 12]],
  ])('month %s', (month, expected) => {
    expect(fieldsOf(`0 0 * ${month} *`).months).toEqual(expected)
  })

  it.each([
    ['0', onWeekday(0)],
    ['7', onWeekday(0)],
    ['0,7', onWeekday(0)],
    ['7-2', onWeekday(0, 1, 2)],
    ['5-7', onWeekday(0, 5, 6)],
    ['FRI-MON', onWeekday(0, 1, 5, 6)],
    ['FRI-MON/2', onWeekday(0, 5)],
    ['SAT-SUN', onWeekday(0, 6)],
    ['*/2', onWeekday(0, 2, 4, 6)],
    ['1/3', onWeekday(1, 4)],
    ['5L', [{ kind: 'nth', weekday: 5, nth: 'last' }]],
    ['FRIL', [{ kind: 'nth', weekday: 5, nth: 'last' }]],
    ['FRI#L', [{ kind: 'nth', weekday: 5, nth: 'last' }]],
    ['7#2', [{ kind: 'nth', weekday: 0, nth: 2 }]],
    ['MON#1,MON#3', [1, 3].map((nth) => ({ kind: 'nth', weekday: 1, nth }))],
    ['*', []],
    ['?', []],
    ['*/1', []],
  ])('weekday %s', (weekday, expected) => {
    expect(fieldsOf(`0 0 * * ${weekday}`).days).toEqual(expected)
  })

  it.each([
    ['L', [{ kind: 'fromEnd', days: 0 }]],
    ['L-3', [{ kind: 'fromEnd', days: 3 }]],
    ['15W', [{ kind: 'nearest', day: 15 }]],
    ['LW', [{ kind: 'nearest', day: 'last' }]],
    ['1,15', on(1, 15)],
    ['lw,1', [...on(1), { kind: 'nearest', day: 'last' }]],
    ['28/2', on(28, 30)],
    ['?', []],
  ])('day of month %s', (monthDay, expected) => {
    expect(fieldsOf(`0 0 ${monthDay} * *`).days).toEqual(expected)
  })

  it.each(['1-31', '*/1', '1-15,16-31'])('day of month %s leaves no day out', (monthDay) => {
    expect(fieldsOf(`0 0 ${monthDay} * *`).days).toEqual([])
  })

  it('as in a crontab, a written-out field of all days makes every day fire beside another (either)', () => {
    expect(fieldsOf('0 0 1-31 * MON').days).toEqual([])
    expect(fieldsOf('0 0 1 * 0-6').days).toEqual([])
    expect(fieldsOf('0 0 1 * MON-SUN').days).toEqual([])
    expect(fieldsOf('0 0 * * MON').days).toEqual(onWeekday(1))
  })

  it.each([
    ['@hourly', '0 * * * *'],
    ['@daily', '0 0 * * *'],
    ['@midnight', '0 0 * * *'],
    ['@weekly', '0 0 * * SUN'],
    ['@monthly', '0 0 1 * *'],
    ['@yearly', '0 0 1 1 *'],
    ['@Annually', '0 0 1 1 *'],
  ])('%s is %s', (nickname, pattern) => {
    expect({ ...parseCron(nickname), text: '' }).toEqual({ ...parseCron(pattern), text: '' })
  })
})

describe('plain intervals', () => {
  it.each([
    ['every 90s', 90],
    ['every 5 minutes', 300],
    ['Every 1 Hour', 3600],
    ['every minute', 60],
    ['every hour', 3600],
    ['every 1 hour 30 minutes', 5400],
    ['@every 1h30m', 5400],
    ['@every 36h', 129_600],
    ['every 2 hrs 1 min 5 secs', 7265],
  ])('%s', (text, seconds) => {
    expect(parseCron(text)).toEqual({ kind: 'interval', text, everyMs: seconds * 1000 })
  })

  it.each([
    ['every day', 'invalid_cron', '@daily'],
    ['every 1d', 'invalid_cron', '@daily'],
    ['every 2 days', 'invalid_cron', 'every 48h'],
    ['every week', 'invalid_cron', '@weekly'],
    ['every 2w', 'invalid_cron', 'every 336h'],
    ['every month', 'invalid_cron', '@monthly'],
    ['every 3 months', 'invalid_cron', '@monthly'],
    ['every', 'invalid_cron', 'every 90s'],
    ['every so often', 'invalid_cron', 'every 90s'],
    ['every 5', 'invalid_cron', 'every 90s'],
    ['every 5m x', 'invalid_cron', 'every 90s'],
    ['every -5m', 'invalid_cron', 'every 90s'],
    ['every 0s', 'interval_too_short', 'every 1s'],
    ['every 500ms', 'interval_too_short', 'every 1s'],
    ['every 8785h', 'duration_out_of_range', undefined],
    ['every 999999999h', 'duration_out_of_range', undefined],
  ])('refuses %s', (text, code, suggestion) => {
    expect(refusalOf(text)).toMatchObject({
      code,
      details: { ...(suggestion === undefined ? {} : { suggestion }) },
    })
  })
})

describe('R-032: a refusal names the field, the value, what is allowed and a way out', () => {
  it.each([
    ['60 * * * *', 'minute', '60', 'minute 0–59', '0'],
    ['75 * * * *', 'minute', '75', 'minute 0–59', '59'],
    ['0 25 * * *', 'hour', '25', 'hour 0–23', '23'],
    ['0 0 0 * *', 'day of month', '0', 'day of month 1–31', '1'],
    ['0 0 32 * *', 'day of month', '32', 'day of month 1–31', '31'],
    ['0 0 * 13 *', 'month', '13', 'month 1–12 or JAN–DEC', '1'],
    ['0 0 * JULY *', 'month', 'JULY', 'month 1–12 or JAN–DEC', 'JUL'],
    ['0 0 * * MNO', 'day of week', 'MNO', 'day of week 0–7 or SUN–SAT', 'MON'],
    ['0 0 * * XYZW', 'day of week', 'XYZW', 'day of week 0–7 or SUN–SAT', '*'],
    ['60 0 0 * * *', 'second', '60', 'second 0–59', '0'],
    ['0 0 0 1 1 ? 1969', 'year', '1969', 'year 1970–2199', '1970'],
    ['0 0 0 1 1 ? 2200', 'year', '2200', 'year 1970–2199', '2199'],
    ['a * * * *', 'minute', 'A', 'minute 0–59', '0'],
    ['? * * * *', 'minute', '?', 'minute 0–59', '0'],
    ['1.5 * * * *', 'minute', '1.5', 'minute 0–59', '0'],
    ['-5 * * * *', 'minute', '-5', 'minute 0–59, a range such as 0-59 or a list', '0'],
    [', * * * *', 'minute', '', 'minute 0–59, a range such as 0-59 or a list', '0'],
    ['1-2-3 * * * *', 'minute', '1-2-3', 'minute 0–59, a range such as 0-59 or a list', '0'],
    ['0 0 * 1- *', 'month', '1-', 'month 1–12 or JAN–DEC, a range such as 1-12 or a list', '*'],
    ['1/2/3 * * * *', 'minute', '1/2/3', 'minute 0–59, a range such as 0-59 or a list', '0'],
    ['*/2/3 * * * *', 'minute', '*/2/3', 'minute 0–59, a range such as 0-59 or a list', '0'],
    ['*/0 * * * *', 'minute', '*/0', 'a step of 1–59', '0'],
    ['*/x * * * *', 'minute', '*/X', 'a step of 1–59', '0'],
    ['*/90 * * * *', 'minute', '*/90', 'a step of 1–59', 'every 90m'],
    ['*/99999 * * * *', 'minute', '*/99999', 'a step of 1–59', '0'],
    ['0 0 * * XX#9', 'day of week', 'XX', 'day of week 0–7 or SUN–SAT', '*'],
    ['0 */24 * * *', 'hour', '*/24', 'a step of 1–23', 'every 24h'],
    ['0 0 */31 * *', 'day of month', '*/31', 'a step of 1–30', '*'],
    ['*,5 * * * *', 'minute', '*,5', 'minute 0–59', '*'],
    ['0 0 28-3 * *', 'day of month', '28-3', 'day of month 1–31', '28-31,1-3'],
    ['0 0 0 1 1 ? 2030-2028', 'year', '2030-2028', 'year 1970–2199', '2030-2199,1970-2028'],
    ['0 0 L-0 * *', 'day of month', 'L-0', 'L, LW or L-1 to L-30', 'L'],
    ['0 0 L-31 * *', 'day of month', 'L-31', 'L, LW or L-1 to L-30', 'L'],
    ['0 0 LX * *', 'day of month', 'LX', 'L, LW or L-1 to L-30', 'L'],
    ['0 0 W * *', 'day of month', 'W', '1W–31W or LW', 'LW'],
    ['0 0 1-5W * *', 'day of month', '1-5W', '1W–31W or LW', 'LW'],
    ['0 0 32W * *', 'day of month', '32', 'day of month 1–31', '31'],
    ['0 0 * * L', 'day of week', 'L', 'FRIL for the last Friday', 'SATL'],
    ['0 0 * * FRI#6', 'day of week', 'FRI#6', '#1 to #5, or L for the last', 'FRIL'],
    ['0 0 * * FRI#1#2', 'day of week', 'FRI#1#2', '#1 to #5, or L for the last', 'FRIL'],
    ['0 0 * * MON-FRI#2', 'day of week', 'MON-FRI', 'day of week 0–7 or SUN–SAT', 'MON'],
  ])('%s', (text, field, value, expected, suggestion) => {
    const error = refusalOf(text)
    expect(error.code).toBe('invalid_cron')
    expect(error.message).toContain(`${field} “${value}”`)
    expect(error.details).toEqual({ field, value, expected, suggestion })
  })

  it.each([
    ['', 'is empty', '0 9 * * *'],
    ['  ', 'is empty', '0 9 * * *'],
    ['9', 'has 1 field', '9 * * * *'],
    ['0 9 *', 'has 3 fields', '0 9 * * *'],
    ['0 9 * * * root /bin/backup --all', 'has 8 fields', '0 9 * * *'],
    ['@dialy', 'is not a known nickname', '@daily'],
    ['@reboot', 'is not a known nickname', undefined],
    ['CRON_TZ=Europe/London 0 9 * * *', 'sets a time zone inside', '0 9 * * *'],
    ['tz=UTC 0 9 * * MON-FRI', 'sets a time zone inside', '0 9 * * MON-FRI'],
  ])('“%s” %s', (text, why, suggestion) => {
    const error = refusalOf(text)
    expect(error.code).toBe('invalid_cron')
    expect(error.message).toContain(why)
    expect(error.details.suggestion).toBe(suggestion)
    expect(error.details.expected).not.toBe('')
  })
})

describe('S33: hostile expressions', () => {
  it('are refused by their length alone above 128 characters', () => {
    const longest = `${'0,'.repeat(60)}0 * * * *`.slice(0, 128)
    expect(fieldsOf(`${'0,'.repeat(59)}0 * * * *`).minutes).toEqual([0])
    expect(longest).toHaveLength(128)
    const error = refusalOf('*'.repeat(1_000_000))
    expect(error.message).toContain('is 1000000 characters long')
    expect(error.message.length).toBeLessThan(200)
    expect(refusalOf(`${'0 '.repeat(65)}`).message).toContain('130 characters')
  })

  it.each([
    '0 0 30 2 *',
    '0 0 31 11 *',
    '0 0 31 4,6,9,11 *',
    '0 0 30,31 FEB *',
    '0 0 0 29 2 ? 2027',
    '0 0 31W 2,4 *',
  ])('R-041: %s never fires', (text) => {
    expect(refusalOf(text)).toMatchObject({ code: 'never_fires' })
  })

  it('R-041: offers the last day where a day does not exist', () => {
    expect(refusalOf('0 0 30 2 *').details.suggestion).toBe('0 0 L 2 *')
    expect(refusalOf('0 0 0 29 2 ? 2027').details.suggestion).toBe('0 0 0 L 2 ? 2027')
    expect(refusalOf('0 0 31W 2 *').details.suggestion).toBeUndefined()
  })

  it.each(['0 0 29 2 *', '0 0 * 2 MON#5', '0 0 30 2 MON', '0 0 L-30 * *', '0 0 0 29 2 ? 2096-2104'])(
    '%s is rare, but fires',
    (text) => {
      expect(fieldsOf(text).text).toBe(text)
    },
  )

  it('text of any kind is either taken or refused with a code', () => {
    const piece = fc.constantFrom(
      '*',
      '?',
      'L',
      'W',
      '#',
      '-',
      '/',
      ',',
      ' ',
      '0',
      '5',
      '31',
      'MON',
      'every',
      '@',
      'x',
    )
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(piece, { maxLength: 24 }).map((parts) => parts.join('')),
        ),
        (text) => {
          try {
            parseCron(text)
          } catch (error) {
            expect(error).toBeInstanceOf(PawlError)
          }
        },
      ),
      { numRuns: 2000 },
    )
  })
})

it('what was read once is kept, and forgotten when too much is', () => {
  const first = parseCron('1 2 3 4 5')
  expect(parseCron('1 2 3 4 5')).toBe(first)
  for (let second = 0; second < 60; second++)
    for (let minute = 0; minute < 20; minute++) parseCron(`${second} ${minute} * * * *`)
  const again = parseCron('1 2 3 4 5')
  expect(again).not.toBe(first)
  expect(again).toEqual(first)
})
