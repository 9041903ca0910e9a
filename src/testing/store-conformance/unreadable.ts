// F36: a row that cannot be read is told by name and never takes its neighbours with it; whoever asked can end it.

import { isUnreadable } from '../../store/unreadable.ts'
import { claimAll } from './bed.ts'
import type { Case } from './case.ts'
import { has, isTrue, rejects, same } from './check.ts'
import { advance, DEAD, entry, event, LEASE_MS, NOW, OF, settled, step, timer } from './members.ts'

/** The unreadable ones without their reason, which must be the right one. */
const told = (rows: readonly object[]): readonly unknown[] =>
  rows.map((row) => {
    if (!isUnreadable(row)) return row
    const { unreadable, ...rest } = row as { readonly unreadable: { readonly code: string } }
    same(unreadable.code, 'store_corrupt', 'the reason')
    return { ...rest, isUnreadable: true }
  })

const CASES: readonly Case[] = [
  {
    name: 'F36: load tells which execution cannot be read, and loads the others',
    run: async ({ start, spoil, store, execution, reader }) => {
      for (const id of ['e', 'f', 'g']) await start(id)
      await spoil({ table: 'executions', name: 'f' })
      const loaded = await store.load(['e', 'f', 'g', 'x'].map((id) => ({ ...OF, id })))
      same(
        told(loaded).toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)),
        [
          { ...(await execution('e')), waiting: false },
          { ...(await execution('g')), waiting: false },
          { ref: { ...OF, id: 'f' }, isUnreadable: true },
        ],
        'loaded',
      )
      await rejects('store_corrupt', () => reader.execution(OF, 'f'), 'by itself')
      const { data, unreadable } = await reader.executions(OF, {}, { limit: 9 })
      same([data.map((row) => row.execution.id), unreadable], [['g', 'e'], ['f']], 'the list')
    },
  },
  {
    name: 'F36: an action that cannot be read is claimed with its neighbours, and can be settled',
    run: async ({ start, spoil, store, ok, action: read, reader }) => {
      await start('e', { actions: [step('a'), step('b'), step('c')] })
      await spoil({ table: 'actions', name: 'b' })
      const claims = await claimAll(store, 'n1')
      same(
        claims.map((one) => [one.id, isUnreadable(one)]),
        [
          ['a', false],
          ['b', true],
          ['c', false],
        ],
        'claimed',
      )
      const [, b] = claims
      has(
        b,
        { ...OF, execution: 'e', token: 1, nonce: 'n1', leaseUntil: NOW + LEASE_MS, plan: undefined },
        'b',
      )
      await ok({
        settle: [settled(b!, DEAD, { fingerprint: 'unreadable' })],
        deliver: [{ execution: 'e', event: event('failed') }],
      })
      has((await reader.counts(OF)).actions, { running: 2, dead: 1 }, 'counts')
      await rejects('store_corrupt', () => read('b'), 'by itself')
      const { data, unreadable } = await reader.actions(OF, {}, { limit: 9 })
      same([data.map(({ id }) => id), unreadable], [['c', 'a'], ['b']], 'the list')
      const [group] = await reader.deadGroups(OF, 9)
      has(group, { fingerprint: 'unreadable', errorType: 'unreadable', count: 1 }, 'the group')
    },
  },
  {
    name: 'F36: a claim that cannot be read is reaped with its neighbours, and can be archived when it is dead',
    run: async ({ enqueue, spoil, claim, store, ok, control, reader }) => {
      await enqueue('a', 'b')
      await claim('n1')
      await spoil({ table: 'actions', name: 'a' })
      const lease = NOW + LEASE_MS
      const reaped = await store.reap(9, { lease })
      same(
        reaped.map((one) => [one.id, isUnreadable(one), one.nonce]).toSorted(),
        [
          ['a', true, 'n1'],
          ['b', false, 'n1'],
        ],
        'reaped',
      )
      const bad = reaped.find((one) => one.id === 'a')!
      await ok({ lease, settle: [settled(bad, DEAD, { onlyIfExpired: true, attempt: 0 })] })
      has(await control({ kind: 'archive_dead', id: 'a' }), { status: 'ok' }, 'archived')
      same((await reader.actions(OF, { status: 'dead' }, { limit: 9 })).data, [], 'dead letters')
    },
  },
  {
    name: 'F36: timers and events that cannot be read are told once and set aside, those behind them come',
    run: async ({ ok, spoil, store }) => {
      const waiting = ['v1', 'v2'].map((id) => ({ execution: 'e', event: event(id) }))
      await ok({ advance: advance('e', { timers: [timer('t1'), timer('t2')] }), deliver: waiting })
      await spoil({ table: 'timers', name: 't1' })
      await spoil({ table: 'inbox', name: 'v1' })
      const t2 = { ...OF, execution: 'e', timer: timer('t2') }
      same(
        told(await store.dueTimers(9, { now: NOW })),
        [{ ...OF, execution: 'e', key: 't1', isUnreadable: true }, t2],
        'timers',
      )
      const events = await store.inbox(['lease'], 9)
      const [first, second] = events.map(({ seq }) => seq)
      const of = { ...OF, execution: 'e', definition: 'lease' }
      const v2 = { ...of, seq: second!, event: event('v2') }
      same(told(events), [{ ...of, seq: first!, eventId: 'v1', isUnreadable: true }, v2], 'events')
      same(await store.dueTimers(1, { now: NOW }), [t2], 'the next look, with room for one')
      same(await store.inbox(['lease'], 1), [v2], 'the next look, with room for one')
    },
  },
  {
    name: 'R-045: a timer whose execution is gone is told once and set aside, whoever else has one of its name',
    run: async ({ ok, spoil, start, store }) => {
      await ok({ advance: advance('e', { timers: [timer('t1')] }) })
      await spoil({ table: 'executions', name: 'e', isGone: true })
      await start('e', {}, { ...OF, tenant: 'other' })
      await start('e', {}, { ...OF, namespace: 'other' })
      await ok({ advance: advance('f', { timers: [timer('t2')] }) })
      const t2 = { ...OF, execution: 'f', timer: timer('t2') }
      same(
        told(await store.dueTimers(9, { now: NOW })),
        [{ ...OF, execution: 'e', key: 't1', isUnreadable: true }, t2],
        'timers',
      )
      same(await store.dueTimers(1, { now: NOW }), [t2], 'the next look, with room for one')
    },
  },
  {
    name: 'F36: what could not be read can be consumed by name, and its execution goes on',
    run: async ({ ok, step: move, spoil, store }) => {
      const deliver = [{ execution: 'e', event: event('v1') }]
      await ok({ advance: advance('e', { timers: [timer('t1')] }), deliver })
      await spoil({ table: 'timers', name: 't1' })
      await spoil({ table: 'inbox', name: 'v1' })
      const consume = [
        { event: event('t1', { timer: 't1' }), from: 'timer' as const },
        { event: event('v1'), from: 'inbox' as const },
      ]
      has(await move('e', { consume }), { status: 'ok' }, 'the step')
      same(
        [await store.dueTimers(9, { now: NOW }), await store.inbox(['lease'], 9)],
        [[], []],
        'nothing waits',
      )
    },
  },
  {
    name: 'F36: leaving a state cancels the actions that can be read; the other is found by its claim',
    run: async ({ start, step: move, spoil, store, action: read, enqueue, commit }) => {
      await start('e', { actions: [step('a'), step('b')] })
      await enqueue('c')
      await spoil({ table: 'actions', name: 'b' })
      const cancel = { timers: [], actions: ['a', 'b'] }
      has(await move('e', { cancel }), { status: 'ok' }, 'the step')
      has(await read('a'), { status: 'cancelled' }, 'the readable one')
      has(await commit({ control: [{ kind: 'cancel_action', id: 'c', reason: 'r' }] }), { status: 'ok' }, 'c')
      const claims = await claimAll(store)
      isTrue(claims.length === 1 && claims[0]!.id === 'b' && isUnreadable(claims[0]!), 'the other')
    },
  },
  {
    name: 'F36: the feed tells of a fact that cannot be read, and goes on behind it',
    run: async ({ ok, spoil, reader, caughtUp }) => {
      const record = ['one', 'two', 'three'].map((type) => ({ ...entry('x'), type }))
      await ok({ record })
      await spoil({ table: 'events', name: 'two' })
      await caughtUp()
      const rows = await reader.feed(OF, undefined, 9)
      same(
        rows.map((row) => [row.type, row.data, isUnreadable(row)]),
        [
          ['one', { to: 'x' }, false],
          ['two', {}, true],
          ['three', { to: 'x' }, false],
        ],
        'the feed',
      )
      const after = await reader.feed(OF, rows[1]!.cursor, 9)
      same(
        after.map(({ type }) => type),
        ['three'],
        'after it',
      )
    },
  },
]

export const unreadableCases: readonly Case[] = CASES.map((one) => ({ ...one, spoils: true }))
