import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { lease, notify } from '../../test/kit/lease.ts'
import { CRASH_PLACES, createCrashSwitch, mortalPorts, mortalRunner } from './crash.ts'
import { atEveryCrashPoint } from './every-crash.ts'
import { mockRunner } from './mock.ts'
import { type TestPawl, testPawl } from './test-pawl.ts'

const folder = mkdtempSync(join(tmpdir(), 'pawl-crash-'))
afterAll(() => rmSync(folder, { recursive: true }))
let files = 0
const stores = { memory: () => 'sqlite::memory:', file: () => `sqlite:${join(folder, `${++files}.db`)}` }

const open = (store = 'sqlite::memory:') =>
  testPawl({ store, definitions: [lease], runners: [notify], now: '2026-12-01T09:00:00Z' })

const ask = async (pawl: TestPawl): Promise<void> => {
  await pawl.start(lease, { id: 'l_1', variables: { landlord: 'ada' } })
  await pawl.send('l_1', 'notice.received', { until: '2026-12-31' }, { id: 'evt_1' })
  await pawl.advance({ by: '1d' })
}

const keysOf = (pawl: TestPawl) => new Set(pawl.performed(notify).map(({ key }) => key))

describe.each(Object.entries(stores))('a crash, on a store in %s', (_, nameStore) => {
  it.each(CRASH_PLACES)('%s: stops the engine; the next one goes on with the same key', async (at) => {
    await using pawl = await open(nameStore())
    pawl.crash({ at })
    await expect(ask(pawl)).rejects.toMatchObject({
      code: 'store_closed',
      message: `this engine was stopped dead ${at} 1`,
    })
    expect(pawl.hasCrashed()).toBe(true)
    await pawl.restart()
    expect(pawl.hasCrashed()).toBe(false)
    await ask(pawl)
    expect(await pawl.executions.get('l_1')).toMatchObject({ state: 'terminating' })
    expect(keysOf(pawl).size).toBe(1)
  })

  it('F06: after the effect: it is done again, under the same key and with the same bytes', async () => {
    await using pawl = await open(nameStore())
    pawl.crash({ at: 'after effect' })
    await expect(ask(pawl)).rejects.toThrow('after effect')
    await pawl.restart()
    await ask(pawl)
    const [first, second, ...more] = pawl.performed(notify)
    expect([second!.key, second!.config, more]).toEqual([first!.key, first!.config, []])
    expect([first!.attempt, second!.attempt]).toEqual([1, 2])
  })

  it('after the settlement: nothing is done again', async () => {
    await using pawl = await open(nameStore())
    pawl.crash({ at: 'after settle' })
    await expect(ask(pawl)).rejects.toThrow('after settle')
    await pawl.restart()
    await ask(pawl)
    expect(pawl.performed(notify)).toHaveLength(1)
  })

  it('keeps the time and the data of before', async () => {
    await using pawl = await open(nameStore())
    await ask(pawl)
    const now = pawl.now()
    await pawl.restart()
    expect(pawl.now()).toBe(now)
    expect(await pawl.executions.get('l_1')).toMatchObject({ state: 'terminating' })
  })
})

describe('a dead engine', () => {
  it('K1: does nothing any more, whoever asks', async () => {
    await using pawl = await open()
    const run = await pawl.start(lease, { id: 'l_1', variables: { landlord: 'ada' } })
    pawl.crash({ at: 'before commit' })
    await expect(pawl.send('l_1', 'notice.received', { until: '2026-12-31' })).rejects.toThrow('stopped dead')
    const asked = [
      () => run.send('notice.withdrawn', {}),
      () => run.get(),
      () => pawl.actions.list(),
      () => pawl.dispatch(notify({ to: 'a', text: 'b' })),
      () => pawl.advance({ by: '1d' }),
      () => pawl.counts(),
    ]
    for (const call of asked) await expect(call()).rejects.toMatchObject({ code: 'store_closed' })
    expect(() => pawl.in({})).toThrow('stopped dead')
    expect(pawl.log).toEqual([])
  })

  it('reaches nothing: no verb of its store, no runner', async () => {
    const called: string[] = []
    const verb =
      (name: string) =>
      async (..._: readonly unknown[]) =>
        void called.push(name)
    const port = { get: verb('get') }
    const life = createCrashSwitch()
    const store = { id: 'str_1', heads: verb('heads'), commit: verb('commit'), claim: verb('claim') }
    const opened = {
      store,
      reader: port,
      keeper: port,
      workers: port,
      vault: port,
      inspector: port,
      office: { keys: port, audit: port, idempotency: port, agenda: port },
      tasks: port,
      occurrences: port,
      outbox: port,
      health: port,
      templates: port,
      triage: port,
      limits: port,
      inside: verb('inside'),
    }
    const ports = mortalPorts(opened as never, life) as unknown as typeof opened
    const sms = mortalRunner(mockRunner('sms', { respond: verb('sms') }), life)
    await ports.reader.get()
    life.kill('now')
    const { store: _, inside: __, office, ...others } = ports
    for (const part of [...Object.values(others), ...Object.values(office)])
      await expect(part.get()).rejects.toThrow('stopped dead now')
    for (const ask of [ports.store.heads, ports.store.claim, () => ports.store.commit([])])
      await expect(ask()).rejects.toThrow('stopped dead now')
    await expect(sms.definition.execute({} as never)).rejects.toThrow('stopped dead now')
    expect(called).toEqual(['get'])
  })

  it('a handle from before goes on with the engine that lives now', async () => {
    await using pawl = await open()
    const run = await pawl.start(lease, { id: 'l_1', variables: { landlord: 'ada' } })
    await pawl.restart()
    expect(await run.send('notice.received', { until: '2026-12-31' })).toMatchObject({ applied: true })
    expect(await run.get()).toMatchObject({ state: 'notice_received' })
  })

  it('an effect that was under way is not heard of: unknown, and under at_most_once for a person to say', async () => {
    const answer = Promise.withResolvers<object>()
    const sms = mockRunner('sms', { respond: () => answer.promise })
    await using pawl = await testPawl({ runners: [sms, mockRunner('email')] })
    const { id } = await pawl.dispatch({ type: 'sms', config: {}, options: {} })
    pawl.crash({ at: 'after effect' })
    const moved = pawl.advance({ by: '1s' })
    answer.resolve({})
    await expect(moved).rejects.toThrow('stopped dead')
    await pawl.restart()
    await pawl.advance({ by: '1s' })
    expect(await pawl.actions.get(id)).toMatchObject({ status: 'review' })
    expect(sms.interactions).toHaveLength(1)
  })

  it('can be put away, with its loops', async () => {
    const pawl = await open()
    await pawl.work()
    pawl.crash({ at: 'before commit' })
    await expect(pawl.dispatch(notify({ to: 'a', text: 'b' }))).rejects.toThrow('stopped dead')
    await pawl.close()
  })
})

describe('naming the point', () => {
  it('counts from where it is armed', async () => {
    await using pawl = await open()
    await pawl.start(lease, { id: 'l_1', variables: { landlord: 'ada' } })
    pawl.crash({ at: 'before commit', nth: 2 })
    await pawl.send('l_1', 'notice.received', { until: '2026-12-31' })
    await expect(pawl.send('l_1', 'notice.withdrawn', {})).rejects.toThrow('before commit 2')
  })

  it.each([
    [{ at: 'in the middle' }, 'at'],
    [{ at: 'before commit', nth: 0 }, 'nth'],
    [{ at: 'before commit', nth: 1.5 }, 'nth'],
  ])('%j is refused', (point, path) => {
    expect(() => createCrashSwitch().arm(point as never)).toThrow(
      expect.objectContaining({ code: 'invalid_option', details: expect.objectContaining({ path }) }),
    )
  })
})

describe('at every point', () => {
  it('F01–F08: nothing is lost, nothing is sent under another key, wherever it dies', async () => {
    const { points, unreached } = await atEveryCrashPoint({
      open,
      scenario: ask,
      check: async (pawl) => {
        expect(await pawl.executions.get('l_1')).toMatchObject({ state: 'terminating' })
        expect(keysOf(pawl).size).toBe(1)
      },
    })
    expect(new Set(points.map(({ at }) => at))).toEqual(new Set(CRASH_PLACES))
    expect(unreached).toEqual([])
  })

  it('says at which point it did not hold', async () => {
    const trial = atEveryCrashPoint({
      open,
      scenario: ask,
      check: (pawl) => expect(pawl.performed(notify)).toHaveLength(1),
    })
    await expect(trial).rejects.toThrow(/^after a crash after effect 1: /)
  })

  it('tells an error of the scenario itself from the crash', async () => {
    let runs = 0
    const trial = atEveryCrashPoint({
      open,
      scenario: async (pawl) => {
        runs += 1
        if (runs === 2) throw new Error('a slip')
        await ask(pawl)
      },
      check: () => undefined,
    })
    await expect(trial).rejects.toThrow('after a crash before commit 1: a slip')
  })

  it('names the points that a scenario does not come to again', async () => {
    let runs = 0
    const { unreached } = await atEveryCrashPoint({
      open,
      scenario: async (pawl) => {
        runs += 1
        if (runs === 1) await pawl.start(lease, { id: 'l_1', variables: { landlord: 'ada' } })
      },
      check: () => undefined,
    })
    expect(unreached.map(({ at }) => at)).toEqual(['before commit', 'after commit'])
  })
})
