import { expect, it } from 'vitest'
import { z } from 'zod'
import { PawlError } from '../../src/core/errors.ts'
import { machine, type Pawl, retryable } from '../../src/index.ts'
import { openWith } from '../../src/pawl/open.ts'
import { type OpenedStore, openStore } from '../../src/pawl/open-store.ts'
import type { Store } from '../../src/store/store.ts'
import { type Bed, onEachShared } from './bed.ts'
import { only, spy, until } from './spies.ts'

type Verb = Exclude<keyof Store, 'id' | 'wake' | 'close'>
interface Fault {
  readonly verb: Verb
  /** Which call of it fails. */
  readonly nth: number
  /** `before`: nothing was done. `after`: it was done, and the answer was lost. */
  readonly when: 'before' | 'after'
}

const away = (): PawlError => new PawlError('store_unavailable', 'the store is away')

const failing = (opened: OpenedStore, { verb, nth, when }: Fault, onFault: () => void): OpenedStore => {
  let calls = 0
  const call = opened.store[verb] as (...args: unknown[]) => Promise<unknown>
  const wrapped = async (...args: unknown[]): Promise<unknown> => {
    calls += 1
    if (calls !== nth) return call(...args)
    onFault()
    if (when === 'after') await call(...args)
    throw away()
  }
  return { ...opened, store: { ...opened.store, [verb]: wrapped } }
}

/** What a caller does who knows that the same id is applied once. */
const insist = async <T>(ask: () => Promise<T>): Promise<T> => {
  for (;;) {
    try {
      return await ask()
    } catch (error) {
      if ((error as PawlError).code !== 'store_unavailable') throw error
    }
  }
}

const makeScene = (isHeld: () => boolean = () => false) => {
  const once = spy('once', () => until(() => !isHeld()).then(() => ({ ok: true })), { event: 'did' })
  const twice = spy('twice', () => {
    if (twice.calls.length === 1) throw retryable('rate_limit', 'again')
    return null
  })
  const story = machine({
    id: 'story',
    events: { go: z.object({}) },
    uses: [once, twice],
    initial: 'waiting',
    states: {
      waiting: { on: { go: 'doing' } },
      doing: { enter: () => once({}), on: { did: 'resting' } },
      resting: { after: { '20ms': 'again' } },
      again: {
        enter: () => twice({}, { retryPolicy: { maxAttempts: 3, backoffStrategy: 'fixed', baseDelay: 20 } }),
        on: { 'action.succeeded': 'done' },
      },
      done: { final: true },
    },
  })
  return { once, twice, story }
}

const openFailing = async (bed: Bed, fault: Fault) => {
  const struck = { is: false }
  // Leases are extended only while something runs.
  const scene = makeScene(() => fault.verb === 'extend' && !struck.is)
  const pawl = await openWith(
    {
      store: bed.url(),
      definitions: [scene.story],
      runners: [scene.once, scene.twice],
      // Short where it must run out or be extended; elsewhere a machine that stands still for a moment would end it.
      ...(['claim', 'extend'].includes(fault.verb) && { leaseMs: 1200 }),
      // What is begun with its commit is not claimed: there might be no second claim to fail.
      ...(fault.verb === 'claim' && { flow: { eager: false } }),
      secrets: { env: {} },
      log: () => undefined,
    },
    {
      openStore: async (...given) => {
        const opened = await openStore(...given)
        // The definitions are written down first: that call is the caller's, who is told.
        return failing(opened, { ...fault, nth: fault.nth + (fault.verb === 'commit' ? 1 : 0) }, () => {
          struck.is = true
        })
      },
    },
  )
  return { pawl, struck, scene }
}

const play = async (pawl: Pawl) => {
  await pawl.work()
  await insist(() => pawl.start('story', { id: 's' }))
  await insist(() => pawl.send('s', 'go', {}, { id: 'evt_1' }))
  await until(async () => (await pawl.executions.get('s'))?.status === 'completed')
}

const VERBS: readonly Verb[] = ['commit', 'claim', 'extend', 'reap', 'dueTimers', 'inbox', 'load', 'heads']
const FAULTS: readonly Fault[] = VERBS.flatMap((verb) =>
  (['before', 'after'] as const).flatMap((when) =>
    (verb === 'commit' ? [1, 2, 3, 4, 5, 6] : [1, 2]).map((nth) => ({ verb, nth, when })),
  ),
)

onEachShared('F36, B13, F03: a store that fails once', (bed) => {
  it.each(FAULTS)(
    '$verb, call $nth, $when: the loops live, nothing is lost, nothing is doubled',
    async (fault) => {
      const { pawl, struck, scene } = await openFailing(bed, fault)
      try {
        await play(pawl)
        await until(() => struck.is)
        expect(scene.once.calls).toHaveLength(1)
        expect(scene.twice.calls).toHaveLength(2)
        const { data } = await pawl.executions.history('s', { limit: 250 })
        const moves = data
          .filter(({ type }) => type === 'execution.transitioned')
          .map(({ data: told }) => told['to'])
        expect(moves).toEqual(['waiting', 'doing', 'resting', 'again', 'done'])
        expect((await pawl.actions.list()).data.map(({ status }) => status)).toEqual([
          'succeeded',
          'succeeded',
        ])
      } finally {
        await pawl.close()
      }
    },
  )
})

onEachShared('F03: a reply that was lost', (bed) => {
  it('dispatched again under its id it is one action', async () => {
    const { pawl, scene } = await openFailing(bed, { verb: 'commit', nth: 1, when: 'after' })
    try {
      await expect(pawl.dispatch(scene.once({}), { id: 'act_1' })).rejects.toMatchObject({
        code: 'store_unavailable',
      })
      const again = await pawl.dispatch(scene.once({}), { id: 'act_1' })
      expect(again.deduplicated).toBe(true)
      expect(await only(pawl)).toMatchObject({ id: again.id, status: 'queued' })
    } finally {
      await pawl.close()
    }
  })
})
