// Deduplication: a key stands for the action that took it, for a time or while that is active, and is let go of.

import type { ActionPlan } from '../../core/action.ts'
import type { NewAction } from '../../store/store.ts'
import type { Bed } from './bed.ts'
import type { Case } from './case.ts'
import { has, same } from './check.ts'
import { action, advance, CANCELLED, DEAD, NOW, OF, OTHER, RETRY, REVIEW, settled, step } from './members.ts'

const active = (id: string, over: Partial<ActionPlan> = {}) => action(id, { dedup: { key: 'k' }, ...over })
const timed = (id: string) => active(id, { dedup: { key: 'k', forMs: 1000 } })

/** Which action holds the key, or null when the new one took it. */
const holder = async ({ ok }: Bed, id: string, at: number = NOW): Promise<string | null> => {
  const { deduplicated } = await ok({ at, enqueue: [active(id)] })
  return deduplicated?.find((one) => one.id === id)?.existing ?? null
}

/** Of an id that may be there already. */
const named = (id: string, over: Partial<ActionPlan> = {}): NewAction => ({
  ...action(id, over),
  mayExist: true,
})

export const dedupCases: readonly Case[] = [
  {
    name: 'dedup: an id that may exist stands for itself, live or ended, and the others are inserted',
    run: async (bed) => {
      await bed.enqueue('a', 'b')
      await bed.settle((await bed.claim()).find(({ id }) => id === 'a')!)
      const result = await bed.enqueue(
        named('a'),
        named('c'),
        named('b', { dedup: { key: 'k' } }),
        active('d'),
      )
      const deduplicated = ['a', 'b'].map((id) => ({ id, existing: id }))
      same(result, { status: 'ok', deduplicated }, 'the result')
      has(await bed.action('c'), { status: 'queued' }, 'c')
      has(await bed.action('d'), { status: 'queued' }, 'd: who was there took no key')
    },
  },
  {
    name: 'dedup: an id that may exist, twice in one member, is inserted once',
    run: async (bed) => {
      const result = await bed.enqueue(named('a', { priority: 7 }), named('a', { priority: 8 }))
      same(result, { status: 'ok', deduplicated: [{ id: 'a', existing: 'a' }] }, 'the result')
      same((await bed.action('a')).plan.priority, 7, 'the first')
      const counted = await bed.reader.counts({ namespace: 'default', tenant: 'acme' })
      same(counted.actions.queued, 1, 'counted once')
    },
  },
  {
    name: 'dedup: while the key is held nothing is inserted, the result names who holds it',
    run: async (bed) => {
      await bed.enqueue(active('a'))
      const result = await bed.enqueue(active('b'), action('c'))
      same(result, { status: 'ok', deduplicated: [{ id: 'b', existing: 'a' }] }, 'the result')
      same((await bed.reader.action({ namespace: 'default', tenant: 'acme' }, 'b')) ?? null, null, 'b')
      has(await bed.action('c'), { status: 'queued' }, 'c')
    },
  },
  {
    name: 'dedup: two of one key in one member: the first stands for the second',
    run: async ({ enqueue }) => {
      const result = await enqueue(active('a'), active('b'), active('c', { dedup: { key: 'other' } }))
      same(result.deduplicated, [{ id: 'b', existing: 'a' }], 'deduplicated')
    },
  },
  {
    name: 'dedup: a step is deduplicated like the queue, and moves on',
    run: async ({ enqueue, commit }) => {
      await enqueue(active('a'))
      const result = await commit({
        advance: advance('e', { actions: [step('b', { dedup: { key: 'k' } })] }),
      })
      has(result, { status: 'ok', revision: 1, deduplicated: [{ id: 'b', existing: 'a' }] }, 'the step')
    },
  },
  {
    name: 'dedup while active: the key is held through retries and running, and released at the end',
    run: async (bed) => {
      await bed.enqueue(active('a'))
      const [claim] = await bed.claim()
      same(await holder(bed, 'b'), 'a', 'while it runs')
      await bed.settle(claim!, { ...RETRY, dueAt: NOW })
      same(await holder(bed, 'c'), 'a', 'while it waits')
      const [again] = await bed.claim('n2')
      await bed.settle(again!)
      same(await holder(bed, 'd'), null, 'when it has succeeded')
    },
  },
  {
    name: 'dedup while active: what ends together lets go of its own key each, and of no other',
    run: async (bed) => {
      const keyed = (id: string, key: string) => action(id, { dedup: { key } })
      await bed.enqueue(...['a', 'b', 'c', 'd'].map((id) => keyed(id, `key of ${id}`)))
      const [a, b, c] = await bed.claim()
      await bed.store.commit([a!, b!, c!].map((claim) => ({ ...OF, at: NOW, settle: [settled(claim)] })))
      const { deduplicated } = await bed.enqueue(
        ...['a', 'b', 'c', 'd'].map((id) => keyed(`${id}2`, `key of ${id}`)),
      )
      same(deduplicated, [{ id: 'd2', existing: 'd' }], 'who still holds a key')
    },
  },
  {
    name: 'dedup while active: cancelled and dead release the key, review keeps it',
    run: async (bed) => {
      await bed.enqueue(active('a'))
      await bed.settle((await bed.claim('n1'))[0]!, CANCELLED)
      same(await holder(bed, 'b'), null, 'after cancelled')
      await bed.settle((await bed.claim('n2'))[0]!, DEAD)
      same(await holder(bed, 'c'), null, 'after dead')
      await bed.settle((await bed.claim('n3'))[0]!, REVIEW)
      same(await holder(bed, 'd'), 'c', 'after review')
      await bed.control({ kind: 'resolve_review', id: 'c', status: 'succeeded' })
      same(await holder(bed, 'e'), null, 'after it was resolved')
    },
  },
  {
    name: 'dedup while active: cancelling a queued action releases its key',
    run: async (bed) => {
      await bed.enqueue(active('a'))
      await bed.control({ kind: 'cancel_action', id: 'a', reason: 'no' })
      same(await holder(bed, 'b'), null, 'after cancelling')
    },
  },
  {
    name: 'dedup for a time: held beyond success until then, by the engine’s clock',
    run: async (bed) => {
      await bed.enqueue(timed('a'))
      await bed.settle((await bed.claim())[0]!)
      same(await holder(bed, 'b', NOW + 999), 'a', 'before')
      same(await holder(bed, 'c', NOW + 1000), null, 'then')
    },
  },
  {
    name: 'dedup for a time: a dead action releases it at once',
    run: async (bed) => {
      await bed.enqueue(timed('a'))
      await bed.settle((await bed.claim())[0]!, DEAD)
      same(await holder(bed, 'b'), null, 'after dead')
    },
  },
  {
    name: 'dedup for a time: past it a new one takes the key, and the old one does not release it',
    run: async (bed) => {
      await bed.enqueue(timed('a'))
      const [claim] = await bed.claim()
      same(await holder(bed, 'b', NOW + 1000), null, 'b takes it')
      await bed.settle(claim!, DEAD)
      same(await holder(bed, 'c', NOW + 1000), 'b', 'and keeps it')
    },
  },
  {
    name: 'dedup: skipped and dead plans neither look at keys nor take them',
    run: async (bed) => {
      await bed.start('e', { actions: [step('s', { status: 'skipped', dedup: { key: 'k' } })] })
      same(await holder(bed, 'a'), null, 'after a skipped one')
      await bed.start('f', { actions: [step('t', { status: 'skipped', dedup: { key: 'k' } })] })
      has(await bed.action('t'), { status: 'skipped' }, 'while it is held')
    },
  },
  {
    name: 'dedup: a key is one per tenant',
    run: async (bed) => {
      await bed.enqueue(active('a'))
      const result = await bed.ok({ ...OTHER, enqueue: [active('b')] })
      same(result.deduplicated ?? [], [], 'the other tenant')
    },
  },
  {
    name: 'dedup: a member that loses takes no key',
    run: async (bed) => {
      const control = [{ kind: 'run_now', id: 'nobody' }] as const
      has(await bed.commit({ enqueue: [active('a')], control }), { status: 'conflict' }, 'the loser')
      same(await holder(bed, 'b'), null, 'the next')
    },
  },
]
