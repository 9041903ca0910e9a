import { expect, it } from 'vitest'
import { z } from 'zod'
import { machine } from '../../src/index.ts'
import { onEachShared, onEachStore } from './bed.ts'
import { historyOf, settle, spy } from './spies.ts'

const notify = spy('notify', () => ({ sent: true }), { event: 'notified' })
const door = machine({
  id: 'door',
  variables: z.object({ count: z.number().default(0), owner: z.string().optional() }),
  events: { open: z.object({ by: z.string().default('nobody') }), add: z.object({}), end: z.object({}) },
  uses: [notify],
  initial: 'closed',
  states: {
    closed: {
      on: {
        open: { to: 'opened', when: ({ event }) => event.payload.by !== 'thief' },
        add: { internal: true, set: ({ variables }) => ({ count: variables.count + 1 }) },
        end: 'gone',
      },
    },
    opened: { after: { '1h': 'closed' } },
    gone: { final: true },
  },
})

onEachStore('send', (bed) => {
  const begin = async () => {
    const pawl = await bed.open({ definitions: [door], runners: [notify] })
    const run = await pawl.start(door, { id: 'd', variables: {} })
    return { pawl, run }
  }

  it('applied: the new state is the answer', async () => {
    const { pawl, run } = await begin()
    expect(await run.send('open', { by: 'ada' })).toEqual({
      applied: true,
      duplicate: false,
      state: 'opened',
    })
    expect(await historyOf(pawl, 'd')).toEqual(['execution.transitioned', 'execution.transitioned'])
  })

  it.each([
    ['no_transition', 'shut', {}, 'closed'],
    ['guard_false', 'open', { by: 'thief' }, 'closed'],
  ])(
    'KERNEL §2: ignored as %s, told in the history, not kept for later',
    async (reason, type, payload, state) => {
      const { pawl } = await begin()
      expect(await pawl.send('d', type, payload)).toEqual({ applied: false, duplicate: false, reason, state })
      const { data } = await pawl.executions.history('d')
      expect(data.at(-1)).toMatchObject({ type: 'event.ignored', data: { reason } })
      await settle(pawl)
      expect(await historyOf(pawl, 'd')).toHaveLength(2)
    },
  )

  it('KERNEL §2: what has ended ignores whatever comes', async () => {
    const { pawl } = await begin()
    await pawl.send('d', 'end')
    expect(await pawl.send('d', 'open', {})).toMatchObject({ applied: false, reason: 'ended', state: 'gone' })
    expect(await pawl.executions.get('d')).toMatchObject({ status: 'completed' })
  })

  it('a timer of a state that was left does not fire', async () => {
    const { pawl } = await begin()
    await pawl.send('d', 'open', {})
    await pawl.advance({ by: '30m' })
    expect((await pawl.executions.get('d'))!.state).toBe('opened')
    await pawl.advance({ by: '30m' })
    expect((await pawl.executions.get('d'))!.state).toBe('closed')
    await pawl.send('d', 'end')
    await pawl.advance({ by: '2h' })
    expect((await historyOf(pawl, 'd')).filter((type) => type === 'event.ignored')).toEqual([])
  })

  it('an event id is applied once: again it is a duplicate, whatever it carries', async () => {
    const { pawl, run } = await begin()
    await run.send('add', {}, { id: 'evt_1' })
    expect(await run.send('add', {}, { id: 'evt_1' })).toMatchObject({ applied: false, duplicate: true })
    expect(await run.send('open', {}, { id: 'evt_1' })).toMatchObject({ duplicate: true, state: 'closed' })
    expect(await pawl.executions.get('d')).toMatchObject({ state: 'closed', variables: { count: 1 } })
  })

  it('the id of an ignored event is remembered too', async () => {
    const { pawl } = await begin()
    await pawl.send('d', 'shut', {}, { id: 'evt_1' })
    expect(await pawl.send('d', 'shut', {}, { id: 'evt_1' })).toMatchObject({ duplicate: true })
  })

  it('fifty sends of one id at once are applied once', async () => {
    const { pawl, run } = await begin()
    const sent = await Promise.all(Array.from({ length: 50 }, () => run.send('add', {}, { id: 'evt_1' })))
    expect(sent.filter(({ applied }) => applied)).toHaveLength(1)
    expect(sent.filter(({ duplicate }) => duplicate)).toHaveLength(49)
    expect((await pawl.executions.get('d'))!.variables).toEqual({ count: 1 })
  })

  it.each([
    ['a payload that does not fit', 'open', { by: 7 }, 'event_invalid'],
    ['the engine’s start', 'execution.started', {}, 'event_invalid'],
    ['the engine’s success', 'action.succeeded', {}, 'event_invalid'],
    ['the engine’s failure', 'action.failed', {}, 'event_invalid'],
    ['the engine’s timer', 'timer.fired', {}, 'event_invalid'],
    ['the engine’s patch', 'variables.patched', { count: 9 }, 'event_invalid'],
    ['a result event of a runner it uses', 'notified', {}, 'event_invalid'],
    ['a payload that is too large', 'shut', { text: 'a'.repeat(300_000) }, 'payload_too_large'],
    ['a type without a name', '', {}, 'invalid_option'],
  ])('%s is refused, and nothing is written', async (_, type, payload, code) => {
    const { pawl } = await begin()
    await expect(pawl.send('d', type, payload)).rejects.toMatchObject({ code })
    expect(await historyOf(pawl, 'd')).toHaveLength(1)
    expect((await pawl.executions.get('d'))!.variables).toEqual({ count: 0 })
  })

  it.each(['', ' ', 'e\n', 'e'.repeat(201)])('%j cannot be an event id', async (id) => {
    const { pawl } = await begin()
    await expect(pawl.send('d', 'add', {}, { id })).rejects.toMatchObject({ code: 'invalid_option' })
  })

  it('an execution nobody started is not there', async () => {
    const { pawl } = await begin()
    await expect(pawl.send('e', 'open', {})).rejects.toMatchObject({ code: 'execution_not_found' })
    await expect(pawl.executions.patch('e', {})).rejects.toMatchObject({ code: 'execution_not_found' })
  })

  it('a patch merges, one level deep, and is checked', async () => {
    const { pawl } = await begin()
    expect(await pawl.executions.patch('d', { owner: 'ada' })).toMatchObject({
      applied: true,
      state: 'closed',
    })
    expect((await pawl.executions.get('d'))!.variables).toEqual({ count: 0, owner: 'ada' })
    await expect(pawl.executions.patch('d', { count: 'many' })).rejects.toMatchObject({
      code: 'variables_invalid',
    })
    expect(await pawl.executions.get('d')).toMatchObject({
      status: 'active',
      variables: { count: 0, owner: 'ada' },
    })
    expect(await historyOf(pawl, 'd')).toEqual(['execution.transitioned', 'execution.updated'])
  })

  it('a thousand events at once: each is applied once, one after the other', async () => {
    const { pawl, run } = await begin()
    const sent = await Promise.all(
      Array.from({ length: 1000 }, (_, index) => run.send('add', {}, { id: `evt_${index}` })),
    )
    expect(sent.every(({ applied }) => applied)).toBe(true)
    expect((await pawl.executions.get('d'))!.variables).toEqual({ count: 1000 })
    const page = await pawl.executions.history('d', { limit: 250 })
    expect(page.data.map(({ number }) => number)).toEqual(
      Array.from({ length: 250 }, (_, index) => index + 1),
    )
  })
})

onEachShared('send from two processes', (bed) => {
  it('conflicts are decided again: nothing is lost and nothing is applied twice', async () => {
    const open = () => bed.open({ definitions: [door], runners: [notify] })
    const [one, two] = [await open(), await open()]
    await one.start(door, { id: 'd', variables: {} })
    const sent = await Promise.all(
      Array.from({ length: 60 }, (_, index) =>
        (index % 2 === 0 ? one : two).send('d', 'add', {}, { id: `evt_${index % 40}` }),
      ),
    )
    await settle(one)
    await settle(two)
    expect((await one.executions.get('d'))!.variables).toEqual({ count: 40 })
    expect((await two.executions.get('d'))!.variables).toEqual({ count: 40 })
    expect(sent.filter(({ duplicate }) => duplicate)).toHaveLength(20)
  })

  it('what one process changed is what the other decides on', async () => {
    const open = () => bed.open({ definitions: [door], runners: [notify] })
    const [one, two] = [await open(), await open()]
    await one.start(door, { id: 'd', variables: {} })
    await one.send('d', 'add')
    await two.send('d', 'add')
    await one.executions.patch('d', { count: 10 })
    await two.send('d', 'add')
    expect((await one.executions.get('d'))!.variables).toEqual({ count: 11 })
  })
})
