import { describe, expect, it } from 'vitest'
import { refusedWith } from '../../../test/time/refusal.ts'
import { printRule } from './rule.ts'
// Renamed here only: the linter takes before(…) and after(…) in a test file for its hooks.
import { afterStep, after as daysAfter, before as daysBefore, onTheDay } from './rule-builders.ts'

describe('EXPERIENCE §4.6: rules in TypeScript', () => {
  it.each([
    [daysBefore('42d', '09:00'), '42 days before at 09:00'],
    [daysBefore('28d'), '28 days before at 09:00'],
    [daysBefore('6w', '10:30', 'weddingDate'), '6 weeks before weddingDate at 10:30'],
    [daysBefore('3 business days'), '3 business days before at 09:00'],
    [daysBefore('1 business day', '17:00'), '1 business day before at 17:00'],
    [daysAfter('2w', '10:00'), '2 weeks after at 10:00'],
    [daysAfter('1d', '10:00', 'timelineRequest'), '1 day after timelineRequest at 10:00'],
    [onTheDay('20:00'), 'on the day at 20:00'],
    [onTheDay(), 'on the day at 09:00'],
    [onTheDay('20:00', 'weddingDate'), 'on weddingDate at 20:00'],
    [daysAfter('1w'), '1 week after at 09:00'],
    [afterStep('3h', 'timelineRequest'), '3 hours after timelineRequest'],
    [afterStep('1h30m', 'timelineRequest'), '90 minutes after timelineRequest'],
  ])('%o', (rule, words) => {
    expect(printRule(rule)).toBe(words)
  })

  it('does not compile, and does not run, for what cannot be counted', () => {
    // @ts-expect-error a month is not a number of days
    expect(refusedWith('invalid_rule', () => daysBefore('1mo')).message).toContain(
      'a month is not a number of days',
    )
    // @ts-expect-error hours are not counted on the calendar
    refusedWith('invalid_rule', () => daysBefore('3h'))
    // @ts-expect-error 9am is not written HH:MM
    expect(refusedWith('invalid_rule', () => daysBefore('42d', '9am')).details.suggestion).toBe(
      '42 days before at 09:00',
    )
    // @ts-expect-error there is no 25 o'clock
    refusedWith('invalid_rule', () => onTheDay('25:00'))
    // @ts-expect-error days after a step are calendar days: after('2d', '09:00', step)
    expect(printRule(afterStep('2d', 'timelineRequest'))).toBe('2 days after timelineRequest at 09:00')
    refusedWith('invalid_rule', () => daysBefore('-42d'))
  })
})
