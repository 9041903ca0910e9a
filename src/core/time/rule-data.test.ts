import { describe, expect, it } from 'vitest'
import { refusedWith } from '../../../test/time/refusal.ts'
import type { Rule } from './rule.ts'
import { assertNames, ruleFrom } from './rule-data.ts'

const whole = {
  kind: 'offset',
  direction: 'before',
  count: 42,
  unit: 'day',
  anchor: 'weddingDate',
  time: '09:00',
}

describe('rules as data', () => {
  it.each([
    ['words', '42 days before weddingDate', whole],
    ['the same as data', whole, whole],
    [
      'without time and name',
      { kind: 'offset', direction: 'after', count: 2, unit: 'week' },
      { kind: 'offset', direction: 'after', count: 2, unit: 'week', time: '09:00' },
    ],
    ['the day', { kind: 'on', time: '20:00:00' }, { kind: 'on', time: '20:00' }],
    [
      'a named day',
      { kind: 'on', anchor: 'weddingDate' },
      { kind: 'on', anchor: 'weddingDate', time: '09:00' },
    ],
    [
      'elapsed',
      { kind: 'elapsed', ms: 10_800_000, step: 'a' },
      { kind: 'elapsed', ms: 10_800_000, step: 'a' },
    ],
  ])('reads %s', (_, value, rule) => {
    expect(ruleFrom(value, 'at')).toEqual(rule)
  })

  it.each([
    ['nothing', null, 'at', 'invalid_rule', undefined],
    ['a number', 42, 'at', 'invalid_rule', undefined],
    ['no kind', {}, 'at.kind', 'invalid_rule', undefined],
    ['a misspelt kind', { ...whole, kind: 'ofset' }, 'at.kind', 'invalid_rule', 'offset'],
    ['a stranger', { ...whole, tme: '10:00' }, 'at.tme', 'invalid_rule', 'time'],
    ['a field of another kind', { kind: 'on', count: 1 }, 'at.count', 'invalid_rule', undefined],
    ['a misspelt direction', { ...whole, direction: 'befor' }, 'at.direction', 'invalid_rule', 'before'],
    ['a month', { ...whole, unit: 'month' }, 'at.unit', 'invalid_rule', undefined],
    ['no count', { ...whole, count: '42' }, 'at.count', 'invalid_rule', undefined],
    ['half a day', { ...whole, count: 1.5 }, 'at.count', 'invalid_rule', undefined],
    ['no days', { ...whole, count: 0 }, 'at.count', 'invalid_rule', undefined],
    ['too many days', { ...whole, count: 3661 }, 'at.count', 'invalid_rule', undefined],
    ['a bad time', { ...whole, time: '9am' }, 'at.time', 'invalid_date', '09:00'],
    ['no time', { ...whole, time: 9 }, 'at.time', 'invalid_rule', undefined],
    ['a name that is a word of the rule', { ...whole, anchor: 'At' }, 'at.anchor', 'invalid_rule', undefined],
    ['no name', { ...whole, anchor: 1 }, 'at.anchor', 'invalid_rule', undefined],
    ['no step', { kind: 'elapsed', ms: 1000 }, 'at.step', 'invalid_rule', undefined],
    ['half a second', { kind: 'elapsed', ms: 500, step: 'a' }, 'at.ms', 'invalid_rule', undefined],
    ['one and a half', { kind: 'elapsed', ms: 1500, step: 'a' }, 'at.ms', 'invalid_rule', undefined],
    ['hours as text', { kind: 'elapsed', ms: '3h', step: 'a' }, 'at.ms', 'invalid_rule', undefined],
    ['too long', { kind: 'elapsed', ms: 1e15, step: 'a' }, 'at.ms', 'duration_out_of_range', undefined],
  ] as const)('refuses %s', (_, value, path, code, suggestion) => {
    const { details } = refusedWith(code, () => ruleFrom(value, 'at'))
    expect(details.path).toBe(path)
    expect(details.suggestion).toBe(suggestion)
  })
})

describe('the names a rule uses', () => {
  const names = { anchors: ['weddingDate'], steps: ['timelineRequest', 'reminder'] }
  const check = (rule: string): void =>
    assertNames(ruleFrom(rule, 'at') satisfies Rule, names, 'steps.reminder.at')

  it.each([
    '42 days before',
    '42 days before weddingDate',
    'on the day',
    'on weddingDate',
    '2 days after timelineRequest',
    '3 hours after timelineRequest',
  ])('takes “%s”', (rule) => {
    expect(() => check(rule)).not.toThrow()
  })

  it.each([
    ['42 days before wedingDate', '“wedingDate” is not known', 'weddingDate'],
    ['3 hours after timelinRequest', '“timelinRequest” is not known', 'timelineRequest'],
    ['3 hours after weddingDate', 'is a date: hours are counted after a step', undefined],
    ['on moon', '“moon” is not known', undefined],
  ])('refuses “%s”', (rule, why, suggestion) => {
    const { message, details } = refusedWith('invalid_rule', () => check(rule))
    expect(message).toContain(why)
    expect(details.path).toBe('steps.reminder.at')
    expect(details.suggestion).toBe(suggestion)
  })
})
