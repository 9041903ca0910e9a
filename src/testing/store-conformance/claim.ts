// What a claim takes and in which order, and what becomes of leases: extend, lost, cancelled, reap.

import type { ClaimRequest } from '../../store/store.ts'
import type { Bed } from './bed.ts'
import type { Case } from './case.ts'
import { has, isTrue, same } from './check.ts'
import { action, LEASE_MS, NOW, OF, OTHER, RETRY, step } from './members.ts'

const laneOf = async ({ store }: Bed, type: string): Promise<number> => {
  const head = (await store.heads({ now: NOW })).find((one) => one.type === type)
  isTrue(head !== undefined, `there is no lane of ${type}`)
  return head!.lane
}

const request = (over: Partial<ClaimRequest>): ClaimRequest => ({
  shares: [],
  batch: 100,
  worker: 'w1',
  nonce: 'n',
  leaseMs: LEASE_MS,
  byteBudget: 1_000_000,
  now: NOW,
  lease: NOW,
  ...over,
})

const idsOf = (rows: readonly { readonly id: string }[]): readonly string[] => rows.map(({ id }) => id)

export const claimCases: readonly Case[] = [
  {
    name: 'a claim returns everything a worker needs, and marks the row',
    run: async ({ enqueue, claim, action: read }) => {
      const config = { to: 'ada', list: [1, { deep: 'ü' }] }
      await enqueue(action('a', { config, dueAt: NOW - 5 }))
      const [claimed] = await claim('n1')
      const { plan } = action('a', { config, dueAt: NOW - 5 })
      has(
        claimed,
        { ...OF, id: 'a', token: 1, nonce: 'n1', plan, dueAt: NOW - 5, createdAt: NOW },
        'the claim',
      )
      has(
        claimed,
        { execution: null, source: { kind: 'direct', id: 'a' }, attempt: 0, lost: 0, reaps: 0 },
        'the claim',
      )
      has(claimed, { cancelRequested: false, leaseUntil: NOW + LEASE_MS }, 'the claim')
      has(
        await read('a'),
        { status: 'running', worker: 'w1', leaseUntil: NOW + LEASE_MS, attempt: 0 },
        'the row',
      )
      same(await claim('n2'), [], 'a second claim')
    },
  },
  {
    name: 'within a lane the earliest due comes first, then the lower id',
    run: async ({ enqueue, claim }) => {
      await enqueue(
        action('c'),
        action('b', { dueAt: NOW - 1 }),
        action('a'),
        action('later', { dueAt: NOW + 1 }),
      )
      same(idsOf(await claim()), ['b', 'a', 'c'], 'the order')
    },
  },
  {
    name: 'what a resumption brings back comes before what was due after it',
    run: async (bed) => {
      await bed.start('e', { actions: [step('first', { dueAt: NOW - 3 })] })
      await bed.control({ kind: 'pause', scope: 'execution', value: 'e', reason: 'quiet' })
      await bed.enqueue(action('second', { dueAt: NOW - 2 }), action('third', { dueAt: NOW - 1 }))
      const shares = [{ lane: await laneOf(bed, action('second').plan.type), n: 1 }]
      const next = async (nonce: string) => idsOf(await bed.store.claim(request({ shares, nonce })))
      same(await next('n1'), ['second'], 'while it is paused')
      await bed.control({ kind: 'resume', scope: 'execution', value: 'e' })
      same(await next('n2'), ['first'], 'when it is back')
      same(await next('n3'), ['third'], 'and then')
    },
  },
  {
    name: 'shares are taken in their order, each up to its n, all up to the batch',
    run: async (bed) => {
      const types = ['mail', 'sms', 'push']
      await bed.ok({
        enqueue: types.flatMap((type) => [1, 2, 3].map((n) => action(`${type}${n}`, { type }))),
      })
      const [mail, sms, push] = await Promise.all(types.map((type) => laneOf(bed, type)))
      const shares = [
        { lane: push!, n: 2 },
        { lane: mail!, n: 1 },
        { lane: sms!, n: 3 },
      ]
      same(
        idsOf(await bed.store.claim(request({ shares, batch: 5 }))),
        ['push1', 'push2', 'mail1', 'sms1', 'sms2'],
        'first',
      )
      same(idsOf(await bed.store.claim(request({ shares, batch: 5 }))), ['push3', 'mail2', 'sms3'], 'then')
      same(idsOf(await bed.store.claim(request({ shares, batch: 0 }))), [], 'a batch of none')
    },
  },
  {
    name: 'the byte budget stops a claim, but one row is always taken',
    run: async (bed) => {
      const big = (id: string) => action(id, { config: { text: 'x'.repeat(10_000) } })
      await bed.enqueue(big('a'), big('b'), big('c'), big('d'))
      const shares = [{ lane: await laneOf(bed, 'notify'), n: 10 }]
      same(idsOf(await bed.store.claim(request({ shares, byteBudget: 1 }))), ['a'], 'a budget for none')
      same(
        idsOf(await bed.store.claim(request({ shares, byteBudget: 25_000 }))),
        ['b', 'c'],
        'a budget for two',
      )
    },
  },
  {
    name: 'a budget is spent in the order of the shares, from the oldest on, whatever came in first',
    run: async (bed) => {
      const big = (id: string, type: string, dueAt: number) =>
        action(id, { type, dueAt, config: { text: 'x'.repeat(10_000) } })
      await bed.enqueue(big('x', 'first', NOW - 99), big('y', 'second', NOW - 99))
      const shares = [await laneOf(bed, 'first'), await laneOf(bed, 'second')]
      const take = async (byteBudget: number, n = 9) =>
        idsOf(await bed.store.claim(request({ shares: shares.map((lane) => ({ lane, n })), byteBudget })))
      same(await take(1_000_000), ['x', 'y'], 'all there is')
      const names = [1, 2, 3, 4, 5, 6, 7, 8]
      await bed.enqueue(...names.map((n) => big(`b${n}`, 'second', NOW - 90 + n)))
      await bed.enqueue(...names.toReversed().map((n) => big(`a${9 - n}`, 'first', NOW - n)))
      same(await take(1), ['a1'], 'a budget for none')
      same(await take(15_000), ['a2'], 'a budget for one')
      same(await take(1_000_000, 1), ['a3', 'b1'], 'one of each')
    },
  },
  {
    name: 'what comes in due before all that was claimed is claimed too, whatever the lane gave before',
    run: async (bed) => {
      await bed.enqueue(...[1, 2, 3, 4].map((n) => action(`b${n}`, { dueAt: NOW - 10 })))
      const lane = await laneOf(bed, 'notify')
      const take = async (n: number) => idsOf(await bed.store.claim(request({ shares: [{ lane, n }] })))
      same(await take(2), ['b1', 'b2'], 'all that was asked for')
      await bed.enqueue(action('a', { dueAt: NOW - 99 }))
      same(await take(3), ['a', 'b3', 'b4'], 'with what came in before them')
      await bed.enqueue(action('c', { dueAt: NOW - 99 }))
      same(await take(1), ['c'], 'alone')
    },
  },
  {
    name: 'lane 0, negative lanes and unknown lanes yield nothing, not even what is parked',
    run: async (bed) => {
      await bed.start('e', { actions: [step('a')] })
      const lane = await laneOf(bed, 'notify')
      await bed.control({ kind: 'pause', scope: 'execution', value: 'e', reason: 'r' })
      const shares = [0, lane, -lane, -1, -2, 99_999].map((one) => ({ lane: one, n: 9 }))
      same(await bed.store.claim(request({ shares })), [], 'the claim')
    },
  },
  {
    name: 'without clocks the due time is the database’s own',
    run: async ({ enqueue, store }) => {
      await enqueue(action('past', { dueAt: 1000 }), action('future', { dueAt: 9_000_000_000_000 }))
      const [head] = await store.heads({})
      const { now: _now, lease: _lease, ...real } = request({ shares: [{ lane: head!.lane, n: 9 }] })
      const claimed = await store.claim(real)
      same(idsOf(claimed), ['past'], 'the claim')
      isTrue(claimed[0]!.leaseUntil > 1_600_000_000_000 + LEASE_MS, 'the lease is of the database’s clock')
      same(await store.reap(9, {}), [], 'and has not run out')
    },
  },
  {
    name: 'an at_most_once action is claimed like any other',
    run: async ({ enqueue, claim, another }) => {
      await enqueue(action('a', { delivery: 'at_most_once' }), action('b'))
      same(idsOf(await claim()), ['a', 'b'], 'the claim')
      has(await (await another()).reader.action(OF, 'a'), { status: 'running' }, 'seen by another process')
    },
  },
  {
    name: 'P5: a claim spans tenants, and every row carries its own',
    run: async ({ enqueue, ok, claim }) => {
      await enqueue('a')
      await ok({ ...OTHER, enqueue: [action('b')] })
      const claimed = await claim()
      same(
        claimed.map(({ id, tenant }) => [id, tenant]).sort(),
        [
          ['a', 'acme'],
          ['b', 'umbrella'],
        ],
        'the claim',
      )
    },
  },
  {
    name: 'two workers never claim one row',
    run: async (bed) => {
      const all = Array.from({ length: 200 }, (_, n) => `a${String(n).padStart(3, '0')}`)
      await bed.enqueue(...all)
      const shares = [{ lane: await laneOf(bed, 'notify'), n: 30 }]
      const { store: other } = await bed.another()
      const claims = await Promise.all(
        Array.from({ length: 10 }, (_, n) =>
          (n % 2 ? other : bed.store).claim(request({ shares, nonce: `n${n}` })),
        ),
      )
      const ids = claims.flat().map(({ id }) => id)
      same(new Set(ids).size, ids.length, 'rows claimed twice')
      same(ids.toSorted(), all, 'rows claimed')
    },
  },
  {
    name: 'extend moves the lease of what is held, and names what is lost and what is cancelled',
    run: async ({ enqueue, claim, store, control, settle, action: read }) => {
      await enqueue('a', 'b', 'c', 'd')
      const [a, b, c, d] = await claim()
      await settle(b!)
      await settle(d!, { ...RETRY, dueAt: NOW })
      await control({ kind: 'cancel_action', id: 'c', reason: 'wrong' })
      const extended = await store.extend([a!, b!, c!, d!], 60_000, { lease: NOW + 1 })
      same(extended, { lost: [b, d], cancelled: [c] }, 'the claims as they were given')
      for (const wrong of [{ nonce: 'other' }, { token: a!.token + 1 }, { token: 0 }])
        same(
          await store.extend([{ ...a!, ...wrong }], 90_000, { lease: NOW }),
          { lost: [{ ...a!, ...wrong }], cancelled: [] },
          'a claim that is not the one',
        )
      has(await read('a'), { leaseUntil: NOW + 60_001 }, 'the lease')
      has(await read('c'), { leaseUntil: NOW + 60_001 }, 'the lease of what is cancelled goes on')
      same(await store.extend([], 60_000, {}), { lost: [], cancelled: [] }, 'nothing to extend')
    },
  },
  {
    name: 'extend tells an old claim of an action from the new one, in any order, and one given twice from none',
    run: async ({ enqueue, claim, store, control, settle, action: read }) => {
      await enqueue('a', 'b')
      const [oldA, oldB] = await claim('n1')
      await settle(oldA!, { ...RETRY, dueAt: NOW })
      await settle(oldB!, { ...RETRY, dueAt: NOW })
      const [a, b] = await claim('n2')
      await control({ kind: 'cancel_action', id: 'b', reason: 'wrong' })
      const given = [oldA!, a!, b!, oldB!, b!]
      const extended = await store.extend(given, 60_000, { lease: NOW + 1 })
      same(extended, { lost: [oldA, oldB], cancelled: [b, b] }, 'lost and cancelled')
      isTrue(
        extended.lost.every((one) => given.includes(one as (typeof given)[0])),
        'the very claims that were given',
      )
      for (const id of ['a', 'b']) has(await read(id), { leaseUntil: NOW + 60_001 }, 'the lease')
    },
  },
  {
    name: 'reap returns rows whose lease has run out, oldest first, up to the limit, and changes nothing',
    run: async ({ enqueue, store, claim, action: read }) => {
      await enqueue(action('a'), action('b', { dueAt: NOW + 10 }), action('c', { dueAt: NOW + 20 }))
      const [a] = await claim('n1')
      await claim('n2', { now: NOW + 10, lease: NOW + 10 })
      await claim('n3', { now: NOW + 20, lease: NOW + 20 })
      same(await store.reap(10, { lease: NOW + LEASE_MS - 1 }), [], 'too early')
      same(await store.reap(10, { lease: NOW + LEASE_MS }), [a], 'the first, as it was claimed')
      same(idsOf(await store.reap(10, { lease: NOW + LEASE_MS + 20 })), ['a', 'b', 'c'], 'all')
      same(idsOf(await store.reap(2, { lease: NOW + LEASE_MS + 20 })), ['a', 'b'], 'up to the limit')
      has(await read('a'), { status: 'running' }, 'still running')
    },
  },
]
