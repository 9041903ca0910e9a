import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { machine, type Pawl, type PawlOptions } from '../../src/index.ts'
import { onEachShared, onEachStore } from './bed.ts'
import { historyOf, only, settle, spy } from './spies.ts'

const broken = { is: true }
const breaks = (): true => {
  if (broken.is) throw new Error('a bug in the machine')
  return true
}
const charge = spy('charge', () => ({ receipt: 7 }), { event: 'charged' })
const shop = machine({
  id: 'shop',
  events: { go: z.object({}), pay: z.object({}), wait: z.object({}), bad: z.object({}) },
  uses: [charge],
  initial: 'idle',
  states: {
    idle: { on: { go: 'going', pay: 'paying', wait: 'waiting', bad: 'breaking' } },
    going: {},
    breaking: { enter: () => void breaks(), on: { go: 'going' } },
    paying: {
      enter: () => charge({ cents: 100 }),
      on: { charged: { to: 'paid', when: breaks } },
    },
    paid: {},
    waiting: { after: { '1d': { to: 'going', when: breaks } } },
  },
})
const unborn = machine({
  id: 'unborn',
  initial: 'a',
  states: { a: { enter: () => void breaks() } },
})

onEachStore('a decider that throws', (bed) => {
  const begin = async () => {
    broken.is = true
    charge.calls.length = 0
    const pawl = await bed.open({ definitions: [shop, unborn], runners: [charge] })
    await pawl.start(shop, { id: 's', variables: {} })
    return pawl
  }
  const mend = async (pawl: Pawl) => {
    broken.is = false
    await pawl.executions.resume('s')
    await settle(pawl)
    return (await pawl.executions.get('s'))!
  }

  it('at the start: the caller is told, and nothing is written', async () => {
    const pawl = await begin()
    await expect(pawl.start(unborn, { id: 'u', variables: {} })).rejects.toMatchObject({
      code: 'decide_failed',
      message: expect.stringContaining('a bug in the machine'),
    })
    expect(await pawl.executions.get('u')).toBeUndefined()
    broken.is = false
    expect(await pawl.start(unborn, { id: 'u', variables: {} })).toMatchObject({ isNew: true })
  })

  it('over an event: the execution fails with the reason, the event waits, mended code goes on', async () => {
    const pawl = await begin()
    expect(await pawl.send('s', 'bad', {}, { id: 'evt_1' })).toMatchObject({
      applied: false,
      reason: 'decide_failed',
      state: 'idle',
    })
    expect(await pawl.executions.get('s')).toMatchObject({
      status: 'failed',
      state: 'idle',
      error: { code: 'decide_failed', message: expect.stringContaining('a bug') },
    })
    expect(await historyOf(pawl, 's')).toEqual(['execution.transitioned', 'execution.failed'])
    expect(await mend(pawl)).toMatchObject({ status: 'active', state: 'breaking' })
    expect(await historyOf(pawl, 's')).toEqual([
      'execution.transitioned',
      'execution.failed',
      'execution.resumed',
      'execution.transitioned',
    ])
  })

  it('events that come while it is failed wait in order behind the one that broke it', async () => {
    const pawl = await begin()
    await pawl.send('s', 'bad')
    expect(await pawl.send('s', 'go')).toMatchObject({ applied: false, reason: 'execution_failed' })
    await settle(pawl)
    expect((await pawl.executions.get('s'))!.status).toBe('failed')
    expect(await mend(pawl)).toMatchObject({ state: 'going' })
  })

  it('the id of an event that broke it is still applied once', async () => {
    const pawl = await begin()
    await pawl.send('s', 'bad', {}, { id: 'evt_1' })
    expect(await pawl.send('s', 'bad', {}, { id: 'evt_1' })).toMatchObject({ applied: false })
    expect(await mend(pawl)).toMatchObject({ state: 'breaking' })
    expect(await pawl.send('s', 'bad', {}, { id: 'evt_1' })).toMatchObject({ duplicate: true })
  })

  it('resumed before it is mended it fails again, and nothing is lost', async () => {
    const pawl = await begin()
    await pawl.send('s', 'bad')
    await pawl.executions.resume('s')
    await settle(pawl)
    expect(await pawl.executions.get('s')).toMatchObject({ status: 'failed', state: 'idle' })
    expect(await mend(pawl)).toMatchObject({ state: 'breaking' })
  })

  it('KERNEL §3: after an effect, the effect stays settled and is never sent again', async () => {
    const pawl = await begin()
    await pawl.send('s', 'pay')
    await settle(pawl)
    expect(await only(pawl)).toMatchObject({ status: 'succeeded', result: { receipt: 7 } })
    expect(await pawl.executions.get('s')).toMatchObject({ status: 'failed', state: 'paying' })
    await pawl.advance({ by: '2d' })
    expect(await mend(pawl)).toMatchObject({ status: 'active', state: 'paid' })
    expect(charge.calls).toHaveLength(1)
  })

  it('in a timer: the timer is not lost, and does not spin', async () => {
    const pawl = await begin()
    await pawl.send('s', 'wait')
    await pawl.advance({ by: '3d' })
    expect(await pawl.executions.get('s')).toMatchObject({ status: 'failed', state: 'waiting' })
    expect((await historyOf(pawl, 's')).filter((type) => type === 'execution.failed')).toHaveLength(1)
    expect(await mend(pawl)).toMatchObject({ status: 'active', state: 'going' })
  })

  it('a patch that the code refuses is the caller’s error, and changes nothing', async () => {
    const pawl = await begin()
    await pawl.send('s', 'bad')
    expect(await pawl.executions.patch('s', { a: 1 })).toMatchObject({ applied: false })
  })

  it('what has not failed cannot be resumed', async () => {
    const pawl = await begin()
    await expect(pawl.executions.resume('s')).rejects.toMatchObject({ code: 'execution_conflict' })
  })
})

const steps = (id: string, states: readonly string[], more: object = {}) =>
  machine({
    id,
    initial: states[0]!,
    states: Object.fromEntries(
      states.map((name, index) => [name, { after: { '1h': states[index + 1] ?? name } }]),
    ) as never,
    ...more,
  })

onEachShared('who can decide', (bed) => {
  const open = (...definitions: NonNullable<PawlOptions['definitions']>[number][]) =>
    bed.open({ definitions, runners: [charge] })

  it('KERNEL §3: a process without the code keeps the event; one that knows applies it', async () => {
    broken.is = false
    const author = await open(shop)
    await author.start(shop, { id: 's', variables: {} })
    const stranger = await open()
    expect(await stranger.send('s', 'go', {}, { id: 'evt_1' })).toMatchObject({
      applied: false,
      duplicate: false,
      reason: 'definition_unknown',
      state: 'idle',
    })
    expect(await stranger.send('s', 'go', {}, { id: 'evt_1' })).toMatchObject({ applied: false })
    await settle(stranger)
    expect((await stranger.executions.get('s'))!.state).toBe('idle')
    await settle(author)
    expect((await stranger.executions.get('s'))!.state).toBe('going')
    expect(await historyOf(author, 's')).toHaveLength(2)
  })

  it('KERNEL §3: events that wait are not overtaken by one from outside', async () => {
    broken.is = false
    const author = await open(shop)
    await author.start(shop, { id: 's', variables: {} })
    const stranger = await open()
    await stranger.send('s', 'bad')
    await stranger.send('s', 'go')
    await settle(author)
    expect((await author.executions.get('s'))!.state).toBe('going')
  })

  it('KERNEL §3: a runner-only worker settles, and the result waits for who knows', async () => {
    broken.is = false
    const author = await bed.open({ definitions: [shop] })
    await author.start(shop, { id: 's', variables: {} })
    await author.send('s', 'pay')
    const worker = await bed.open({ runners: [charge] })
    await settle(worker)
    expect((await only(worker)).status).toBe('succeeded')
    expect((await worker.executions.get('s'))!.state).toBe('paying')
    await settle(author)
    expect((await author.executions.get('s'))!.state).toBe('paid')
  })

  it('a definition of code is started by its name where only its outline is stored', async () => {
    broken.is = false
    const author = await open(shop)
    const stranger = await open()
    expect(await stranger.start('shop', { id: 's' })).toMatchObject({ isNew: true })
    expect(await stranger.executions.get('s')).toMatchObject({ state: null })
    await settle(author)
    expect(await stranger.executions.get('s')).toMatchObject({ state: 'idle', version: shop.hash })
  })

  it('a definition of code given under a new version moves what runs', async () => {
    const before = steps('m', ['a', 'b'])
    await (await open(before)).start('m', { id: 'x' })
    const after = await open(steps('m', ['a', 'c']))
    await after.advance({ by: '1h' })
    expect(await historyOf(after, 'x')).toContain('execution.moved')
    expect((await after.executions.get('x'))!.version).not.toBe(before.hash)
  })

  it('a version without its state fails it, and the state put back lets it go on', async () => {
    await (await open(steps('m', ['a', 'b']))).start('m', { id: 'x' })
    const wrong = await open(steps('m', ['c', 'b']))
    expect(await wrong.send('x', 'hello')).toMatchObject({
      applied: false,
      reason: 'definition_incompatible',
    })
    expect(await wrong.executions.get('x')).toMatchObject({
      status: 'failed',
      error: { code: 'definition_incompatible' },
    })
    const mended = await open(steps('m', ['a', 'd', 'b']))
    await mended.executions.resume('x')
    await settle(mended)
    expect(await mended.executions.get('x')).toMatchObject({ status: 'active', state: 'a' })
  })

  it('pinned code is left to a process that has that version', async () => {
    const old = await open(steps('m', ['a', 'b'], { versions: 'pin' }))
    await old.start('m', { id: 'x' })
    const young = await open(steps('m', ['a', 'c'], { versions: 'pin' }))
    expect(await young.send('x', 'hello')).toMatchObject({ applied: false, reason: 'definition_unknown' })
    await settle(old)
    expect(await historyOf(old, 'x')).toContain('event.ignored')
  })

  it('D1: while a process with the newer version is alive, an older one leaves it alone', async () => {
    const [older, newer] = [steps('m', ['a', 'b']), steps('m', ['a', 'b'], { version: '2' })]
    const first = await open(older)
    const second = await open(newer)
    await second.start('m', { id: 'x' })
    await second.work()
    expect(await first.send('x', 'hello')).toMatchObject({ reason: 'definition_unknown' })
  })
})

describe('a definition as data', () => {
  onEachShared('learnt from the store', (bed) => {
    it('another process compiles what it reads and decides by it, version by version', async () => {
      const { loadDefinition } = await import('../../src/definitions/parse.ts')
      const versionOf = (to: string) => {
        const { definitions } = loadDefinition({
          kind: 'machine',
          id: 'post',
          initial: 'a',
          states: {
            a: { on: { go: to } },
            b: { enter: [{ type: 'charge', config: { to: '{{execution.id}}' } }] },
            c: {},
          },
        })
        return definitions[0] as never
      }
      charge.calls.length = 0
      const author = await bed.open({ definitions: [versionOf('b')] })
      await author.start('post', { id: 'p' })
      const newer = await bed.open({ definitions: [versionOf('c')] })
      await newer.start('post', { id: 'q' })
      const stranger = await bed.open({ runners: [charge] })
      expect(await stranger.send('p', 'go')).toMatchObject({ applied: true, state: 'b' })
      expect(await stranger.send('q', 'go')).toMatchObject({ applied: true, state: 'c' })
      await settle(stranger)
      expect(charge.calls.map(({ config }) => config)).toEqual([{ to: 'p' }])
      const run = await stranger.start('post', { id: 'r' })
      expect(await run.get()).toMatchObject({ state: 'a' })
      expect(await stranger.send('r', 'go')).toMatchObject({ state: 'c' })
    })
  })
})
