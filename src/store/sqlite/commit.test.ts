import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { claimAll, open, stepTimers, tempFile } from '../../../test/sqlite/bed.ts'
import { action, advance, execution, NOW, OF, settled } from '../../../test/sqlite/members.ts'
import { chainStart, firstBroken } from '../../core/history.ts'
import { sound } from '../../testing/store-conformance/check.ts'

/** How often the row of an execution was looked at. */
const countLooks = (db: DatabaseSync): (() => number) => {
  let looks = 0
  const prepare = db.prepare.bind(db)
  db.prepare = (text) => {
    const statement = prepare(text)
    if (!text.startsWith('select revision, status, paused_from')) return statement
    const get = statement.get.bind(statement)
    statement.get = ((...values: never[]) => {
      looks += 1
      return get(...values)
    }) as typeof statement.get
    return statement
  }
  return () => looks
}

const other = { namespace: 'default', tenant: 'globex' }

it('F01: a member is applied whole or not at all, and its neighbours do not care', async () => {
  const bed = await open()
  const results = await bed.store.commit([
    { ...OF, at: NOW, enqueue: [action('act_1')] },
    { ...OF, at: NOW, enqueue: [action('act_2'), action('act_3')], advance: advance('l', { expected: 7 }) },
    { ...OF, at: NOW, enqueue: [action('act_4')] },
  ])
  expect(results.map(({ status }) => status)).toEqual(['ok', 'conflict', 'ok'])
  expect(results[1]!.subject).toBe('l')
  const page = await bed.reader.actions(OF, {}, { limit: 10 })
  expect(page.data.map(({ id }) => id)).toEqual(['act_4', 'act_1'])
})

it('a member that SQLite refuses is reported, the rest of the batch is written', async () => {
  const bed = await open()
  const results = await bed.store.commit([
    { ...OF, at: NOW, enqueue: [action('act_1')] },
    { ...OF, at: NOW, enqueue: [action('act_2'), action('')] },
    { ...OF, at: NOW, enqueue: [action('act_3', { dueAt: 1.5 })] },
    { ...OF, at: NOW, enqueue: [action('act_4')] },
  ])
  expect(results.map(({ status, error }) => error?.code ?? status)).toEqual([
    'ok',
    'commit_refused',
    'commit_refused',
    'ok',
  ])
  expect(results[1]!.error!.message).toMatch(/CHECK constraint/)
  expect((await bed.reader.actions(OF, {}, { limit: 9 })).data.map(({ id }) => id)).toEqual([
    'act_4',
    'act_1',
  ])
  expect((await bed.reader.counts(OF)).actions.queued).toBe(2)
})

it('an error while a member is written, whatever it is, concerns that member alone', async () => {
  const bed = await open()
  const loop: Record<string, unknown> = {}
  loop['self'] = loop
  const [bad, good] = await bed.store.commit([
    { ...OF, at: NOW, enqueue: [action('act_1', { config: loop as never })] },
    { ...OF, at: NOW, enqueue: [action('act_2')] },
  ])
  expect([bad!.status, bad!.error?.code, good!.status]).toEqual(['refused', 'commit_refused', 'ok'])
})

it('P1: what a member ended is gone for those behind it in the batch, though all are moved at its end', async () => {
  const bed = await open()
  await bed.commit({ enqueue: [action('act_1'), action('act_2')] })
  const [first, second] = await claimAll(bed)
  const cancel = { kind: 'cancel_action' as const, id: first!.id, reason: 'too late' }
  const results = await bed.store.commit([
    { ...OF, at: NOW, settle: [settled(first!)] },
    { ...OF, at: NOW, settle: [settled(first!)] },
    { ...OF, at: NOW, control: [cancel] },
    { ...OF, at: NOW, enqueue: [action(first!.id)] },
    { ...OF, at: NOW, settle: [settled(second!)] },
  ])
  expect(results.map(({ status }) => status)).toEqual(['ok', 'fenced', 'conflict', 'duplicate', 'ok'])
  const { actions } = await bed.reader.counts(OF)
  expect([actions.queued, actions.running, actions.succeeded]).toEqual([0, 0, 2])
})

it('parts of one member that stand in each other’s way lose together', async () => {
  const bed = await open()
  await bed.commit({ advance: advance('l') })
  const event = { id: 'e1', type: 'x', payload: {}, at: NOW }
  const twice = [
    { execution: 'l', event },
    { execution: 'l', event },
  ]
  expect(await bed.commit({ deliver: twice, enqueue: [action('act_1')] })).toEqual({
    status: 'duplicate',
    subject: 'e1',
  })
  expect((await bed.reader.actions(OF, {}, { limit: 9 })).data).toEqual([])
  expect(await bed.store.inbox(['lease'], 9)).toEqual([])
})

it('F02: the same enqueue again is a duplicate, while it lives and after it is done', async () => {
  const bed = await open()
  const enqueue = { enqueue: [action('act_1')] }
  expect((await bed.commit(enqueue)).status).toBe('ok')
  expect(await bed.commit(enqueue)).toEqual({ status: 'duplicate', subject: 'act_1' })
  const [claimed] = await claimAll(bed)
  expect((await bed.commit({ settle: [settled(claimed!)] })).status).toBe('ok')
  expect(await bed.commit(enqueue)).toEqual({ status: 'duplicate', subject: 'act_1' })
})

it('fenced comes before conflict, conflict before duplicate', async () => {
  const bed = await open()
  await bed.commit({ enqueue: [action('act_1')], advance: advance('l', { inputHash: 'a' }) })
  const settle = [settled({ id: 'act_1', token: 9, nonce: 'no' })]
  const enqueue = [action('act_1')]
  const conflict = advance('l', { expected: 5 })
  expect((await bed.commit({ settle, advance: conflict, enqueue })).status).toBe('fenced')
  expect((await bed.commit({ advance: conflict, enqueue })).status).toBe('conflict')
  expect((await bed.commit({ advance: advance('l', { inputHash: 'b' }), enqueue })).status).toBe('conflict')
  expect((await bed.commit({ advance: advance('l', { inputHash: 'a' }), enqueue })).status).toBe('duplicate')
})

it('F27: every wrong part of a claim is fenced, and so is the same claim again', async () => {
  const bed = await open()
  await bed.commit({ enqueue: [action('act_1')] })
  const [claim] = await claimAll(bed)
  const { id, token, nonce } = claim!
  const tries = [
    { id: 'act_9', token, nonce },
    { id, token: token + 1, nonce },
    { id, token, nonce: 'zombie' },
  ]
  for (const wrong of tries) expect((await bed.commit({ settle: [settled(wrong)] })).status).toBe('fenced')
  expect((await bed.commit({ ...other, settle: [settled(claim!)] })).status).toBe('fenced')
  const early = settled(claim!, {}, { onlyIfExpired: true })
  expect((await bed.commit({ lease: NOW + 29_999, settle: [early] })).status).toBe('fenced')
  expect((await bed.commit({ lease: NOW + 30_000, settle: [early] })).status).toBe('ok')
  expect((await bed.commit({ settle: [settled(claim!)] })).status).toBe('fenced')
})

it('an advance moves the revision, extends the chain, and every consumed event once', async () => {
  const bed = await open()
  const outside = { event: { id: 'e1', type: 'x', payload: {}, at: NOW }, from: 'outside' as const }
  const timer = {
    key: 't1',
    dueAt: NOW + 5,
    event: { id: 't1@', type: 'timer.fired', payload: {}, at: NOW, timer: 't1' },
  }
  const history = [{ type: 'execution.transitioned', at: NOW, data: { to: 'active' } }]
  const first = await bed.commit({ advance: advance('l', { consume: [outside], timers: [timer], history }) })
  expect(first).toMatchObject({ status: 'ok', revision: 1, chain: { number: 1 } })
  const next = { expected: 1, chain: first.chain!, history }
  expect(await bed.commit({ advance: advance('l', { ...next, consume: [outside] }) })).toEqual({
    status: 'duplicate',
    subject: 'e1',
  })
  const due = sound(await bed.store.dueTimers(9, { now: NOW + 5 }))
  expect(due).toEqual([{ ...OF, execution: 'l', timer }])
  const fired = { event: due[0]!.timer.event, from: 'timer' as const }
  const second = await bed.commit({ advance: advance('l', { ...next, consume: [fired] }) })
  expect(second).toMatchObject({ revision: 2, chain: { number: 2 } })
  expect(await bed.store.dueTimers(9, { now: NOW + 5 })).toEqual([])
  const stale = advance('l', { expected: 2, chain: second.chain!, consume: [fired] })
  expect((await bed.commit({ advance: stale })).status).toBe('duplicate')
  const { data } = await bed.reader.history(OF, 'l', { limit: 9 })
  expect(firstBroken(chainStart('default', 'acme', 'l'), data)).toBeUndefined()
  expect(data.map(({ number }) => number)).toEqual([1, 2])
})

it('what waits in the inbox is read in order, applied once, and then remembered', async () => {
  const bed = await open()
  const first = await bed.commit({ advance: advance('l') })
  const event = (id: string) => ({ id, type: 'x', payload: { id }, at: NOW })
  expect((await bed.commit({ deliver: [{ execution: 'nobody', event: event('e') }] })).status).toBe(
    'conflict',
  )
  await bed.commit({ deliver: [{ execution: 'l', event: event('e2') }] })
  await bed.commit({ deliver: [{ execution: 'l', event: event('e1') }] })
  expect((await bed.commit({ deliver: [{ execution: 'l', event: event('e1') }] })).status).toBe('duplicate')
  const waiting = sound(await bed.store.inbox(['lease', 'other'], 9))
  expect(waiting.map((row) => row.event.id)).toEqual(['e2', 'e1'])
  const consume = [{ event: event('e2'), from: 'inbox' as const }]
  const next = { expected: 1, chain: first.chain! }
  expect((await bed.commit({ advance: advance('l', { ...next, consume }) })).status).toBe('ok')
  expect((await bed.commit({ advance: advance('l', { ...next, expected: 2, consume }) })).status).toBe(
    'duplicate',
  )
  expect(sound(await bed.store.inbox(['lease'], 9)).map((row) => row.event.id)).toEqual(['e1'])
})

it('I11: an advance of another tenant’s execution is refused, and nothing of it is written', async () => {
  const bed = await open()
  const result = await bed.commit({ advance: advance('l', { execution: execution('l', other) }) })
  expect([result.status, result.error?.code]).toEqual(['refused', 'commit_refused'])
  expect(await bed.reader.execution(other, 'l')).toBeUndefined()
  expect(await bed.reader.execution(OF, 'l')).toBeUndefined()
})

it('a batch larger than a transaction is split, in order, and tells of each member', async () => {
  const bed = await open()
  const ids = Array.from({ length: 1234 }, (_, index) => `act_${String(index).padStart(5, '0')}`)
  const results = await bed.store.commit(ids.map((id) => ({ ...OF, at: NOW, enqueue: [action(id)] })))
  expect(results).toHaveLength(1234)
  expect(results.every(({ status }) => status === 'ok')).toBe(true)
  expect((await bed.reader.counts(OF)).actions.queued).toBe(1234)
  expect(await bed.store.commit([])).toEqual([])
})

it('F30: when a later part of a large batch cannot be written, what came before is told and the rest is refused', async () => {
  const file = tempFile()
  const timers = stepTimers()
  const rival = new DatabaseSync(file)
  let isArmed = false
  const turn = (): Promise<void> => {
    if (isArmed && !rival.isTransaction) rival.exec('begin immediate')
    return timers.turn()
  }
  const bed = await open({ file, timers: { ...timers, turn }, busyMs: 20 })
  isArmed = true
  const ids = Array.from({ length: 300 }, (_, index) => `act_${String(index).padStart(5, '0')}`)
  const results = await bed.store.commit(ids.map((id) => ({ ...OF, at: NOW, enqueue: [action(id)] })))
  const told = results.map(({ status, error }) => error?.code ?? status)
  expect([told.indexOf('store_busy'), told.length]).toEqual([200, 300])
  expect(new Set(told)).toEqual(new Set(['ok', 'store_busy']))
  await expect(bed.commit({ enqueue: [action('act_x')] })).rejects.toMatchObject({ code: 'store_busy' })
  expect((await bed.reader.counts(OF)).actions.queued).toBe(200)
})

it('a drawn id that is there after all, and a move of what is not, lose alone', async () => {
  const bed = await open()
  await bed.commit({ advance: advance('l', { inputHash: 'i1' }) })
  const results = await bed.store.commit([
    { ...OF, at: NOW, enqueue: [action('act_1')] },
    { ...OF, at: NOW, advance: advance('l', { inputHash: 'i1', isDrawn: true }) },
    { ...OF, at: NOW, advance: advance('l', { inputHash: 'i2', isDrawn: true }) },
    { ...OF, at: NOW, advance: advance('x', { expected: 3, was: 'active' }) },
    { ...OF, at: NOW, advance: advance('l', { expected: 1, was: 'active' }) },
  ])
  expect(results.map(({ status, subject }) => [status, subject])).toEqual([
    ['ok', undefined],
    ['duplicate', 'l'],
    ['conflict', 'l'],
    ['conflict', 'x'],
    ['ok', undefined],
  ])
  expect((await bed.reader.counts(OF)).executions.active).toBe(1)
})

it('an execution is taken for what the engine knows of it while nobody else writes, and read when somebody does', async () => {
  const bed = await open({ file: tempFile() })
  const looks = countLooks(bed.connection)
  await bed.commit({ advance: advance('l') })
  await bed.commit({ advance: advance('l', { expected: 1, was: 'active' }) })
  expect(looks()).toBe(1)
  const theirs = new DatabaseSync(bed.file)
  theirs.exec('update executions set updated_at = updated_at + 1')
  theirs.close()
  await bed.commit({ advance: advance('l', { expected: 2, was: 'active' }) })
  expect(looks()).toBe(2)
  await bed.commit({ advance: advance('l', { expected: 3, was: 'active' }) })
  expect(looks()).toBe(2)
})
