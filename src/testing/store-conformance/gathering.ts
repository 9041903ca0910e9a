// Gathering: one waiting action takes in what is asked of its key, in one commit, until it is started; whoever asks.

import type { ActionPlan } from '../../core/action.ts'
import type { Case } from './case.ts'
import { has, same } from './check.ts'
import { action, advance, NOW, OF, OTHER, RETRY } from './members.ts'

const debounced = (id: string, config: ActionPlan['config'], at: number = NOW) =>
  action(id, {
    config,
    dueAt: at + 100,
    dedup: { key: 'debounce/notify/k' },
    gather: { kind: 'debounce', waitMs: 100 },
  })

const batched = (id: string, items: readonly number[], over: Partial<ActionPlan> = {}) =>
  action(id, {
    config: { items },
    dueAt: NOW + 100,
    dedup: { key: 'batch/notify/k' },
    gather: { kind: 'batch', waitMs: 100, size: 3 },
    ...over,
  })

export const gatheringCases: readonly Case[] = [
  {
    name: 'gathering: a debounced one takes in the latest, and is due later; the result names it',
    run: async (bed) => {
      await bed.enqueue(debounced('a', 1))
      const result = await bed.ok({ at: NOW + 50, enqueue: [debounced('b', 2, NOW + 50)] })
      same(result.deduplicated, [{ id: 'b', existing: 'a' }], 'the result')
      const row = await bed.action('a')
      has(row, { status: 'queued', dueAt: NOW + 150, createdAt: NOW }, 'the one that waits')
      has(row.plan, { config: 2, stepKey: 'lease/notice/notify', dueAt: NOW + 150 }, 'its plan')
      same((await bed.reader.action(OF, 'b')) ?? null, null, 'the other is not written')
      same((await bed.claim()).length, 0, 'nothing is due before')
      const clocks = { now: NOW + 150, lease: NOW }
      same(
        (await bed.claim('n', clocks)).map(({ plan }) => plan.config),
        [2],
        'what runs',
      )
    },
  },
  {
    name: 'gathering: what is running, or waits for another attempt, takes nothing in; the key goes over',
    run: async (bed) => {
      const clocks = { now: NOW + 100, lease: NOW }
      await bed.enqueue(debounced('a', 1))
      const [claim] = await bed.claim('n', clocks)
      same((await bed.enqueue(debounced('b', 2))).deduplicated ?? null, null, 'while it runs')
      await bed.settle(claim!, { ...RETRY, dueAt: NOW + 500 })
      const third = await bed.enqueue(debounced('c', 3))
      same(third.deduplicated, [{ id: 'c', existing: 'b' }], 'the second holds the key')
      has((await bed.action('a')).plan, { config: 1 }, 'the first is as it was')
      await bed.claim('n2', { now: NOW + 500, lease: NOW })
      same((await bed.enqueue(debounced('d', 4))).deduplicated ?? null, null, 'the second runs now')
    },
  },
  {
    name: 'gathering: what was started once and is queued again takes nothing in',
    run: async (bed) => {
      await bed.enqueue(debounced('a', 1))
      const [claim] = await bed.claim('n', { now: NOW + 100, lease: NOW })
      await bed.settle(claim!, { ...RETRY, dueAt: NOW + 500 })
      same((await bed.enqueue(debounced('b', 2))).deduplicated ?? null, null, 'another begins')
      const row = await bed.action('a')
      has(row, { dueAt: NOW + 500 }, 'the first is due when it was')
      has(row.plan, { config: 1 }, 'and does what it did')
    },
  },
  {
    name: 'gathering: a batch joins items; full it is due at once and lets go of its key',
    run: async (bed) => {
      await bed.enqueue(batched('a', [1]))
      await bed.enqueue(batched('b', [2]))
      has((await bed.action('a')).plan, { config: { items: [1, 2] } }, 'joined')
      const full = await bed.ok({ at: NOW + 5, enqueue: [batched('c', [3])] })
      same(full.deduplicated, [{ id: 'c', existing: 'a' }], 'the last that fits')
      has(await bed.action('a'), { dueAt: NOW + 5 }, 'due at once')
      const next = await bed.ok({ at: NOW + 9, enqueue: [batched('d', [4])] })
      same(next.deduplicated ?? null, null, 'the next begins another')
      has(await bed.action('a'), { dueAt: NOW + 5 }, 'and leaves the full one alone')
      same((await bed.enqueue(batched('e', [5]))).deduplicated?.[0]?.existing, 'd', 'which holds the key')
    },
  },
  {
    name: 'gathering: what would not fit stays apart, the waiting one is due at once, the new one has the key',
    run: async (bed) => {
      await bed.enqueue(batched('a', [1, 2]))
      same(
        (await bed.ok({ at: NOW + 7, enqueue: [batched('b', [3, 4])] })).deduplicated ?? null,
        null,
        'apart',
      )
      has(await bed.action('a'), { dueAt: NOW + 7 }, 'the first')
      same((await bed.enqueue(batched('c', [5]))).deduplicated?.[0]?.existing, 'b', 'who holds the key')
    },
  },
  {
    name: 'gathering: several in one member, and in one batch of members, are one',
    run: async (bed) => {
      await bed.enqueue(batched('a', [1]), batched('b', [2]))
      const member = { ...OF, at: NOW, lease: NOW }
      await bed.store.commit([
        { ...member, enqueue: [batched('x1', [1], { dedup: { key: 'other' } })] },
        { ...member, enqueue: [batched('x2', [2], { dedup: { key: 'other' } })] },
      ])
      has((await bed.action('a')).plan, { config: { items: [1, 2] } }, 'of one member')
      has((await bed.action('x1')).plan, { config: { items: [1, 2] } }, 'of one batch')
    },
  },
  {
    name: 'gathering: a key is one tenant’s own, and a step takes part like the queue',
    run: async (bed) => {
      await bed.enqueue(batched('a', [1]))
      const other = await bed.ok({ ...OTHER, enqueue: [batched('b', [2])] })
      same(other.deduplicated ?? null, null, 'another tenant')
      const step = await bed.commit({ advance: advance('e', { actions: [batched('c', [3])] }) })
      same(step.deduplicated, [{ id: 'c', existing: 'a' }], 'a step')
      has((await bed.action('a')).plan, { config: { items: [1, 3] } }, 'joined')
    },
  },
  {
    name: 'gathering: a request with a name of its own is taken in once, by whoever took it, until its time is over',
    run: async (bed) => {
      const asked = { key: 'asked/r', until: NOW + 1000 }
      const first = { ...batched('a', [1]), asked: { ...asked, key: 'asked/q' } }
      const more = (id: string) => ({ ...batched(id, [2]), asked })
      await bed.enqueue(first)
      const took = (await bed.enqueue(more('b'))).deduplicated
      same(took, [{ id: 'b', existing: 'a' }], 'taken in')
      same((await bed.enqueue(more('c'))).deduplicated, [{ id: 'c', existing: 'a' }], 'told again')
      const again = { ...first, id: 'd' }
      same((await bed.enqueue(again)).deduplicated, [{ id: 'd', existing: 'a' }], 'the one that began it')
      has((await bed.action('a')).plan, { config: { items: [1, 2] } }, 'each item once')
      const [claim] = await bed.claim('n', { now: NOW + 100, lease: NOW })
      await bed.settle(claim!)
      same((await bed.enqueue(more('e'))).deduplicated, [{ id: 'e', existing: 'a' }], 'when it has run too')
      const elsewhere = await bed.ok({ ...OTHER, enqueue: [more('f')] })
      same(elsewhere.deduplicated ?? null, null, 'another tenant')
      const late = await bed.ok({ at: NOW + 1000, enqueue: [more('g')] })
      same(late.deduplicated ?? null, null, 'when it is forgotten')
      const together = await bed.ok({
        enqueue: [
          { ...batched('h', [7]), asked: { ...asked, key: 'asked/t' } },
          { ...batched('i', [7]), asked: { ...asked, key: 'asked/t' } },
        ],
      })
      same(
        together.deduplicated,
        [
          { id: 'h', existing: 'g' },
          { id: 'i', existing: 'g' },
        ],
        'twice in one commit',
      )
      has((await bed.action('g')).plan, { config: { items: [2, 7] } }, 'is once')
    },
  },
  {
    name: 'gathering: two processes ask at once: one waits, all items are in it',
    run: async (bed) => {
      const { store } = await bed.another()
      const stores = [bed.store, store]
      const asks = Array.from({ length: 20 }, (_, n) =>
        stores[n % 2]!.commit([
          {
            ...OF,
            at: NOW,
            lease: NOW,
            enqueue: [batched(`a${n}`, [n], { gather: { kind: 'batch', waitMs: 100, size: 99 } })],
          },
        ]),
      )
      const results = (await Promise.all(asks)).flat()
      same(
        results.map(({ status }) => status),
        Array(20).fill('ok'),
        'all are taken',
      )
      const first = results.findIndex(({ deduplicated }) => deduplicated === undefined)
      const { plan } = await bed.action(`a${first}`)
      const { items } = plan.config as { readonly items: readonly number[] }
      same(
        items.toSorted((a, b) => a - b),
        Array.from({ length: 20 }, (_, n) => n),
        'every item once',
      )
    },
  },
]
