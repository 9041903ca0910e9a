import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { refusedWith } from '../../../test/time/refusal.ts'
import { explain } from '../errors.ts'
import { printRule, type Rule } from './rule.ts'
import { parseRule } from './rule-words.ts'
import { printTime } from './time-of-day.ts'

const offset = (
  direction: 'before' | 'after',
  count: number,
  unit: 'day' | 'week' | 'business_day',
  rest: object = {},
): object => ({
  kind: 'offset',
  direction,
  count,
  unit,
  time: '09:00',
  ...rest,
})

describe('rules in words', () => {
  it.each([
    ['42 days before weddingDate at 09:00', offset('before', 42, 'day', { anchor: 'weddingDate' })],
    ['42 days before at 09:00', offset('before', 42, 'day')],
    ['4 weeks before at 09:00', offset('before', 4, 'week')],
    ['2 weeks after', offset('after', 2, 'week')],
    ['1 day before at 17:00', offset('before', 1, 'day', { time: '17:00' })],
    ['3 business days before weddingDate', offset('before', 3, 'business_day', { anchor: 'weddingDate' })],
    ['1 business day after', offset('after', 1, 'business_day')],
    ['42d before', offset('before', 42, 'day')],
    ['6 w after supplier.date', offset('after', 6, 'week', { anchor: 'supplier.date' })],
    [
      '  42  Days BEFORE\tWeddingDate At 09:00:30 ',
      offset('before', 42, 'day', { anchor: 'WeddingDate', time: '09:00:30' }),
    ],
    ['3660 days before', offset('before', 3660, 'day')],
    ['on the day at 20:00', { kind: 'on', time: '20:00' }],
    ['On The Day', { kind: 'on', time: '09:00' }],
    ['on weddingDate at 20:00', { kind: 'on', anchor: 'weddingDate', time: '20:00' }],
    ['3 hours after timelineRequest', { kind: 'elapsed', ms: 10_800_000, step: 'timelineRequest' }],
    ['1 minute after a-b_c.d', { kind: 'elapsed', ms: 60_000, step: 'a-b_c.d' }],
    ['1h30m after timelineRequest', { kind: 'elapsed', ms: 5_400_000, step: 'timelineRequest' }],
    ['90 seconds after x', { kind: 'elapsed', ms: 90_000, step: 'x' }],
  ])('J-001: reads “%s”', (words, rule) => {
    expect(parseRule(words)).toEqual(rule)
  })

  it.each([
    ['42d before', '42 days before at 09:00'],
    ['1 days after x', '1 day after x at 09:00'],
    ['1h30m after x', '90 minutes after x'],
    ['7200 seconds after x', '2 hours after x'],
    ['1h1m1s after x', '3661 seconds after x'],
    ['1 business day before', '1 business day before at 09:00'],
    ['on the day', 'on the day at 09:00'],
  ])('writes “%s” as “%s”', (words, canonical) => {
    expect(printRule(parseRule(words))).toBe(canonical)
  })

  const name = fc
    .stringMatching(/^[A-Za-z_][\w.-]{0,20}$/)
    .filter((word) => !['at', 'the'].includes(word.toLowerCase()))
  const time = fc.integer({ min: 0, max: 86_399 }).map((second) => printTime(second * 1000))
  const anyRule: fc.Arbitrary<Rule> = fc.oneof(
    fc.record(
      {
        kind: fc.constant('offset' as const),
        direction: fc.constantFrom('before' as const, 'after' as const),
        count: fc.integer({ min: 1, max: 3660 }),
        unit: fc.constantFrom('day' as const, 'week' as const, 'business_day' as const),
        anchor: name,
        time,
      },
      { requiredKeys: ['kind', 'direction', 'count', 'unit', 'time'] },
    ),
    fc.record({ kind: fc.constant('on' as const), anchor: name, time }, { requiredKeys: ['kind', 'time'] }),
    fc.record({
      kind: fc.constant('elapsed' as const),
      ms: fc.integer({ min: 1, max: 366 * 86_400 }).map((second) => second * 1000),
      step: name,
    }),
  )

  it('X-19: reads back every rule it writes, and writes it the same again', () => {
    fc.assert(
      fc.property(anyRule, (rule) => {
        expect(parseRule(printRule(rule))).toEqual(rule)
        expect(printRule(parseRule(printRule(rule)))).toBe(printRule(rule))
      }),
      { numRuns: 1000 },
    )
  })
})

describe('rules that cannot be read', () => {
  it('EXPERIENCE §3.3: says what is wrong, what is expected and what was meant', () => {
    const error = refusedWith('invalid_rule', () =>
      parseRule('42 days befor at 9am', 'steps.timelineRequest.at'),
    )
    expect(error.message).toBe('“42 days befor at 9am” is not a time')
    expect(error.details).toEqual({
      path: 'steps.timelineRequest.at',
      expected: 'N days|weeks before|after [at HH:MM]  or  on the day [at HH:MM]',
      suggestion: '42 days before at 09:00',
    })
    expect(explain(error)).toContain('did you mean 42 days before at 09:00?')
  })

  it.each([
    ['42 days befor weddingDate', '42 days before weddingDate at 09:00'],
    ['42 days before weddingDate 09:00', '42 days before weddingDate at 09:00'],
    ['42 days before weddingDate at 9:30 pm', '42 days before weddingDate at 21:30'],
    ['42 days before at', '42 days before at 09:00'],
    ['42 days before the wedding', '42 days before wedding at 09:00'],
    ['two weeks prior to weddingDate', '2 weeks before weddingDate at 09:00'],
    ['3 working days before x', '3 business days before x at 09:00'],
    ['42dayss before', '42 days before at 09:00'],
    ['on the dya at 8pm', 'on the day at 20:00'],
    ['on the day @ noon', 'on the day at 12:00'],
    ['on same day at midnight', 'on the day at 00:00'],
    ['3 hors after stepX', '3 hours after stepX'],
    ['2 weeks affter att 10:00', '2 weeks after at 10:00'],
    ['tomorrow', undefined],
    ['', undefined],
    ['42 days before at 25:00', undefined],
    ['on 9 at 10:00', undefined],
    ['on the day at 99', undefined],
    ['1 2 3 4 5 6 7 8 9 10 11 12 13 days before', undefined],
  ])('“%s”: did you mean %s', (words, suggestion) => {
    expect(refusedWith('invalid_rule', () => parseRule(words)).details.suggestion).toBe(suggestion)
  })

  it.each([
    ['1 month before', 'a month is not a number of days'],
    ['1mo before', 'a month is not a number of days'],
    ['six months before weddingDate', 'a month is not a number of days'],
    ['2 Years after', 'a year is not a number of days'],
    ['3 hours before weddingDate', 'hours are counted after a step'],
    ['30m before', 'hours are counted after a step'],
    ['3 hours after', 'names no step'],
    ['0 days before', 'counts nothing'],
    ['3661 days before', 'too far away'],
    ['999999999 hours after x', 'up to 366 days'],
    ['0 hours after x', 'is not a time'],
    ['1m1h after x', 'up to 366 days'],
    ['3 hours after the', 'is not a time'],
    ['3 days after 9x', 'is not a time'],
  ])('“%s”: %s', (words, why) => {
    const { message, details } = refusedWith('invalid_rule', () => parseRule(words))
    expect(message).toContain(`“${words}”`)
    expect(message).toContain(why)
    expect(details).not.toHaveProperty('path')
  })

  it('refuses a long text at once, quoting its beginning', () => {
    const { message } = refusedWith('invalid_rule', () => parseRule(`42 days ${'before '.repeat(100_000)}`))
    expect(message.length).toBeLessThan(120)
  })

  it('either reads a text or refuses it in its own words, and suggests only what it reads', () => {
    const word = fc.constantFrom(
      '42',
      'days',
      'dasy',
      'before',
      'aftr',
      'on',
      'the',
      'day',
      'at',
      '9am',
      'x',
      '09:00',
      'weeks',
      '3h',
    )
    const text = fc.oneof(
      fc.string(),
      fc.array(word, { maxLength: 8 }).map((words) => words.join(' ')),
    )
    fc.assert(
      fc.property(text, (words) => {
        try {
          parseRule(words)
        } catch (error) {
          const { suggestion } = refusedWith('invalid_rule', () => {
            throw error
          }).details
          if (suggestion !== undefined) expect(printRule(parseRule(suggestion))).toBe(suggestion)
        }
      }),
      { numRuns: 1000 },
    )
  })
})
