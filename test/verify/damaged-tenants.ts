// Damage to what belongs together.

import { by, type Damage, entry, execution, named, of, update } from './damage.ts'

const TENANTS: readonly Damage[] = [
  entry(
    "an action is another tenant's",
    update('actions', `tenant = 'other'`, 'letter'),
    ['I11 foreign_attempts', 'I11 foreign_lane', 'I6 lost', 'I6 uncounted'],
    named('letter'),
  ),
  entry(
    "attempts are another tenant's",
    by(({ flaky }) => `update attempts set tenant = 'other' where action = '${flaky}'`),
    ['I11 foreign_attempts', 'I11 no_action'],
    named('flaky'),
  ),
  entry(
    'an attempt of nothing',
    by(({ letter }) => `update attempts set action = 'act_x' where action = '${letter}'`),
    ['I11 no_action'],
    () => ({ action: 'act_x' }),
  ),
  entry(
    'an event of no execution',
    by(`update inbox set execution = 'nobody' where event_id = 'evt_4'`),
    ['I11 no_execution'],
    () => ({ execution: 'nobody', event: 'evt_4' }),
  ),
  entry(
    'a timer of no execution',
    by(`update timers set execution = 'nobody' where ${of('ticket_1')}`),
    ['I11 no_execution', 'I9 timer_missing'],
    execution('nobody'),
  ),
  entry(
    'a fact of no execution',
    by(`update events set execution = 'nobody' where ${of('flaky')} and number is null`),
    ['I11 no_execution'],
    execution('nobody'),
  ),
  entry(
    'an action of no execution',
    update('actions', `execution = 'nobody'`, 'later'),
    ['I11 no_execution'],
    named('later'),
  ),
  entry(
    'a key nobody holds',
    by(`update dedup set action = 'act_x' where key = 'later'`),
    ['I11 dedup_held_by_nobody'],
    () => ({
      dedup: 'later',
      action: 'act_x',
    }),
  ),
  entry(
    'a key of what has ended',
    by(`update dedup set until = null where key = 'for'`),
    ['I11 dedup_held_by_nobody'],
    () => ({
      dedup: 'for',
    }),
  ),
  entry(
    'a pause of nothing',
    by(
      `insert into pauses (namespace, tenant, scope, value, reason, at) values ('default', 'default', 'execution', 'nobody', '', 1)`,
    ),
    ['I11 pause_of_nothing'],
    () => ({ pause: 'execution nobody' }),
  ),
]

export const TENANT_DAMAGES: readonly Damage[] = [...TENANTS]
