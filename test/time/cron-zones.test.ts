// F26: the zones whose clocks are known to be hard, worked out by hand. Instants are UTC, to the minute.

import { describe, expect, it } from 'vitest'
import { parseCron } from '../../src/core/time/cron/parse.ts'
import { cronSchedule } from '../../src/core/time/cron/schedule.ts'
import { POLICIES } from './cron-compare.ts'
import { firingsIn, readPattern, walk } from './cron-oracle.ts'

type Dst = { readonly gap?: 'shift' | 'skip'; readonly overlap?: 'first' | 'last' | 'both' }

const firings = (
  zone: string,
  pattern: string,
  [from, to]: readonly [string, string],
  dst: Dst,
): readonly string[] =>
  [
    ...cronSchedule(parseCron(pattern), { zone, dst }).between(Date.parse(`${from}Z`), Date.parse(`${to}Z`)),
  ].map((instant) => new Date(instant).toISOString().slice(5, 16))

describe.each([['America/Nuuk: the last hour of a Saturday does not exist', 'America/Nuuk', '30 23 * * *']])(
  '%s',
  (_, zone, pattern) => {
    const days = ['2026-03-28T00:00', '2026-03-31T00:00'] as const
    it('shift: runs on the next day and loses no day', () => {
      expect(firings(zone, pattern, days, {})).toEqual(['03-28T01:30', '03-29T01:30', '03-30T00:30'])
    })
    it('shift: a Saturday pattern keeps its Saturday though it runs on Sunday', () => {
      expect(firings(zone, '30 23 * * SAT', days, {})).toEqual(['03-29T01:30'])
      expect(firings(zone, '30 23 * * SUN', days, {})).toEqual(['03-30T00:30'])
    })
    it('skip: leaves that day out', () => {
      expect(firings(zone, pattern, days, { gap: 'skip' })).toEqual(['03-28T01:30', '03-30T00:30'])
    })
  },
)

it.each([
  [
    'Australia/Lord_Howe',
    'half an hour is missing',
    '15 2 * * *',
    '2026-10-03',
    '2026-10-04',
    {},
    ['10-03T15:45'],
  ],
  [
    'Australia/Lord_Howe',
    'an hourly pattern too',
    '15 * * * *',
    '2026-10-03T14:00',
    '2026-10-03T18:00',
    {},
    ['10-03T14:45', '10-03T15:45', '10-03T16:15', '10-03T17:15'],
  ],
  [
    'Australia/Lord_Howe',
    'half an hour comes twice',
    '45 1 * * *',
    '2026-04-04',
    '2026-04-05',
    {},
    ['04-04T14:45'],
  ],
  [
    'Australia/Lord_Howe',
    'the last of them',
    '45 1 * * *',
    '2026-04-04',
    '2026-04-05',
    { overlap: 'last' },
    ['04-04T15:15'],
  ],
  ['Africa/Cairo', 'midnight is missing', '0 0 * * FRI', '2026-04-23', '2026-04-25', {}, ['04-23T22:00']],
  [
    'Africa/Cairo',
    'so is half past',
    '30 0 * * *',
    '2026-04-23',
    '2026-04-25',
    {},
    ['04-23T22:30', '04-24T21:30'],
  ],
  [
    'Africa/Cairo',
    'the last hour of a day comes twice',
    '30 23 * * *',
    '2026-10-29',
    '2026-10-30',
    {},
    ['10-29T20:30'],
  ],
  [
    'Africa/Cairo',
    'and both run if asked',
    '30 23 * * THU',
    '2026-10-29',
    '2026-10-30',
    { overlap: 'both' },
    ['10-29T20:30', '10-29T21:30'],
  ],
  [
    'America/Havana',
    'midnight is missing',
    '0 0 * * *',
    '2026-03-08',
    '2026-03-09T03:00',
    {},
    ['03-08T05:00'],
  ],
  [
    'America/Havana',
    'the first hour comes twice',
    '30 0 * * *',
    '2026-11-01',
    '2026-11-02',
    {},
    ['11-01T04:30'],
  ],
  [
    'America/Havana',
    'the last of them',
    '30 0 * * SUN',
    '2026-11-01',
    '2026-11-02',
    { overlap: 'last' },
    ['11-01T05:30'],
  ],
  [
    'Africa/Casablanca',
    'after Ramadan an hour is missing',
    '30 2 * * *',
    '2026-03-22',
    '2026-03-23',
    {},
    ['03-22T02:30'],
  ],
  [
    'Africa/Casablanca',
    'before Ramadan an hour comes twice',
    '30 2 * * *',
    '2026-02-15',
    '2026-02-16',
    {},
    ['02-15T01:30'],
  ],
  [
    'Antarctica/Troll',
    'two hours are missing',
    '30 1,2 * * *',
    '2026-03-29',
    '2026-03-30',
    {},
    ['03-29T01:30', '03-29T02:30', '03-29T23:30'],
  ],
  [
    'Antarctica/Troll',
    'a moved time meets another',
    '30 1,3 * * SUN',
    '2026-03-29',
    '2026-03-30',
    {},
    ['03-29T01:30'],
  ],
  [
    'Antarctica/Troll',
    'two hours come twice',
    '30 1,2 * * SUN',
    '2026-10-24T12:00',
    '2026-10-26',
    {},
    ['10-24T23:30', '10-25T00:30'],
  ],
  [
    'Pacific/Apia',
    'a whole day is missing: it runs on the next, once',
    '0 9 * * *',
    '2011-12-29T12:00',
    '2012-01-01',
    {},
    ['12-29T19:00', '12-30T19:00', '12-31T19:00'],
  ],
  ['Pacific/Apia', 'the missing day by name', '0 9 30 12 *', '2011-12-01', '2012-02-01', {}, ['12-30T19:00']],
  ['Pacific/Apia', 'the missing Friday', '0 9 * * FRI', '2011-12-27', '2012-01-03', {}, ['12-30T19:00']],
  ['Pacific/Apia', 'skipped', '0 9 30 12 *', '2011-12-01', '2012-02-01', { gap: 'skip' }, []],
] as const)('%s: %s (%s)', (zone, _, pattern, from, to, dst, expected) => {
  const whole = (text: string): string => (text.length === 10 ? `${text}T00:00` : text)
  expect(firings(zone, pattern, [whole(from), whole(to)], dst)).toEqual(expected)
})

it('Pacific/Apia: the oracle says the same of the day that never was', () => {
  const span = { from: Date.UTC(2011, 11, 29), to: Date.UTC(2012, 0, 1) }
  const walked = walk('Pacific/Apia', span)
  for (const text of ['0 9 * * *', '30 * * * *', '0 */3 * * FRI', '*/20 5 30 12 ?', '0 0 31 12 *'])
    for (const dst of POLICIES) {
      const ours = cronSchedule(parseCron(text), { zone: 'Pacific/Apia', dst })
      const expected = firingsIn(walked, readPattern(text), dst)
      expect([...ours.between(span.from, span.to)]).toEqual(expected)
      expect(ours.count(span.from, span.to)).toBe(expected.length)
    }
})
