import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ALL_ZONES, instantShowing, wallOf } from '../../../test/time/intl-oracle.ts'
import { refusedWith } from '../../../test/time/refusal.ts'
import { parseDate, printDate } from './date.ts'
import { DEFAULT_DST } from './dst.ts'
import { instantOf, type RuleContext, type RuleMoment } from './rule-instant.ts'
import { parseRule } from './rule-words.ts'

const utc = (text: string): number => Date.parse(`${text}Z`)
const context: RuleContext = {
  anchors: { weddingDate: '2026-05-09', contractDate: '2026-01-15' },
  anchor: 'weddingDate',
  steps: { timelineRequest: utc('2026-03-28T23:30') },
  zone: 'Europe/London',
  dst: DEFAULT_DST,
}
const moment = (words: string, other: Partial<RuleContext> = {}): RuleMoment =>
  instantOf(parseRule(words), { ...context, ...other })

describe('what a rule comes to', () => {
  it.each([
    ['42 days before at 09:00', {}, '2026-03-28T09:00'],
    ['42 days before weddingDate', {}, '2026-03-28T09:00'],
    ['4 weeks before at 09:00', {}, '2026-04-11T08:00'],
    ['1 day before at 17:00', {}, '2026-05-08T16:00'],
    ['on the day at 20:00', {}, '2026-05-09T19:00'],
    ['2 weeks after at 10:00', {}, '2026-05-23T09:00'],
    ['2 weeks after contractDate', {}, '2026-01-29T09:00'],
    ['on contractDate', {}, '2026-01-15T09:00'],
    ['3 business days before', {}, '2026-05-06T08:00'],
    [
      '3 business days before',
      { business: { weekdays: [1, 2, 3, 4, 5], holidays: ['2026-05-07'] } },
      '2026-05-05T08:00',
    ],
    ['3 hours after timelineRequest', {}, '2026-03-29T02:30'],
    ['2 days after timelineRequest at 10:00', {}, '2026-03-30T09:00'],
    ['2 days after timelineRequest at 10:00', { zone: 'Asia/Tokyo' }, '2026-03-31T01:00'],
    [
      '42 days before at 09:00',
      { anchors: { weddingDate: '2026-12-05' }, zone: 'America/New_York' },
      '2026-10-24T13:00',
    ],
    ['on the day at 01:30', { anchors: { weddingDate: '2026-10-25' } }, '2026-10-25T00:30'],
    [
      'on the day at 01:30',
      { anchors: { weddingDate: '2026-10-25' }, dst: { gap: 'shift', overlap: 'last' } },
      '2026-10-25T01:30',
    ],
    [
      'on the day at 01:30',
      { anchors: { weddingDate: '2026-10-25' }, dst: { gap: 'shift', overlap: 'both' } },
      '2026-10-25T00:30',
    ],
    ['on the day at 01:30', { anchors: { weddingDate: '2026-03-29' } }, '2026-03-29T01:30'],
  ] as const)('X-19: %s: case %#', (words, other, instant) => {
    expect(moment(words, other)).toMatchObject({ kind: 'at', at: utc(instant) })
  })

  it('keeps the local time the rule names beside the instant it was moved to', () => {
    expect(moment('on the day at 01:30', { anchors: { weddingDate: '2026-03-29' } })).toMatchObject({
      nominal: { year: 2026, month: 3, day: 29, hour: 1, minute: 30, second: 0, millisecond: 0 },
    })
    expect(moment('3 hours after timelineRequest')).not.toHaveProperty('nominal')
  })

  it('waits for a date or a step that is not known yet', () => {
    expect(moment('42 days before', { anchors: {} })).toEqual({ kind: 'waiting', on: 'weddingDate' })
    expect(moment('on engagement')).toEqual({ kind: 'waiting', on: 'engagement' })
    expect(moment('3 hours after reminder')).toEqual({ kind: 'waiting', on: 'reminder' })
    expect(moment('3 hours after constructor')).toEqual({ kind: 'waiting', on: 'constructor' })
    expect(moment('on toString')).toEqual({ kind: 'waiting', on: 'toString' })
  })

  it('X-21: skips a time that does not exist when the policy says so', () => {
    const skip = { anchors: { weddingDate: '2026-03-29' }, dst: { gap: 'skip', overlap: 'first' } } as const
    expect(moment('on the day at 01:30', skip)).toEqual({
      kind: 'skipped',
      reason: '2026-03-29 has no 01:30 in Europe/London',
    })
  })

  it('refuses a date that does not exist, by its name', () => {
    const anchors = { weddingDate: '2026-02-30' }
    expect(refusedWith('invalid_date', () => moment('on the day', { anchors })).details.path).toBe(
      'weddingDate',
    )
  })

  const anyDay = fc.integer({ min: parseDate('2000-01-01'), max: parseDate('2060-01-01') })

  it('J-001: agrees with the oracle for any date, count, time and zone', () => {
    fc.assert(
      fc.property(
        anyDay,
        fc.integer({ min: 1, max: 400 }),
        fc.constantFrom('09:00', '02:30', '00:00', '23:59'),
        fc.constantFrom(...ALL_ZONES),
        (day, count, time, zone) => {
          const found = moment(`${count} days before at ${time}`, {
            anchors: { weddingDate: printDate(day) },
            zone,
          })
          const expected = instantShowing(wallOf(printDate(day - count), time), zone)
          expect(found).toMatchObject({ kind: 'at', at: expected })
        },
      ),
      { numRuns: 300 },
    )
  })

  it('is monotonic: a later date is never an earlier instant', () => {
    fc.assert(
      fc.property(anyDay, fc.constantFrom(...ALL_ZONES), (day, zone) => {
        const at = (offset: number): number => {
          const found = moment('6 weeks before at 00:30', {
            anchors: { weddingDate: printDate(day + offset) },
            zone,
          })
          return found.kind === 'at' ? found.at : Number.NaN
        }
        expect(at(1)).toBeGreaterThanOrEqual(at(0))
      }),
    )
  })
})
