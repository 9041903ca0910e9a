// Lanes: one per namespace, tenant, type and priority; what the planner is told of them, and when it is woken.

import type { Wake } from '../../store/store.ts'
import type { Case } from './case.ts'
import { has, isTrue, same } from './check.ts'
import { action, event, NOW, OF, OTHER, RETRY, step, timer } from './members.ts'

export const headCases: readonly Case[] = [
  {
    name: 'a lane is one tenant, type and priority; a pinned runner has a lane of its own',
    run: async ({ enqueue, ok, store }) => {
      await enqueue(
        action('a'),
        action('b'),
        action('c', { priority: 10 }),
        action('d', { type: 'mail' }),
        action('e', { type: 'mail', runner: 'eu' }),
      )
      await ok({ ...OTHER, enqueue: [action('f')] })
      const heads = await store.heads({ now: NOW })
      same(
        heads.map(({ tenant, type, priority, due }) => [tenant, type, priority, due]).sort(),
        [
          ['acme', 'mail', 50, 1],
          ['acme', 'mail@eu', 50, 1],
          ['acme', 'notify', 10, 1],
          ['acme', 'notify', 50, 2],
          ['umbrella', 'notify', 50, 1],
        ],
        'the lanes',
      )
      same(new Set(heads.map(({ lane }) => lane)).size, 5, 'numbers of lanes')
      isTrue(
        heads.every(({ lane, paused }) => lane > 0 && !paused),
        'no lane is 0, none is paused',
      )
    },
  },
  {
    name: 'a head says when its oldest row is due, and how many are due now',
    run: async ({ enqueue, store }) => {
      await enqueue(action('a', { dueAt: NOW - 9 }), action('b'), action('c', { dueAt: NOW + 1 }))
      has((await store.heads({ now: NOW }))[0], { ...OF, dueAt: NOW - 9, due: 2, type: 'notify' }, 'now')
      has((await store.heads({ now: NOW - 10 }))[0], { dueAt: NOW - 9, due: 0 }, 'before')
      has((await store.heads({ now: NOW + 1 }))[0], { due: 3 }, 'after')
    },
  },
  {
    name: 'due is counted up to a bound, not for ever',
    run: async ({ enqueue, store }) => {
      await enqueue(...Array.from({ length: 250 }, (_, n) => `a${n}`))
      const due = (await store.heads({ now: NOW }))[0]!.due
      isTrue(due >= 100 && due <= 250, `due is ${due}`)
    },
  },
  {
    name: 'a lane without queued rows has no head; it comes back with the same number',
    run: async ({ claimed, settle, store }) => {
      const claim = await claimed('a')
      same(await store.heads({ now: NOW }), [], 'while all run')
      await settle(claim, RETRY)
      has(
        (await store.heads({ now: NOW }))[0],
        { lane: claim.lane, dueAt: NOW + 1000, due: 0 },
        'when one is back',
      )
    },
  },
  {
    name: 'lanes are the same for every process',
    run: async ({ enqueue, store, another }) => {
      await enqueue(action('a'), action('b', { type: 'mail' }))
      const other = await another()
      await other.store.commit([{ ...OF, at: NOW, enqueue: [action('c', { type: 'sms' }), action('d')] }])
      await enqueue(action('e', { type: 'sms' }))
      const heads = await store.heads({ now: NOW })
      same(await other.store.heads({ now: NOW }), heads, 'heads')
      same(
        heads.map(({ type, due }) => [type, due]).sort(),
        [
          ['mail', 1],
          ['notify', 2],
          ['sms', 2],
        ],
        'lanes',
      )
    },
  },
  {
    name: 'wake: a commit tells of its lanes, timers and events; a listener can stop',
    run: async ({ enqueue, start, ok, store }) => {
      const heard: Wake[] = []
      const stop = store.wake((wake) => heard.push(wake))
      await enqueue('a')
      const { lane } = (await store.heads({ now: NOW }))[0]!
      isTrue(
        heard.some(({ lanes }) => lanes.includes(lane)),
        'the lane',
      )
      await start('e', { timers: [timer('t')] })
      isTrue(
        heard.some(({ timers }) => timers),
        'the timer',
      )
      await ok({ deliver: [{ execution: 'e', event: event('v') }] })
      isTrue(
        heard.some(({ inbox }) => inbox),
        'the event',
      )
      stop()
      const before = heard.length
      await start('f', { actions: [step('b')] })
      same(heard.length, before, 'after it stopped')
    },
  },
  {
    name: 'heads: when a lane is due, and how many are, is told by its own queued rows',
    run: async (bed) => {
      await bed.enqueue(action('run', { type: 'p', dueAt: NOW - 9 }))
      await bed.claim()
      await bed.enqueue(
        action('p', { type: 'p', dueAt: NOW - 5 }),
        action('q', { type: 'q', dueAt: NOW - 7 }),
      )
      const heads = await bed.store.heads({ now: NOW })
      same(
        heads.map(({ type, dueAt, due }) => [type, dueAt - NOW, due]).toSorted(),
        [
          ['p', -5, 1],
          ['q', -7, 1],
        ],
        'the heads',
      )
    },
  },
]
