// Damage to actions, their counts and their attempts.

import { by, type Damage, entry, execution, named, of, update } from './damage.ts'

const ENDS: readonly Damage[] = [
  entry(
    'an id is live and done',
    by(
      ({ other }) =>
        `update actions set id = (select id from actions_done where tenant = 'other') where id = '${other}'`,
    ),
    ['I2 two_places'],
    () => ({ tenant: 'other' }),
  ),
  entry(
    'a dead letter without its end',
    update('actions', 'finished_at = null', 'letter'),
    ['I2 incomplete'],
    named('letter'),
  ),
  entry(
    'a dead letter without its error',
    update('actions', 'error = null', 'letter'),
    ['I2 incomplete'],
    named('letter'),
  ),
  entry(
    'a dead letter in no group',
    update('actions', 'fingerprint = null', 'letter'),
    ['I2 incomplete'],
    named('letter'),
  ),
  entry(
    'a queued action with an end',
    update('actions', 'finished_at = 1', 'later'),
    ['I2 incomplete'],
    named('later'),
  ),
  entry(
    'a success without a result',
    update('actions_done', 'result = null', 'kept'),
    ['I2 incomplete'],
    named('kept'),
  ),
  entry(
    'a dead letter put away and not archived',
    update('actions_done', 'archived_at = null', 'archived'),
    ['I2 incomplete', 'I6 uncounted'],
    named('archived'),
  ),
  entry(
    'a success that is archived',
    update('actions_done', 'archived_at = finished_at', 'kept'),
    ['I2 incomplete', 'I6 uncounted'],
    named('kept'),
  ),
  entry(
    'two actions of one step',
    async (hammer, names) => {
      await hammer.sql(`update actions_done set execution = 'ok' where id = '${names['gone']}'`)
      await hammer.json('actions_done', 'plan', `id = '${names['gone']}'`, (plan) => ({
        ...plan,
        stepKey: 'ok/begun/first',
      }))
    },
    ['I3 step_twice'],
    execution('ok'),
  ),
  entry(
    'a success nobody tried',
    update('actions_done', 'attempt = 0', 'kept'),
    ['I4 success_without_attempt'],
    named('kept'),
  ),
  entry(
    'a success nobody began',
    update('actions_done', 'started_at = null', 'kept'),
    ['I4 success_without_attempt'],
    named('kept'),
  ),
  entry(
    'a dead letter unheard of',
    by(`update actions set token = token + 1 where ${of('dead')}`),
    ['I5 unheard'],
    execution('dead'),
  ),
  entry(
    'a review unheard of',
    by(`update actions set token = token + 5 where ${of('unknown')}`),
    ['I5 unheard'],
    execution('unknown'),
  ),
  entry(
    'a success that is cancelled',
    by(`update actions_done set status = 'cancelled' where ${of('ok')}`),
    ['I5 end_untrue', 'I6 uncounted'],
    () => ({ execution: 'ok', line: 2 }),
  ),
]

const COUNTS: readonly Damage[] = [
  entry(
    'a finished action is gone',
    by(`delete from actions_done where tenant = 'other'`),
    ['I5 end_untrue', 'I6 lost'],
    () => ({ tenant: 'other', counter: 'actions.succeeded' }),
  ),
  entry(
    'a queued action is gone',
    by(({ other }) => `delete from actions where id = '${other}'`),
    ['I6 lost'],
    () => ({
      tenant: 'other',
      counter: 'actions.open',
    }),
  ),
  entry(
    'a count too many',
    by(`update counters set value = value + 1 where tenant = 'other' and name = 'actions.open'`),
    ['I6 lost'],
    () => ({ tenant: 'other', counter: 'actions.open' }),
  ),
  entry(
    'a count too few',
    by(`update counters set value = value - 1 where tenant = 'other' and name = 'executions.active'`),
    ['I6 uncounted'],
    () => ({ tenant: 'other', counter: 'executions.active' }),
  ),
  entry('no counts at all', by(`delete from counters where tenant = 'other'`), ['I6 uncounted'], () => ({
    tenant: 'other',
  })),
  entry(
    'an execution is gone',
    by(`delete from executions where tenant = 'other'`),
    ['I11 no_execution', 'I6 lost', 'checkpoint differs'],
    () => ({ tenant: 'other', execution: 'ok' }),
  ),
]

const LIMITS: readonly Damage[] = [
  entry(
    'more attempts than allowed',
    update('actions_done', 'attempt = 9, token = 9', 'flaky'),
    ['I10 too_many_attempts'],
    named('flaky'),
  ),
  entry('reaped too often', update('actions_done', 'reaps = 6', 'flaky'), ['I10 counts'], named('flaky')),
  entry('more lost than tried', update('actions_done', 'lost = 9', 'flaky'), ['I10 counts'], named('flaky')),
  entry(
    'more tried than claimed',
    update('actions_done', 'token = 2', 'flaky'),
    ['I10 counts'],
    named('flaky'),
  ),
  entry(
    'an attempt never counted',
    by(({ flaky }) => `update attempts set number = 50 where action = '${flaky}' and number = 1`),
    ['I10 counts'],
    named('flaky'),
  ),
  entry(
    'attempts twice on record',
    by(
      ({ flaky }) =>
        `insert into attempts (action, number, namespace, tenant, outcome, reason, started_at, ended_at, worker)
         select action, number, namespace, tenant, outcome, reason, started_at, ended_at, worker from attempts where action = '${flaky}'`,
    ),
    ['I10 counts'],
    named('flaky'),
  ),
]

export const ACTION_DAMAGES: readonly Damage[] = [...ENDS, ...COUNTS, ...LIMITS]
