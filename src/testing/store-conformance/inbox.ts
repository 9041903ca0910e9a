// Events that wait, and timers: in order, applied once, taken by the step that consumes them.

import type { Case } from './case.ts'
import { has, same, sound } from './check.ts'
import { advance, event, execution, NOW, OF, OTHER, timer } from './members.ts'

const fromInbox = (id: string) => ({ event: event(id), from: 'inbox' as const })
const fired = (key: string) => ({ event: timer(key).event, from: 'timer' as const })

export const inboxCases: readonly Case[] = [
  {
    name: 'inbox: a delivered event waits with its execution and definition, as it was given',
    run: async ({ start, ok, store }) => {
      await start('e')
      const given = event('v', { payload: { list: [1, null, 'ü'] }, at: NOW + 3 })
      await ok({ deliver: [{ execution: 'e', event: given }] })
      const rows = sound(await store.inbox(['lease'], 10))
      same(rows, [{ ...OF, seq: rows[0]!.seq, execution: 'e', definition: 'lease', event: given }], 'the row')
    },
  },
  {
    name: 'inbox: events of an execution come in the order they were delivered, up to the limit',
    run: async ({ start, ok, store }) => {
      await start('e')
      await ok({ deliver: ['z', 'a'].map((id) => ({ execution: 'e', event: event(id) })) })
      await ok({ deliver: ['m', 'b'].map((id) => ({ execution: 'e', event: event(id) })) })
      const ids = async (limit: number) =>
        sound(await store.inbox(['lease'], limit)).map((row) => row.event.id)
      same(await ids(10), ['z', 'a', 'm', 'b'], 'all')
      same(await ids(3), ['z', 'a', 'm'], 'the first')
    },
  },
  {
    name: 'inbox: only the definitions asked for, of every tenant',
    run: async ({ start, ok, store }) => {
      await start('e')
      await start('f', { execution: execution('f', { definition: 'visa' }) })
      await start('g', {}, OTHER)
      for (const [id, of] of [
        ['e', OF],
        ['f', OF],
        ['g', OTHER],
      ] as const)
        await ok({ ...of, deliver: [{ execution: id, event: event('v') }] })
      const asked = async (...definitions: string[]) =>
        sound(await store.inbox(definitions, 10))
          .map((row) => [row.tenant, row.execution])
          .sort()
      same(
        await asked('lease'),
        [
          ['acme', 'e'],
          ['umbrella', 'g'],
        ],
        'one',
      )
      same(
        await asked('lease', 'visa'),
        [
          ['acme', 'e'],
          ['acme', 'f'],
          ['umbrella', 'g'],
        ],
        'two',
      )
      same(await asked(), [], 'none')
      same(await asked('other'), [], 'another')
    },
  },
  {
    name: 'inbox: the same id again is a duplicate, to nobody a conflict',
    run: async ({ start, ok, commit }) => {
      await start('e')
      const deliver = [{ execution: 'e', event: event('v') }]
      await ok({ deliver })
      has(await commit({ deliver }), { status: 'duplicate', subject: 'v' }, 'again')
      const twice = [deliver, deliver].flat().map((one) => ({ ...one, event: event('w') }))
      has(await commit({ deliver: twice }), { status: 'duplicate', subject: 'w' }, 'twice in one member')
      const nobody = [{ execution: 'nobody', event: event('v') }]
      has(await commit({ deliver: nobody }), { status: 'conflict', subject: 'nobody' }, 'nobody')
    },
  },
  {
    name: 'inbox: a member may begin an execution and deliver to it',
    run: async ({ commit, store }) => {
      const deliver = [{ execution: 'e', event: event('v') }]
      has(await commit({ advance: advance('e'), deliver }), { status: 'ok' }, 'the member')
      same(sound(await store.inbox(['lease'], 9)).length, 1, 'the inbox')
    },
  },
  {
    name: 'I1: a waiting event is consumed once, and is known afterwards',
    run: async ({ start, ok, step, commit, store }) => {
      await start('e')
      await ok({ deliver: [{ execution: 'e', event: event('v') }] })
      has(await step('e', { consume: [fromInbox('v')] }), { status: 'ok' }, 'consumed')
      same(await store.inbox(['lease'], 9), [], 'the inbox')
      has(await step('e', { consume: [fromInbox('v')] }), { status: 'duplicate', subject: 'v' }, 'again')
      const outside = [{ event: event('v'), from: 'outside' as const }]
      has(await step('e', { consume: outside }), { status: 'duplicate', subject: 'v' }, 'from outside')
      const deliver = [{ execution: 'e', event: event('v') }]
      has(await commit({ deliver }), { status: 'duplicate', subject: 'v' }, 'delivered again')
    },
  },
  {
    name: 'I1: an event that never waited cannot be consumed from the inbox',
    run: async ({ start, step }) => {
      await start('e')
      has(await step('e', { consume: [fromInbox('v')] }), { status: 'duplicate', subject: 'v' }, 'the step')
    },
  },
  {
    name: 'I1: an event that waits is a duplicate when it comes from outside, and still waits',
    run: async ({ start, ok, step, store }) => {
      await start('e')
      await ok({ deliver: [{ execution: 'e', event: event('v') }] })
      const outside = [{ event: event('v'), from: 'outside' as const }]
      has(await step('e', { consume: outside }), { status: 'duplicate', subject: 'v' }, 'from outside')
      same(sound(await store.inbox(['lease'], 9)).length, 1, 'the inbox')
    },
  },
  {
    name: 'timers: due ones come earliest first, as they were planned, up to the limit',
    run: async ({ start, store }) => {
      await start('e', { timers: [timer('b', NOW - 1), timer('c', NOW + 1), timer('a', NOW)] })
      await start('f', { timers: [timer('a', NOW - 2)] }, OTHER)
      const due = sound(await store.dueTimers(10, { now: NOW }))
      same(
        due.map(({ tenant, execution: of, timer: { key } }) => [tenant, of, key]),
        [
          ['umbrella', 'f', 'a'],
          ['acme', 'e', 'b'],
          ['acme', 'e', 'a'],
        ],
        'due',
      )
      same(due[1], { ...OF, execution: 'e', timer: timer('b', NOW - 1) }, 'a row')
      same(sound(await store.dueTimers(1, { now: NOW })).length, 1, 'up to the limit')
      same(await store.dueTimers(10, { now: NOW - 3 }), [], 'too early')
    },
  },
  {
    name: 'I1: a timer is consumed once',
    run: async ({ start, step, store, execution: read }) => {
      await start('e', { timers: [timer('t')] })
      has(await step('e', { consume: [fired('t')] }), { status: 'ok' }, 'fired')
      has(
        await step('e', { consume: [fired('t')] }),
        { status: 'duplicate', subject: fired('t').event.id },
        'again',
      )
      same(await store.dueTimers(9, { now: NOW }), [], 'due')
      has(await read('e'), { revision: 2 }, 'the execution')
    },
  },
  {
    name: 'a timer that fires may be set again by the same step',
    run: async ({ start, step, store }) => {
      await start('e', { timers: [timer('t')] })
      const next = timer('t', NOW + 60_000)
      has(await step('e', { consume: [fired('t')], timers: [next] }), { status: 'ok' }, 'fired and set')
      same(await store.dueTimers(9, { now: NOW }), [], 'not due yet')
      same(
        sound(await store.dueTimers(9, { now: NOW + 60_000 })).map((due) => due.timer),
        [next],
        'due later',
      )
    },
  },
]
