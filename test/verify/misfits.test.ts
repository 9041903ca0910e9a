// What the tables of PostgreSQL do not refuse themselves (migration 0016) is found by verify, whoever wrote it.

import { afterAll, beforeAll, expect, it } from 'vitest'
import { verify } from '../../src/verify/verify.ts'
import { by, type Damage, entry, execution, is, named, of, update } from './damage.ts'
import { reportOf, rulesOf } from './damages.ts'
import { type Ground, postgresGround } from './ground.ts'

const MISFITS: readonly Damage[] = [
  entry('an action without an id', update('actions', `id = ''`, 'later'), ['I2 unfit'], () => ({
    action: '',
  })),
  entry(
    'an action without a namespace',
    update('actions', `namespace = ''`, 'later'),
    ['I2 unfit'],
    named('later'),
  ),
  entry(
    'an action without a tenant',
    update('actions', `tenant = ''`, 'later'),
    ['I2 unfit'],
    named('later'),
  ),
  entry('an action in lane 0', update('actions', 'lane = 0', 'later'), ['I7 no_lane'], named('later')),
  entry(
    'a live action of another status',
    update('actions', `status = 'done'`, 'later'),
    ['I2 unfit'],
    named('later'),
  ),
  entry('a claim of nobody', update('actions', 'nonce = null', 'running'), ['I2 unfit'], named('running')),
  entry(
    'a claim for ever',
    update('actions', 'lease_until = null', 'running'),
    ['I2 unfit'],
    named('running'),
  ),
  entry('not in line', update('actions', 'standing = null', 'later'), ['I2 unfit'], named('later')),
  entry('dead, and in line', update('actions', `standing = 'line'`, 'letter'), ['I2 unfit'], named('letter')),
  entry(
    'in review, and dead',
    by(`update actions set standing = 'dead' where ${of('unknown')}`),
    ['I2 unfit'],
    execution('unknown'),
  ),
  entry(
    'running among the dead',
    update('actions', `standing = 'dead'`, 'running'),
    ['I2 unfit'],
    named('running'),
  ),
  entry(
    'a finished action that is queued',
    update('actions_done', `status = 'queued'`, 'kept'),
    ['I2 unfit'],
    named('kept'),
  ),
  entry(
    'an execution of another kind',
    by(`update executions set kind = 'dance' where ${is('ok')}`),
    ['I2 unfit'],
    execution('ok'),
  ),
  entry(
    'an execution of another status',
    by(`update executions set status = 'gone' where ${is('ok')}`),
    ['I2 unfit'],
    execution('ok'),
  ),
  entry(
    'paused from elsewhere',
    by(`update executions set paused_from = 'gone' where ${is('paused')}`),
    ['I2 unfit'],
    execution('paused'),
  ),
  entry(
    'an execution that never began',
    by(`update executions set revision = 0 where ${is('ok')}`),
    ['I2 unfit'],
    execution('ok'),
  ),
  entry(
    'an execution without an id',
    by(`update executions set id = '' where ${is('ticket_1')}`),
    ['I2 unfit'],
    execution(''),
  ),
  entry(
    'an execution of nobody, without an id',
    by(`update executions set namespace = '', tenant = '', id = '' where ${is('ticket_1')}`),
    ['I2 unfit'],
    () => ({ namespace: '', tenant: '', execution: '' }),
  ),
  entry(
    'an execution of nobody',
    by(`update executions set tenant = '' where ${is('ticket_1')}`),
    ['I2 unfit'],
    () => ({ tenant: '', execution: 'ticket_1' }),
  ),
]

let ground: Ground
beforeAll(async () => {
  ground = await postgresGround()
}, 120_000)
afterAll(() => ground.close())

it.each(MISFITS)('$name: $finds', async (damage) => {
  const { findings } = await reportOf(ground, damage, verify)
  // What goes with it is of no matter here: an execution without a name has no events of its own either.
  expect(rulesOf(findings)).toEqual(expect.arrayContaining([...damage.finds]))
  expect(findings.map(({ where }) => where)).toContainEqual(expect.objectContaining(damage.at(ground.names)))
})
