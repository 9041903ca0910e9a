import { expect, it } from 'vitest'
import { decideMachine } from '../../src/core/triggers/machine.ts'
import { machine, type Pawl, permanent } from '../../src/index.ts'
import { at, onEachStore, START } from './bed.ts'
import { gate, historyOf, only, settle, spy } from './spies.ts'

// F-050, F-090: every verb that the requirements name on ActionQueue and DeadLetterQueue, and the call that serves it.

const state = { isMended: false }
const job = spy('job', ({ config }) => {
  if (config === 'bad' && !state.isMended) throw permanent('not_found', 'no such thing')
  return { did: config }
})

const dead = async (pawl: Pawl, count: number): Promise<readonly string[]> => {
  const ids = []
  for (let n = 0; n < count; n++) ids.push((await pawl.dispatch(job('bad'))).id)
  await settle(pawl)
  return ids
}

const VERBS: readonly (readonly [verb: string, call: string, shows: (pawl: Pawl) => Promise<void>])[] = [
  [
    'enqueue → id',
    'dispatch',
    async (pawl) => {
      const { id } = await pawl.dispatch(job('one'))
      expect((await pawl.actions.get(id))!.shown).toBe('ready')
    },
  ],
  [
    'dequeue(runner) → item | null',
    'work',
    async (pawl) => {
      await pawl.dispatch(job('one'))
      await settle(pawl)
      expect(job.calls).toHaveLength(1)
    },
  ],
  [
    'complete(id, result)',
    'a runner that returns',
    async (pawl) => {
      await pawl.dispatch(job('one'))
      await settle(pawl)
      expect(await only(pawl)).toMatchObject({ status: 'succeeded', result: { did: 'one' } })
    },
  ],
  [
    'fail(id, error)',
    'a runner that throws',
    async (pawl) => {
      const [id] = await dead(pawl, 1)
      expect(await pawl.actions.get(id!)).toMatchObject({ status: 'dead', error: { type: 'not_found' } })
    },
  ],
  [
    'retry(id, reason)',
    'actions.retry',
    async (pawl) => {
      const [id] = await dead(pawl, 1)
      state.isMended = true
      await pawl.actions.retry(id!)
      await settle(pawl)
      expect((await pawl.actions.get(id!))!.status).toBe('succeeded')
    },
  ],
  [
    'getQueueStatus()',
    'counts',
    async (pawl) => {
      await dead(pawl, 2)
      await pawl.dispatch(job('later', { delay: '1h' }))
      expect((await pawl.counts()).actions).toMatchObject({ queued: 1, running: 0, dead: 2, succeeded: 0 })
    },
  ],
  [
    'getFailedActions(limit)',
    'actions.list',
    async (pawl) => {
      await dead(pawl, 3)
      const page = await pawl.actions.list({ status: 'dead' }, { limit: 2 })
      expect(page.data).toHaveLength(2)
      expect(
        (await pawl.actions.list({ status: 'dead' }, { limit: 2, after: page.next! })).data,
      ).toHaveLength(1)
    },
  ],
  [
    'DeadLetterQueue.list(filters)',
    'actions.list, actions.groups',
    async (pawl) => {
      await dead(pawl, 2)
      const [group] = await pawl.actions.groups()
      expect((await pawl.actions.list({ fingerprint: group!.fingerprint, type: 'job' })).data).toHaveLength(2)
    },
  ],
  [
    'DeadLetterQueue.archive(id)',
    'actions.archive',
    async (pawl) => {
      const [id] = await dead(pawl, 1)
      await pawl.actions.archive(id!)
      expect((await pawl.actions.list({ status: 'dead' })).data).toEqual([])
    },
  ],
]

onEachStore('F-050, F-090: the verbs of the queue', (bed) => {
  it.each(VERBS)('%s is served by %s', async (_, __, shows) => {
    state.isMended = false
    job.calls.length = 0
    await shows(await bed.open({ runners: [job] }))
  })

  it('F-051: an action shows every field of a queued action', async () => {
    const flow = machine({
      id: 'flow',
      uses: [job],
      initial: 'a',
      states: { a: { enter: () => job('one', { priority: 70, tags: ['x'], delay: '1m' }) } },
    })
    const pawl = await bed.open({ definitions: [flow], runners: [job] })
    await pawl.start(flow, { id: 'f', variables: {} })
    expect(await only(pawl)).toMatchObject({
      id: expect.stringMatching(/^act_/),
      executionId: 'f',
      name: 'job',
      type: 'job',
      config: 'one',
      createdAt: START,
      dueAt: at(60_000),
      attempt: 0,
      attempts: [],
      priority: 70,
      tags: ['x'],
    })
  })

  it('counts follow an action from queued through running to its end', async () => {
    const { pass, reached, open } = gate()
    const slow = spy('slow', pass)
    const pawl = await bed.open({ runners: [slow] })
    await pawl.dispatch(slow({}))
    expect((await pawl.counts()).actions).toMatchObject({ queued: 1, running: 0 })
    const settled = settle(pawl)
    await reached
    expect((await pawl.counts()).actions).toMatchObject({ queued: 0, running: 1 })
    open()
    await settled
    expect((await pawl.counts()).actions).toMatchObject({ queued: 0, running: 0, succeeded: 1 })
  })

  it('F-002: the definition, the queue, the runner and the audit work each without the others', async () => {
    const flow = machine({
      id: 'flow',
      uses: [job],
      initial: 'a',
      states: { a: { enter: () => job('one') } },
    })
    expect(decideMachine(flow)).toBeTypeOf('function')
    expect(job('one')).toMatchObject({ type: 'job', config: 'one' })
    expect(job.validateConfig('one')).toEqual({ isValid: true, errors: [] })
    const queueOnly = await bed.open({ definitions: [flow] })
    await queueOnly.start(flow, { id: 'f', variables: {} })
    await queueOnly.advance({ by: '1d' })
    expect((await only(queueOnly)).status).toBe('queued')
    expect(await historyOf(queueOnly, 'f')).toEqual(['execution.transitioned'])
  })
})
