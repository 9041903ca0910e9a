// Damage to what became of occurrences, and to the audit.

import { by, type Damage, entry, execution, json, MINE } from './damage.ts'

const FIRED = `recurrence = 'minutely' and fate = 'fired'`
const SKIPPED = `recurrence = 'minutely' and fate = 'skipped'`
const one = execution('minutely')

export const RECURRENCE_DAMAGES: readonly Damage[] = [
  entry('an occurrence is lost', by(`delete from occurrences where ${SKIPPED}`), ['I8 fate_lost'], one),
  entry(
    'what fired is said to have been skipped',
    by(`update occurrences set fate = 'skipped' where ${FIRED}`),
    ['I8 fate_lost', 'I8 no_reason', 'I8 skipped_with_action'],
    one,
  ),
  entry(
    'an occurrence of no recurrence',
    by(`update occurrences set recurrence = 'nobody' where ${SKIPPED}`),
    ['I8 fate_lost', 'I8 no_recurrence'],
    execution('nobody'),
  ),
  entry(
    'an occurrence nobody decided',
    by(`update occurrences set at = at + 1 where ${SKIPPED}`),
    ['I8 fate_lost', 'I8 fate_of_nobody'],
    one,
  ),
  entry(
    'what fired names no action',
    json('occurrences', 'details', FIRED, () => ({})),
    ['I8 fired_without_action'],
    one,
  ),
  entry(
    'what fired names an action that is not there',
    json('occurrences', 'details', FIRED, (details) => ({ ...details, action: 'act_x' })),
    ['I8 fired_without_action'],
    one,
  ),
  entry(
    'what was skipped says no reason',
    json('occurrences', 'details', SKIPPED, () => ({})),
    ['I8 no_reason'],
    one,
  ),
  entry(
    'coalesced into nothing',
    by(`update occurrences set fate = 'coalesced' where ${SKIPPED}`),
    ['I8 coalesced_into_nothing', 'I8 fate_lost'],
    one,
  ),
  entry(
    'an entry of the audit is changed',
    json('audit', 'data', `${MINE} and number = 2`, () => ({ by: 'eve' })),
    ['audit broken_link'],
    () => ({ entry: 2 }),
  ),
  entry(
    'an entry of the audit is missing',
    by(`delete from audit where ${MINE} and number = 1`),
    ['audit broken_link'],
    () => ({ entry: 2 }),
  ),
]
