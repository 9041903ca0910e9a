import { expect, it } from 'vitest'
import { open } from '../../../test/sqlite/bed.ts'
import { advance, NOW, OF } from '../../../test/sqlite/members.ts'
import { createDictation, statementAt, Unforeseen } from './dictation.ts'
import { sql as texts } from './generated/sql.ts'
import { prepareStatements } from './statements.ts'

type Name = keyof typeof texts

const setUp = async () => {
  const bed = await open()
  const real = prepareStatements(bed.connection)
  return { ...bed, real, ...createDictation(real) }
}

const COUNTED = { ...OF, name: 'dictated', bucket: 0, by: 3 }
const TIMER = { key: 't', dueAt: NOW, event: { id: 't@', type: 'timer.fired', payload: {}, at: NOW } }

const indexOf = (name: Name): number => Object.keys(texts).indexOf(name)

it('what only the transaction itself can know is not foreseen: who asks for it is told so', async () => {
  const { sql } = await setUp()
  expect(() => sql.findDedup.get({ ...OF, key: 'k' })).toThrow(Unforeseen)
  expect(() => sql.findFence.get({ id: 'act_1' })).toThrow(Unforeseen)
  expect(() => sql.actionExists.get({ ...OF, id: 'act_1' })).toThrow(Unforeseen)
  expect(() => sql.allLanes.all()).toThrow(Unforeseen)
  expect(() => sql.probeLane.each({ lane: 1, now: NOW, limit: 1 })).toThrow(Unforeseen)
})

it('nor is a statement of which nobody knows how many rows it changes', async () => {
  const { sql, take } = await setUp()
  expect(() => sql.takeDedup.run({ ...OF, key: 'k', action: 'act_1', until: null })).toThrow(Unforeseen)
  expect(() => sql.clearBegun.run()).toThrow(Unforeseen)
  expect(take()).toEqual([])
})

it('an execution, or an event, that is not there may be begun; one that is there is looked at by who writes it', async () => {
  const { sql, commit } = await setUp()
  const event = { id: 'e', type: 'x', payload: {}, at: NOW }
  await commit({ advance: advance('there', { consume: [{ event, from: 'outside' }] }) })
  expect(sql.findExecution.get({ ...OF, id: 'new' })).toBeUndefined()
  expect(() => sql.findExecution.get({ ...OF, id: 'there' })).toThrow(Unforeseen)
  expect(sql.findInbox.get({ ...OF, execution: 'there', event_id: 'new' })).toBeUndefined()
  expect(() => sql.findInbox.get({ ...OF, execution: 'there', event_id: 'e' })).toThrow(Unforeseen)
})

it('a timer that is there may be taken away; of one that is not nobody knows', async () => {
  const { sql, commit } = await setUp()
  await commit({ advance: advance('there', { timers: [TIMER] }) })
  expect(sql.findTimer.get({ ...OF, execution: 'there', key: 't' })).toBeDefined()
  expect(() => sql.findTimer.get({ ...OF, execution: 'there', key: 'gone' })).toThrow(Unforeseen)
})

it('that nothing is paused is taken for granted: who writes is asked to make sure', async () => {
  const { sql, commit, real } = await setUp()
  await commit({ control: [{ kind: 'pause', scope: 'type', value: 'notify', reason: 'quiet' }] })
  const of = { ...OF, type: 'notify' }
  expect([real.findClosing.get(of), sql.findClosing.get(of)]).toEqual([expect.anything(), undefined])
  expect(sql.findPause.get({ ...OF, scope: 'type', value: 'notify' })).toBeUndefined()
})

it('each statement is its number, the rows it must change, and its values in the order of its text, however they were given', async () => {
  const { sql, take } = await setUp()
  const { by, bucket, name, tenant, namespace } = COUNTED
  expect(sql.bumpCounter.run({ by, bucket, name, tenant, namespace })).toBe(1)
  const ordered = texts.bumpCounter.params.map((param) => COUNTED[param])
  expect(take()).toEqual([[indexOf('bumpCounter'), 1, ...ordered]])
})

it('one row, unless more are asked for; they are taken for changed', async () => {
  const { sql, take } = await setUp()
  expect(sql.unfoldBegun.run({ rows: '[1]' })).toBe(1)
  expect(sql.unfoldBegun.run({ rows: '[1,2,3]' }, 3)).toBe(3)
  const index = indexOf('unfoldBegun')
  expect(take()).toEqual([[index, 1, '[1]', index, 3, '[1,2,3]']])
})

const EVENT = { type: 'x', at: NOW, prev_hash: null, hash: null, data: '{}' }

it('F2: what is only inserted comes first, all rows of a statement together in their order; the rest is in its own', async () => {
  const { sql, take } = await setUp()
  const lines = [1, 2, 3].map((number) => ({ ...OF, ...EVENT, execution: 'e', number }))
  sql.bumpCounter.run(COUNTED)
  sql.insertEvent.run(lines[0]!)
  sql.dropBegun.run({ number: 1, revision: 2 })
  sql.insertEvent.run(lines[1]!)
  sql.insertEvent.run(lines[2]!)
  const values = lines.flatMap((line) => texts.insertEvent.params.map((param) => line[param]))
  expect(take()).toEqual([
    [indexOf('insertEvent'), 3, ...values],
    [indexOf('bumpCounter'), 1, OF.namespace, OF.tenant, 'dictated', 0, 3, indexOf('dropBegun'), 1, 1, 2],
  ])
  expect(take()).toEqual([])
  sql.insertEvent.run(lines[0]!)
  expect(take()).toEqual([[indexOf('insertEvent'), 1, ...values.slice(0, texts.insertEvent.params.length)]])
})

it('what was taken is not taken again, and nothing of it is written here', async () => {
  const { sql, take, connection } = await setUp()
  sql.bumpCounter.run(COUNTED)
  expect(take()).not.toEqual([])
  expect(take()).toEqual([])
  expect(connection.prepare('select count(*) as n from counters').get()).toEqual({ n: 0 })
})

it('a number is read as the statement it was written for', () => {
  const isListed = { bumpCounter: false, moveExecution: false, insertSettled: true }
  for (const name of ['bumpCounter', 'moveExecution', 'insertSettled'] as const) {
    const { text, params } = texts[name]
    expect(statementAt(indexOf(name))).toEqual({ text, count: params.length, isListed: isListed[name] })
  }
})
