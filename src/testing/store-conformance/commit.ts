// P1 and P2: a member is applied whole or not at all, members of a batch win or lose apart, losers are reported with the
// first thing that stood in their way.

import type { Member } from '../../store/store.ts'
import type { Case } from './case.ts'
import { has, isTrue, same } from './check.ts'
import {
  action,
  advance,
  DEAD,
  ERROR,
  entry,
  event,
  NOW,
  OF,
  OTHER,
  RETRY,
  settled,
  step,
  timer,
} from './members.ts'

const member = (over: Partial<Member>): Member => ({ ...OF, at: NOW, lease: NOW, ...over })

export const commitCases: readonly Case[] = [
  {
    name: 'P1: an empty batch has no results, an empty member is ok',
    run: async ({ store }) => {
      same(await store.commit([]), [], 'an empty batch')
      same(await store.commit([member({})]), [{ status: 'ok' }], 'an empty member')
    },
  },
  {
    name: 'P1: results come in the order of the members, and losers do not stop winners',
    run: async ({ store, action: read }) => {
      const results = await store.commit([
        member({ enqueue: [action('a')] }),
        member({ control: [{ kind: 'run_now', id: 'nobody' }] }),
        member({ settle: [settled({ id: 'nobody', token: 1, nonce: 'x' })] }),
        member({ enqueue: [action('a')] }),
        member({ enqueue: [action('b')] }),
      ])
      const expected = [
        { status: 'ok' },
        { status: 'conflict', subject: 'nobody' },
        { status: 'fenced', subject: 'nobody' },
        { status: 'duplicate', subject: 'a' },
        { status: 'ok' },
      ]
      same(results, expected, 'results')
      has(await read('b'), { status: 'queued' }, 'the last member')
    },
  },
  {
    name: 'P1: a later member sees what an earlier one of the same batch wrote',
    run: async ({ store, execution }) => {
      const results = await store.commit([
        member({ advance: advance('e') }),
        member({ advance: advance('e', { expected: 1 }) }),
        member({ advance: advance('e', { expected: 1 }) }),
        member({ deliver: [{ execution: 'e', event: event('v') }] }),
        member({ deliver: [{ execution: 'e', event: event('v') }] }),
      ])
      same(
        results.map(({ status }) => status),
        ['ok', 'ok', 'conflict', 'ok', 'duplicate'],
        'statuses',
      )
      has(await execution('e'), { revision: 2 }, 'the execution')
    },
  },
  {
    name: 'P1: what happens to one action twice in a batch is what happens in two',
    run: async ({ store, enqueue, claim, action: read }) => {
      await enqueue('cancelled', 'dead', 'queued')
      const claims = await claim()
      const settle = (id: string, over: Parameters<typeof settled>[1]) =>
        member({ settle: [settled(claims.find((one) => one.id === id)!, over, { fingerprint: 'f' })] })
      const results = await store.commit([
        settle('cancelled', RETRY),
        member({ control: [{ kind: 'cancel_action', id: 'cancelled', reason: 'r' }] }),
        settle('dead', DEAD),
        member({ at: NOW + 9, control: [{ kind: 'archive_dead', id: 'dead' }] }),
        settle('queued', DEAD),
        member({ control: [{ kind: 'retry_dead', id: 'queued', dueAt: NOW + 7 }] }),
        member({ control: [{ kind: 'run_now', id: 'queued' }] }),
      ])
      same(results, Array(7).fill({ status: 'ok' }), 'results')
      const times = { attempt: 1, startedAt: NOW }
      has(
        await read('cancelled'),
        { status: 'cancelled', dueAt: NOW + 1000, finishedAt: NOW, ...times },
        'cancelled',
      )
      has(
        await read('dead'),
        { status: 'dead', archivedAt: NOW + 9, fingerprint: 'f', error: ERROR, ...times },
        'dead',
      )
      has(await read('cancelled'), { worker: undefined, hold: undefined, leaseUntil: undefined }, 'cancelled')
      has(
        await read('queued'),
        { status: 'queued', dueAt: NOW, lost: 1, fingerprint: undefined, ...times },
        'queued',
      )
    },
  },
  {
    name: 'P1: a member that loses by one part writes no other part',
    run: async ({ commit, start, reader, store, claimed, action: read }) => {
      await start('e')
      const claim = await claimed('a')
      const lost = await commit({
        settle: [settled(claim)],
        advance: advance('e', {
          expected: 1,
          actions: [step('b')],
          timers: [timer('t')],
          history: [entry('x')],
        }),
        deliver: [{ execution: 'e', event: event('v') }],
        enqueue: [action('c')],
        control: [{ kind: 'cancel_action', id: 'nobody', reason: 'no' }],
        record: [{ type: 'noted', at: NOW, data: {} }],
      })
      has(lost, { status: 'conflict', subject: 'nobody' }, 'the member')
      has(await read('a'), { status: 'running' }, 'its settlement')
      for (const id of ['b', 'c']) same((await reader.action(OF, id)) ?? null, null, `its action ${id}`)
      has(await reader.execution(OF, 'e'), { revision: 1 }, 'its execution')
      same(await store.dueTimers(10, { now: NOW }), [], 'its timer')
      same(await store.inbox(['lease'], 10), [], 'its event')
      same(await reader.feed(OF, undefined, 10), [], 'its facts')
    },
  },
  {
    name: 'P2: fenced comes before conflict, conflict before duplicate',
    run: async ({ commit, start, enqueue }) => {
      await start('e')
      await enqueue('a')
      const fenced = { settle: [settled({ id: 'a', token: 9, nonce: 'x' })] }
      const conflict = { advance: advance('e', { expected: 7 }) }
      const duplicate = { enqueue: [action('a')] }
      has(await commit({ ...fenced, ...conflict, ...duplicate }), { status: 'fenced', subject: 'a' }, 'all')
      has(await commit({ ...conflict, ...duplicate }), { status: 'conflict', subject: 'e' }, 'two')
      has(await commit(duplicate), { status: 'duplicate', subject: 'a' }, 'one')
    },
  },
  {
    name: 'P2: a fenced hold comes before a conflict that stands before it',
    run: async ({ commit, enqueue }) => {
      await enqueue('a', 'b')
      const claim = { id: 'a', token: 1, nonce: 'x' }
      const result = await commit({
        control: [
          { kind: 'retry_dead', id: 'b', dueAt: NOW },
          { kind: 'hold', claim, dueAt: NOW, hold: 'later' },
        ],
      })
      has(result, { status: 'fenced', subject: 'a' }, 'the member')
    },
  },
  {
    name: 'P2: of several settlements the first fenced one is named, and none is written',
    run: async ({ commit, enqueue, claim, action: read }) => {
      await enqueue('a', 'b', 'c')
      const [a, b, c] = await claim()
      const wrong = { ...b!, nonce: 'other' }
      const result = await commit({ settle: [settled(a!), settled(wrong), settled({ ...c!, token: 9 })] })
      has(result, { status: 'fenced', subject: 'b' }, 'the member')
      has(await read('a'), { status: 'running' }, 'the first')
    },
  },
  {
    name: 'P1: a member that names one action twice is a conflict',
    run: async ({ commit, claimed, action: read }) => {
      const claim = await claimed('a')
      const twice = { settle: [settled(claim, RETRY), settled(claim)] }
      has(await commit(twice), { status: 'conflict', subject: 'a' }, 'settled twice')
      const both = {
        settle: [settled(claim)],
        control: [{ kind: 'cancel_action', id: 'a', reason: '' }],
      } as const
      has(await commit(both), { status: 'conflict', subject: 'a' }, 'settled and cancelled')
      has(await read('a'), { status: 'running' }, 'the action')
    },
  },
  {
    name: 'P1: a member whose data cannot be written is refused alone, its neighbours are applied',
    run: async ({ store, action: read, reader, start }) => {
      await start('e', { actions: [step('taken')] })
      const foreign = advance('f', {}, OTHER)
      const results = await store.commit([
        member({ enqueue: [action('a')] }),
        member({ advance: foreign }),
        member({ advance: advance('g', { actions: [step('taken')] }), enqueue: [action('x')] }),
        member({ enqueue: [action('b')] }),
      ])
      same(
        results.map(({ status }) => status),
        ['ok', 'refused', 'refused', 'ok'],
        'statuses',
      )
      isTrue(results[1]?.error?.code === 'commit_refused', 'a refusal says commit_refused')
      for (const id of ['a', 'b']) has(await read(id), { status: 'queued' }, `neighbour ${id}`)
      for (const owner of [OF, OTHER]) same((await reader.execution(owner, 'f')) ?? null, null, 'the refused')
      same((await reader.execution(OF, 'g')) ?? null, null, 'the second refused')
      same((await reader.action(OF, 'x')) ?? null, null, 'the second refused')
    },
  },
  {
    name: 'P1: a large batch of members is applied, each with its own result',
    run: async ({ store, reader }) => {
      const batch = Array.from({ length: 300 }, (_, n) =>
        member({ enqueue: [action(`a${String(n % 200).padStart(3, '0')}`)] }),
      )
      const results = await store.commit(batch)
      const duplicates = results.filter(({ status }) => status === 'duplicate')
      same([results.length, duplicates.length], [300, 100], 'results and duplicates')
      has((await reader.counts(OF)).actions, { queued: 200 }, 'counts')
    },
  },
  {
    name: 'P4: what was committed is there for another process',
    run: async ({ enqueue, start, another }) => {
      await enqueue('a')
      await start('e', { history: [entry('signed')] })
      const { reader } = await another()
      has(await reader.action(OF, 'a'), { status: 'queued' }, 'the action')
      has(await reader.execution(OF, 'e'), { revision: 1 }, 'the execution')
    },
  },
]
