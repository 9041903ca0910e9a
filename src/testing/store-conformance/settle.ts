// What a settlement writes, and what it leaves: every status it can end in, attempts, starts, the fence of P3.

import type { Case } from './case.ts'
import { has, isTrue, same } from './check.ts'
import {
  action,
  advance,
  CANCELLED,
  DEAD,
  ERROR,
  LEASE_MS,
  NOW,
  OF,
  RETRY,
  REVIEW,
  settled,
} from './members.ts'

export const settleCases: readonly Case[] = [
  {
    name: 'succeeded: result and times are kept, the claim is over, a first success has no attempt row',
    run: async ({ claimed, settle, action, reader }) => {
      const claim = await claimed('a')
      const result = { id: 'msg_1', parts: [1, 2, null], nested: { ok: true } }
      has(await settle(claim, { result }), { status: 'ok' }, 'the settlement')
      const row = await action('a')
      has(
        row,
        { status: 'succeeded', result, attempt: 1, startedAt: NOW, finishedAt: NOW + 5, worker: 'w1' },
        'the row',
      )
      has(row, { leaseUntil: undefined, error: undefined, archivedAt: undefined }, 'the row')
      same(await reader.attempts(OF, 'a'), [], 'attempts')
    },
  },
  {
    name: 'a result may be null, and is told apart from none',
    run: async ({ claimed, settle, action }) => {
      await settle(await claimed('a'), { result: null })
      await settle(await claimed('b'))
      isTrue((await action('a')).result === null, 'a result that is null')
      isTrue((await action('b')).result === undefined, 'no result')
    },
  },
  {
    name: 'queued again: due later, attempt and error kept, token kept, claimed again with the next',
    run: async ({ claimed, settle, action, claim, reader }) => {
      const first = await claimed('a')
      await settle(first, RETRY)
      const row = await action('a')
      has(row, { status: 'queued', attempt: 1, dueAt: NOW + 1000, error: ERROR, startedAt: NOW }, 'the row')
      has(row, { leaseUntil: undefined, worker: undefined, finishedAt: undefined }, 'the row')
      same(await claim(), [], 'not due yet')
      const [second] = await claim('n2', { now: NOW + 1000, lease: NOW })
      has(second, { id: 'a', token: first.token + 1, nonce: 'n2', attempt: 1 }, 'the second claim')
      await settle(second!, {}, { attempt: 2, startedAt: NOW + 1000, endedAt: NOW + 1010 })
      has(
        await action('a'),
        { status: 'succeeded', attempt: 2, startedAt: NOW, finishedAt: NOW + 1010 },
        'the end',
      )
      const attempts = await reader.attempts(OF, 'a')
      same(
        attempts.map(({ number, outcome, error }) => [number, outcome, error?.type ?? null]),
        [
          [1, 'failed', 'timeout'],
          [2, 'succeeded', null],
        ],
        'attempts',
      )
      has(attempts[0], { startedAt: NOW, endedAt: NOW + 5, worker: 'w1', error: ERROR }, 'the first attempt')
    },
  },
  {
    name: 'dead and review stay, with error, fingerprint and attempt',
    run: async ({ claimed, settle, action, reader, claim }) => {
      await settle(await claimed('d'), { ...DEAD, lost: 2, reaps: 1 }, { attempt: 3, fingerprint: 'slow' })
      await settle(await claimed('r'), REVIEW, { fingerprint: 'slow' })
      const kept = { error: ERROR, fingerprint: 'slow', finishedAt: NOW + 5, startedAt: NOW }
      has(await action('d'), { status: 'dead', attempt: 3, lost: 2, reaps: 1, ...kept }, 'dead')
      has(await action('r'), { status: 'review', attempt: 1, ...kept }, 'review')
      same((await reader.attempts(OF, 'd')).length, 1, 'attempts of the dead')
      same(await claim('n2', { now: NOW + 10 ** 9, lease: NOW }), [], 'neither is offered')
    },
  },
  {
    name: 'cancelled: an end of its own, with an attempt',
    run: async ({ claimed, settle, action, reader }) => {
      await settle(await claimed('a'), CANCELLED)
      has(await action('a'), { status: 'cancelled', attempt: 1, finishedAt: NOW + 5 }, 'the row')
      same(
        (await reader.attempts(OF, 'a')).map(({ outcome }) => outcome),
        ['cancelled'],
        'attempts',
      )
    },
  },
  {
    name: 'an attempt that never started counts none and starts nothing',
    run: async ({ claimed, settle, action }) => {
      const lost = { status: 'queued', outcome: 'lost', reason: 'released', dueAt: NOW } as const
      await settle(await claimed('a'), lost, { attempt: 0 })
      has(await action('a'), { status: 'queued', attempt: 0, startedAt: undefined }, 'the row')
    },
  },
  {
    name: 'an attempt that never started leaves the number and the start of those before it',
    run: async ({ claimed, settle, claim, action }) => {
      await settle(await claimed('a'), { ...RETRY, dueAt: NOW }, { attempt: 3 })
      const [again] = await claim('n2')
      const lost = { status: 'queued', outcome: 'lost', reason: 'released', dueAt: NOW } as const
      await settle(again!, lost, { attempt: 0, startedAt: NOW + 9 })
      has(await action('a'), { status: 'queued', attempt: 3, startedAt: NOW }, 'the row')
    },
  },
  {
    name: 'lost and reaps are what the settlement says',
    run: async ({ claimed, settle, claim }) => {
      const lost = {
        status: 'queued',
        outcome: 'lost',
        reason: 'released',
        dueAt: NOW,
        lost: 1,
        reaps: 1,
      } as const
      await settle(await claimed('a'), lost)
      has((await claim('n2'))[0], { attempt: 1, lost: 1, reaps: 1 }, 'the next claim')
    },
  },
  {
    name: 'P3: a settlement is fenced by token, nonce and status; the action is settled once',
    run: async ({ claimed, settle, action }) => {
      const claim = await claimed('a')
      const wrong = [
        { ...claim, token: claim.token + 1 },
        { ...claim, token: claim.token - 1 },
        { ...claim, nonce: 'other' },
        { ...claim, nonce: '' },
        { ...claim, id: 'other' },
      ]
      for (const one of wrong) has(await settle(one), { status: 'fenced', subject: one.id }, 'a wrong claim')
      has(await action('a'), { status: 'running' }, 'the row')
      has(await settle(claim, { result: 1 }), { status: 'ok' }, 'the claim')
      has(await settle(claim, { result: 2 }), { status: 'fenced' }, 'the claim again')
      has(await action('a'), { status: 'succeeded', result: 1 }, 'the row')
    },
  },
  {
    name: 'P3: a claim of before a retry is fenced after the next claim',
    run: async ({ claimed, settle, claim, action }) => {
      const first = await claimed('a')
      await settle(first, { ...RETRY, dueAt: NOW })
      has(await settle(first), { status: 'fenced' }, 'while queued')
      const [second] = await claim('n2')
      has(await settle(first), { status: 'fenced' }, 'while claimed by another')
      has(
        await settle({ ...first, token: second!.token }),
        { status: 'fenced' },
        'with its token, without its nonce',
      )
      has(await settle(second!, {}, { attempt: 2 }), { status: 'ok' }, 'the second')
      has(await action('a'), { status: 'succeeded', attempt: 2 }, 'the row')
    },
  },
  {
    name: 'P3: dead, review, cancelled and queued rows cannot be settled',
    run: async ({ claimed, settle, action }) => {
      for (const [id, over] of Object.entries({
        dead: DEAD,
        review: REVIEW,
        cancelled: CANCELLED,
        queued: RETRY,
      })) {
        const claim = await claimed(id)
        await settle(claim, over)
        has(await settle(claim, { result: 'late' }), { status: 'fenced', subject: id }, id)
        has(await action(id), { status: id, result: undefined }, id)
      }
    },
  },
  {
    name: 'P3: a new epoch fences every claim made before it, and the rows are reaped at once',
    run: async ({ claimed, settle, keeper, store, action }) => {
      const claim = await claimed('a')
      const epoch = await keeper.newEpoch()
      same(await keeper.newEpoch(), epoch + 1, 'epochs count on')
      has(await settle(claim), { status: 'fenced', subject: 'a' }, 'the old claim')
      same(
        await store.extend([claim], 1000, { lease: NOW }),
        { lost: [claim], cancelled: [] },
        'extending it',
      )
      const [reaped] = await store.reap(10, { lease: NOW })
      has(reaped, { id: 'a' }, 'reaped')
      has(
        await settle(reaped!, { ...RETRY, outcome: 'lost' }, { onlyIfExpired: true }),
        { status: 'ok' },
        'its reaping',
      )
      has(await action('a'), { status: 'queued' }, 'the row')
    },
  },
  {
    name: 'onlyIfExpired: holds when the lease has run out, is fenced when it was extended',
    run: async ({ claimed, commit, store, action }) => {
      const claim = await claimed('a')
      const reap = (lease: number) =>
        commit({ lease, settle: [settled(claim, { ...RETRY, outcome: 'lost' }, { onlyIfExpired: true })] })
      has(await reap(NOW + LEASE_MS - 1), { status: 'fenced', subject: 'a' }, 'before')
      await store.extend([claim], LEASE_MS, { lease: NOW + 1000 })
      has(await reap(NOW + LEASE_MS), { status: 'fenced' }, 'extended')
      has(await action('a'), { status: 'running' }, 'the row')
      has(await reap(NOW + 1000 + LEASE_MS), { status: 'ok' }, 'when it has run out')
    },
  },
  {
    name: 'a lease that has run out may still be settled by its holder',
    run: async ({ claimed, commit }) => {
      const claim = await claimed('a')
      has(
        await commit({ lease: NOW + 10 * LEASE_MS, settle: [settled(claim)] }),
        { status: 'ok' },
        'late, but first',
      )
    },
  },
  {
    name: 'I5: a settlement and its step are one: neither without the other',
    run: async ({ start, commit, claimed, action, execution }) => {
      await start('e')
      const claim = await claimed('a')
      const settle = [settled(claim)]
      has(
        await commit({ settle, advance: advance('e', { expected: 5 }) }),
        { status: 'conflict' },
        'a lost step',
      )
      has(await action('a'), { status: 'running' }, 'its settlement')
      const wrong = [settled({ ...claim, nonce: 'x' })]
      has(
        await commit({ settle: wrong, advance: advance('e', { expected: 1 }) }),
        { status: 'fenced' },
        'a fenced one',
      )
      has(await execution('e'), { revision: 1 }, 'its step')
      has(
        await commit({ settle, advance: advance('e', { expected: 1 }) }),
        { status: 'ok', revision: 2 },
        'both',
      )
    },
  },
  {
    name: 'several settlements and their successors go in one member',
    run: async ({ enqueue, claim, commit, reader }) => {
      await enqueue('a', 'b', 'c')
      const claims = await claim()
      await commit({ settle: claims.map((one) => settled(one, { result: one.id })) })
      has((await reader.counts(OF)).actions, { succeeded: 3, running: 0, queued: 0 }, 'counts')
    },
  },
  {
    name: 'settle skipped: it ends in the history with its error, and lets go of its key',
    run: async ({ claimed, settle, action: read, reader, ok }) => {
      const dedup = { key: 'once' }
      const error = { type: 'window_closed', message: 'closed until Monday', retryable: false }
      const claim = await claimed('a', { dedup })
      const dropped = { status: 'skipped', outcome: 'cancelled', reason: 'dropped', error } as const
      has(await settle(claim, dropped, { attempt: 0 }), { status: 'ok' }, 'the settlement')
      has(await read('a'), { status: 'skipped', error, attempt: 0, finishedAt: NOW + 5 }, 'the row')
      has((await reader.counts(OF)).actions, { queued: 0, running: 0, skipped: 1 }, 'counts')
      const listed = await reader.actions(OF, { status: 'skipped' }, { limit: 9 })
      same(
        listed.data.map(({ id }) => id),
        ['a'],
        'the list',
      )
      has(await ok({ enqueue: [action('b', { dedup })] }), { deduplicated: undefined }, 'the key is free')
      has(await settle(claim, dropped), { status: 'fenced' }, 'once')
    },
  },
]
