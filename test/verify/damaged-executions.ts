// Damage to executions: their events, what they wait for, their chains.

import { by, type Damage, entry, execution, is, json, MINE, named, of, update } from './damage.ts'

const EVENTS: readonly Damage[] = [
  entry(
    'an applied event waits again',
    by(`update inbox set applied_at = null where ${MINE} and event_id = 'evt_1'`),
    ['I1 applied_and_waits'],
    () => ({ execution: 'ok', event: 'evt_1' }),
  ),
  entry(
    'an event is marked applied that never was',
    by(`update inbox set event_id = 'evt_x' where ${MINE} and event_id = 'evt_1'`),
    ['I1 applied_untold'],
    () => ({ execution: 'ok', event: 'evt_x' }),
  ),
  entry(
    'a waiting event has lost its content',
    by(`update inbox set event = null where event_id = 'evt_4'`),
    ['I1 event_missing'],
    () => ({ execution: 'paused', event: 'evt_4' }),
  ),
  entry(
    'a visit too many',
    json('executions', 'visits', is('ok'), (visits) => ({ ...visits, waiting: 2 })),
    ['I1 visits'],
    execution('ok'),
  ),
  entry(
    'a line takes an event a second time',
    json('events', 'data', `${of('ok')} and type = 'event.ignored'`, (data) => ({
      ...data,
      event: { id: 'evt_1', type: 'note' },
    })),
    ['I1 applied_twice', 'I1 applied_untold', 'chain broken_link'],
    () => ({ execution: 'ok', event: 'evt_1' }),
  ),
]

const REACH: readonly Damage[] = [
  entry(
    'a claim nobody extends or reaps',
    update('actions', 'lease_until = 1', 'running'),
    ['I7 lease_run_out'],
    named('running'),
  ),
  entry('a claim that is left', update('actions', `nonce = 'n'`, 'later'), ['I7 claim_left'], named('later')),
  entry(
    'a lane that does not exist',
    update('actions', 'lane = 99999', 'later'),
    ['I7 no_lane'],
    named('later'),
  ),
  entry(
    'a lane of another priority',
    update(
      'actions',
      `lane = (select lane from lanes where ${MINE} and type = 'act' and priority = 50)`,
      'later',
    ),
    ['I7 wrong_lane'],
    named('later'),
  ),
  entry(
    'a lane of another type',
    update('actions', `lane = (select lane from lanes where ${MINE} and type = 'held')`, 'later'),
    ['I7 wrong_lane'],
    named('later'),
  ),
  entry('parked for nothing', update('actions', 'lane = -lane', 'later'), ['I7 parked'], named('later')),
  entry(
    'not parked',
    by(`update actions set lane = -lane where ${of('paused')}`),
    ['I7 not_parked'],
    execution('paused'),
  ),
  entry(
    'a timer held for nothing',
    by(`update timers set held = not held where ${of('ok')}`),
    ['I7 timer_held'],
    execution('ok'),
  ),
  entry(
    'a timer not held',
    by(`update timers set held = not held where ${of('ticket_1')}`),
    ['I7 timer_held'],
    execution('ticket_1'),
  ),
  entry(
    'an event not held',
    by(`update inbox set held = not held where event_id = 'evt_4'`),
    ['I7 event_held'],
    execution('paused'),
  ),
  entry(
    'an event nobody asks for',
    by(`update inbox set definition = 'ticket' where event_id = 'evt_4'`),
    ['I7 event_elsewhere'],
    () => ({ execution: 'paused', event: 'evt_4' }),
  ),
  entry('a timer is gone', by(`delete from timers where ${of('ok')}`), ['I9 timer_missing'], execution('ok')),
  entry(
    'a timer of what has ended',
    by(`update timers set execution = 'over' where ${of('ok')}`),
    ['I9 timer_missing', 'I9 timer_unwanted'],
    execution('over'),
  ),
  entry(
    'a failure that does not say why',
    by(`update executions set status = 'failed' where ${is('ok')}`),
    ['I6 lost', 'I6 uncounted', 'I9 silent_failure'],
    execution('ok'),
  ),
  entry(
    'a journey that waits for nothing',
    by(`update executions set kind = 'journey' where ${is('dead')}`),
    ['I9 stalled'],
    execution('dead'),
  ),
  entry(
    'paused from nothing',
    by(`update executions set paused_from = null where ${is('paused')}`),
    ['I9 paused_from'],
    execution('paused'),
  ),
  entry(
    'going on from a pause',
    by(`update executions set paused_from = 'active' where ${is('ok')}`),
    ['I9 paused_from'],
    execution('ok'),
  ),
  entry(
    'a pause nobody keeps',
    by(
      `insert into pauses (namespace, tenant, scope, value, reason, at) values ('default', 'default', 'execution', 'ok', '', 1)`,
    ),
    ['I9 pause_ignored'],
    execution('ok'),
  ),
]

const CHAINS: readonly Damage[] = [
  entry(
    'a line was changed',
    json('events', 'data', `${of('ok')} and number = 1`, (data) => ({ ...data, from: 'elsewhere' })),
    ['chain broken_link'],
    () => ({ execution: 'ok', line: 1 }),
  ),
  entry(
    'a line after the purged ones was changed',
    json('events', 'data', `${of('old')} and number is not null`, (data) => ({ ...data, more: true })),
    ['chain broken_link'],
    execution('old'),
  ),
  entry(
    'a line is missing',
    by(`delete from events where ${of('ok')} and number = 3`),
    ['I1 applied_untold', 'chain broken_link'],
    () => ({ execution: 'ok', line: 3 }),
  ),
  entry(
    'the last line is missing',
    by(`delete from events where ${of('dead')} and number = 2`),
    ['I5 unheard', 'chain head', 'checkpoint differs'],
    execution('dead'),
  ),
  entry(
    'the first line is missing',
    by(`delete from events where ${of('ok')} and number = 1`),
    ['chain beginning_missing'],
    () => ({
      execution: 'ok',
      line: 1,
    }),
  ),
  entry(
    'all lines are missing',
    by(`delete from events where ${of('ticket_1')}`),
    ['chain beginning_missing'],
    execution('ticket_1'),
  ),
  entry(
    'the head has another hash',
    by(`update executions set chain_hash = 'x' where ${is('ok')}`),
    ['chain head'],
    execution('ok'),
  ),
  entry(
    'the head has another number',
    by(`update executions set chain_number = 9 where ${is('ok')}`),
    ['chain head'],
    execution('ok'),
  ),
  entry(
    'a checkpoint is missing',
    by(`delete from checkpoints where number = 1`),
    ['checkpoint does_not_follow'],
    () => ({
      checkpoint: 2,
    }),
  ),
  entry(
    'a checkpoint without a hash',
    by(`update checkpoints set hash = 'x' where number = 1`),
    ['checkpoint does_not_follow'],
    () => ({
      checkpoint: 1,
    }),
  ),
  entry(
    'a checkpoint goes back',
    by(`update checkpoints set feed_position = '0' where number = 2`),
    ['checkpoint does_not_follow'],
    () => ({
      checkpoint: 2,
    }),
  ),
  entry(
    'a checkpoint has another hash',
    by(`update checkpoints set hash = '${'0'.repeat(64)}' where number = 6`),
    ['checkpoint differs'],
    () => ({ checkpoint: 6 }),
  ),
  entry(
    'a checkpoint covers fewer chains',
    by(`update checkpoints set heads = heads - 1 where number = 6`),
    ['checkpoint differs'],
    () => ({ checkpoint: 6 }),
  ),
  entry(
    'a fact of the feed was changed',
    json('events', 'data', `type = 'noted'`, () => ({ by: 'eve' })),
    ['checkpoint differs'],
    () => ({ checkpoint: 4 }),
  ),
  entry(
    'a fact of the feed is gone',
    by(`delete from events where type = 'noted'`),
    ['checkpoint differs'],
    () => ({ checkpoint: 4 }),
  ),
  entry(
    'a fact of the feed cannot be read',
    by(`update events set data = '"spoilt"' where type = 'noted'`),
    ['checkpoint differs'],
    () => ({ checkpoint: 4 }),
  ),
  entry(
    'a plan cannot be read',
    update('actions', `plan = '"spoilt"'`, 'later'),
    ['readable plan'],
    named('later'),
  ),
  entry(
    'a snapshot cannot be read',
    by(`update executions set visits = '"spoilt"' where ${is('ok')}`),
    ['readable snapshot'],
    execution('ok'),
  ),
  entry(
    'a line cannot be read',
    by(`update events set data = '"spoilt"' where ${of('ok')} and number = 3`),
    ['I1 applied_untold', 'readable line'],
    () => ({ execution: 'ok', line: 3 }),
  ),
]

export const EXECUTION_DAMAGES: readonly Damage[] = [...EVENTS, ...REACH, ...CHAINS]
