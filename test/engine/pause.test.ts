import { expect, it } from 'vitest'
import { z } from 'zod'
import { machine, type Pawl, retryable } from '../../src/index.ts'
import { type Bed, HOUR, NOW, onEachStore } from './bed.ts'
import { gate, historyOf, only, settle, spy } from './spies.ts'

const queued = spy('queued')
const flaky = spy('flaky', ({ attempt }) => {
  if (attempt === 1) throw retryable('rate_limit', 'later', { after: '1h' })
  return attempt
})
const flow = machine({
  id: 'flow',
  variables: z.object({ n: z.number().default(0) }),
  events: { add: z.object({}) },
  uses: [queued, flaky],
  initial: 'on',
  states: {
    on: {
      enter: () => [queued({}, { delay: '1h' }), flaky({}, { retryPolicy: { maxAttempts: 3 } })],
      on: { add: { internal: true, set: ({ variables }) => ({ n: variables.n + 1 }) } },
      after: { '2h': 'off' },
    },
    off: {},
  },
})

const SCOPES = [
  [
    'execution',
    (pawl: Pawl) => pawl.executions.pause('f', 'to see'),
    (pawl: Pawl) => pawl.executions.resume('f'),
  ],
  [
    'definition',
    (pawl: Pawl) => pawl.pause({ definition: 'flow' }, 'to see'),
    (pawl: Pawl) => pawl.resume({ definition: 'flow' }),
  ],
] as const

const begin = async (bed: Bed) => {
  for (const { calls } of [queued, flaky]) calls.length = 0
  const pawl = await bed.open({ definitions: [flow], runners: [queued, flaky] })
  await pawl.start(flow, { id: 'f', variables: {} })
  await settle(pawl)
  return pawl
}

onEachStore('pause', (bed) => {
  it.each(SCOPES)(
    'of the %s: queued and retrying actions, timers and events wait; resume goes on',
    async (_, pause, resume) => {
      const pawl = await begin(bed)
      await pause(pawl)
      expect(await pawl.executions.get('f')).toMatchObject({ status: 'paused', state: 'on' })
      expect(await pawl.send('f', 'add', {}, { id: 'evt_1' })).toMatchObject({
        applied: false,
        reason: 'paused',
      })
      expect(await pawl.send('f', 'add', {}, { id: 'evt_1' })).toMatchObject({ applied: false })
      await pawl.send('f', 'add', {}, { id: 'evt_2' })
      await pawl.advance({ by: '3h' })
      expect(queued.calls).toHaveLength(0)
      expect(flaky.calls).toHaveLength(1)
      expect(await pawl.executions.get('f')).toMatchObject({
        status: 'paused',
        state: 'on',
        variables: { n: 0 },
      })
      await resume(pawl)
      await settle(pawl)
      expect(queued.calls.map((call) => call.at)).toEqual([NOW + 3 * HOUR])
      expect(flaky.calls).toHaveLength(2)
      expect(await pawl.executions.get('f')).toMatchObject({
        status: 'active',
        state: 'off',
        variables: { n: 2 },
      })
      expect(await pawl.send('f', 'add', {}, { id: 'evt_1' })).toMatchObject({ duplicate: true })
    },
  )

  it.each([
    ['type', { type: 'queued' }, 0, 2],
    ['tenant', { tenant: true }, 0, 1],
  ] as const)('of the %s: its actions wait, everything else goes on', async (_, target, quietly, other) => {
    const pawl = await begin(bed)
    await pawl.pause(target, 'to see')
    expect(await pawl.send('f', 'add')).toMatchObject({ applied: true })
    await pawl.advance({ by: '3h' })
    expect(queued.calls).toHaveLength(quietly)
    expect(flaky.calls).toHaveLength(other)
    await pawl.resume(target)
    await settle(pawl)
    expect([queued.calls.length, flaky.calls.length]).toEqual([1, 2])
  })

  it.each([
    ['execution', undefined],
    ['definition', { definition: 'flow' }],
    ['type', { type: 'slow' }],
    ['tenant', { tenant: true }],
  ] as const)('of the %s: what runs is finished, and its result is not lost', async (_, target) => {
    const { pass, reached, open } = gate()
    const slow = spy('slow', pass, { event: 'slept' })
    const sleeper = machine({
      id: 'flow',
      uses: [slow],
      initial: 'a',
      states: { a: { enter: () => slow({}), on: { slept: 'b' } }, b: {} },
    })
    const pawl = await bed.open({ definitions: [sleeper], runners: [slow] })
    await pawl.start(sleeper, { id: 'f', variables: {} })
    const settled = settle(pawl)
    await reached
    await (target === undefined ? pawl.executions.pause('f') : pawl.pause(target))
    open()
    await settled
    expect((await only(pawl)).status).toBe('succeeded')
    await (target === undefined ? pawl.executions.resume('f') : pawl.resume(target))
    await settle(pawl)
    expect(await pawl.executions.get('f')).toMatchObject({ status: 'active', state: 'b' })
    expect(slow.calls).toHaveLength(1)
  })

  it.each([
    ['execution', undefined],
    ['definition', { definition: 'flow' }],
    ['type', { type: 'slow' }],
    ['tenant', { tenant: true }],
  ] as const)(
    'of the %s: what fails while it is paused is not tried again before it goes on',
    async (_, target) => {
      const { pass, reached, open } = gate()
      const slow = spy('slow', async ({ attempt }) => {
        if (attempt > 1) return attempt
        await pass()
        throw retryable('rate_limit', 'later')
      })
      const sleeper = machine({
        id: 'flow',
        uses: [slow],
        initial: 'a',
        states: { a: { enter: () => slow({}) } },
      })
      const pawl = await bed.open({ definitions: [sleeper], runners: [slow] })
      await pawl.start(sleeper, { id: 'f', variables: {} })
      const settled = settle(pawl)
      await reached
      await (target === undefined ? pawl.executions.pause('f') : pawl.pause(target))
      open()
      await settled
      await pawl.advance({ by: '1d' })
      expect(slow.calls).toHaveLength(1)
      await (target === undefined ? pawl.executions.resume('f') : pawl.resume(target))
      await settle(pawl)
      expect(slow.calls).toHaveLength(2)
    },
  )

  it('of the definition: what is started meanwhile is born paused', async () => {
    const pawl = await begin(bed)
    await pawl.pause({ definition: 'flow' })
    const run = await pawl.start(flow, { id: 'g', variables: {} })
    expect((await run.get()).status).toBe('paused')
    await pawl.advance({ by: '1d' })
    expect(await historyOf(pawl, 'g')).toHaveLength(1)
    await pawl.resume({ definition: 'flow' })
    await settle(pawl)
    expect(await run.get()).toMatchObject({ status: 'active', state: 'off' })
  })

  it('twice paused goes on when both are over', async () => {
    const pawl = await begin(bed)
    await pawl.executions.pause('f')
    await pawl.pause({ definition: 'flow' })
    await pawl.resume({ definition: 'flow' })
    await pawl.advance({ by: '3h' })
    expect((await pawl.executions.get('f'))!.status).toBe('paused')
    await pawl.executions.resume('f')
    await settle(pawl)
    expect((await pawl.executions.get('f'))!.state).toBe('off')
  })

  it('a patch of what is paused is refused when it does not fit, and waits when it does', async () => {
    const pawl = await begin(bed)
    await pawl.executions.pause('f')
    await expect(pawl.executions.patch('f', { n: 'many' })).rejects.toMatchObject({
      code: 'variables_invalid',
    })
    expect(await pawl.executions.patch('f', { n: 7 })).toMatchObject({ applied: false, reason: 'paused' })
    await pawl.executions.resume('f')
    await settle(pawl)
    expect(await pawl.executions.get('f')).toMatchObject({ status: 'active', variables: { n: 7 } })
  })

  it.each([
    ['an execution that is not there', (pawl: Pawl) => pawl.executions.pause('x'), 'execution_not_found'],
    ['resuming what is not there', (pawl: Pawl) => pawl.executions.resume('x'), 'execution_not_found'],
    ['resuming what is not paused', (pawl: Pawl) => pawl.executions.resume('f'), 'execution_conflict'],
    ['resuming a type that is not', (pawl: Pawl) => pawl.resume({ type: 'queued' }), 'execution_conflict'],
    ['resuming a tenant that is not', (pawl: Pawl) => pawl.resume({ tenant: true }), 'execution_conflict'],
  ])('%s is refused', async (_, ask, code) => {
    await expect(ask(await begin(bed))).rejects.toMatchObject({ code })
  })

  it('what is paused already, and what has ended, cannot be paused', async () => {
    const pawl = await begin(bed)
    await pawl.executions.pause('f')
    await expect(pawl.executions.pause('f')).rejects.toMatchObject({ code: 'execution_conflict' })
    await pawl.pause({ type: 'queued' })
    await expect(pawl.pause({ type: 'queued' })).rejects.toMatchObject({ code: 'execution_conflict' })
    await pawl.executions.cancel('f')
    await expect(pawl.executions.pause('f')).rejects.toMatchObject({ code: 'execution_conflict' })
  })
})
