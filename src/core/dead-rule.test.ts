import { expect, it } from 'vitest'
import { type DeadLetter, type DeadRuleInput, parseDeadRules, verdictOn, youngestOf } from './dead-rule.ts'

const HOUR = 3_600_000
const NOW = 1_800_000_000_000

const letter = (over: Partial<DeadLetter> = {}): DeadLetter => ({
  type: 'mail',
  name: 'welcome',
  tags: ['urgent'],
  errorType: 'timeout',
  createdAt: NOW - 2 * HOUR,
  diedAt: NOW - HOUR,
  ...over,
})
const verdict = (rules: readonly DeadRuleInput[], over: Partial<DeadLetter> = {}) =>
  verdictOn(parseDeadRules(rules), letter(over), NOW)

it.each<[DeadRuleInput, Partial<DeadLetter>, string | undefined]>([
  [{ retryAfter: '1h' }, {}, 'retry'],
  [{ retryAfter: '1h' }, { diedAt: NOW - HOUR + 1 }, undefined],
  [{ retryAfter: '1h' }, { createdAt: NOW - 24 * HOUR }, 'retry'],
  [{ retryAfter: '1h' }, { createdAt: NOW - 24 * HOUR - 1 }, undefined],
  [{ retryAfter: '1h', within: '2h' }, {}, 'retry'],
  [{ retryAfter: '1h', within: '1h' }, {}, undefined],
  [{ archiveAfter: '1h' }, {}, 'archive'],
  [{ archiveAfter: '2h' }, {}, undefined],
  [{ retryAfter: '30m', archiveAfter: '1h' }, {}, 'archive'],
  [{ match: { type: 'mail' }, archiveAfter: 0 }, {}, 'archive'],
  [{ match: { type: 'sms' }, archiveAfter: 0 }, {}, undefined],
  [{ match: { name: 'bye' }, archiveAfter: 0 }, {}, undefined],
  [{ match: { errorType: 'refused' }, archiveAfter: 0 }, {}, undefined],
  [{ match: { errorType: 'refused' }, archiveAfter: 0 }, { errorType: undefined }, undefined],
  [{ match: { tag: 'old' }, archiveAfter: 0 }, {}, undefined],
  [{ match: { tag: 'urgent', name: 'welcome', errorType: 'timeout' }, archiveAfter: 0 }, {}, 'archive'],
])('%o on %o: %s', (rule, over, expected) => expect(verdict([rule], over)).toBe(expected))

it('the first rule that matches decides, also to do nothing yet', () => {
  expect(verdict([{ match: { type: 'mail' }, archiveAfter: '9h' }, { archiveAfter: 0 }])).toBeUndefined()
  expect(verdict([{ match: { type: 'sms' }, archiveAfter: '9h' }, { archiveAfter: 0 }])).toBe('archive')
  expect(verdict([])).toBeUndefined()
})

it('nothing younger than the shortest time is looked at', () => {
  expect(youngestOf([])).toBeUndefined()
  expect(youngestOf(parseDeadRules([{ archiveAfter: '2h' }, { retryAfter: '1h', archiveAfter: '9h' }]))).toBe(
    HOUR,
  )
})

it.each([
  [{}, 'deadLetters.rules.1'],
  [{ match: { type: 'x' } }, 'deadLetters.rules.1'],
  [{ retryAfter: '999ms' }, 'deadLetters.rules.1.retryAfter'],
  [{ retryAfter: '1h', within: 'x' }, 'deadLetters.rules.1.within'],
  [{ archiveAfter: 'x' }, 'deadLetters.rules.1.archiveAfter'],
])('%o is refused, and says where', (rule, path) => {
  expect(() => parseDeadRules([{ archiveAfter: '1h' }, rule])).toThrow(
    expect.objectContaining({ details: expect.objectContaining({ path }) }),
  )
})
