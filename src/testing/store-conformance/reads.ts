// What the read port tells: lists newest first with their filters, pages without loss or repetition, groups, counts.

import type { Case } from './case.ts'
import { has, same, sound } from './check.ts'
import { everyRow } from './conserve.ts'
import {
  action,
  advance,
  DEAD,
  ERROR,
  entry,
  execution,
  NOW,
  OF,
  RETRY,
  REVIEW,
  settled,
  step,
} from './members.ts'

const two = (n: number): string => String(n).padStart(2, '0')
const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, n) => n)

export const readCases: readonly Case[] = [
  {
    name: 'what is not there is undefined, or an empty list',
    run: async ({ reader, store }) => {
      same((await reader.action(OF, 'x')) ?? null, null, 'action')
      same((await reader.execution(OF, 'x')) ?? null, null, 'execution')
      const page = { limit: 10 }
      same(await reader.actions(OF, {}, page), { data: [] }, 'actions')
      same(await reader.executions(OF, {}, page), { data: [] }, 'executions')
      same(await reader.history(OF, 'x', page), { data: [] }, 'history')
      same(
        [await reader.attempts(OF, 'x'), await reader.feed(OF, undefined, 9)],
        [[], []],
        'attempts and feed',
      )
      same([await reader.deadGroups(OF, 9), await reader.definitions(OF)], [[], []], 'groups and definitions')
      same([await reader.pauses(OF), await store.load([{ ...OF, id: 'x' }])], [[], []], 'pauses and load')
      same(
        [await store.load([]), await store.heads({}), await store.reap(9, {})],
        [[], [], []],
        'engine reads',
      )
    },
  },
  {
    name: 'actions: newest first by id, live and ended as one list, in pages that lose and repeat nothing',
    run: async ({ enqueue, claim, commit, reader }) => {
      const ids = numbers(30).map((n) => `a${two(n)}`)
      await enqueue(...ids)
      const claims = await claim()
      const ended = claims.filter((_, n) => n % 3 === 0)
      await commit({ settle: ended.map((one) => settled(one)) })
      await commit({ settle: claims.filter((_, n) => n % 3 === 1).map((one) => settled(one, DEAD)) })
      for (const limit of [1, 7, 30, 250]) {
        const rows = await everyRow((page) => reader.actions(OF, {}, page), limit)
        same(
          rows.map(({ id }) => id),
          ids.toReversed(),
          `in pages of ${limit}`,
        )
      }
      const first = await reader.actions(OF, {}, { limit: 30 })
      same(first.next ?? null, null, 'a last page that is full has no next')
    },
  },
  {
    name: 'actions: every filter, alone and together',
    run: async ({ start, enqueue, claim, settle, reader }) => {
      await start('e', {
        actions: [step('s1'), step('s2', { type: 'mail', name: 'welcome', tags: ['x', 'y'] })],
      })
      await enqueue(
        action('d1', { type: 'mail', tags: ['y'] }),
        action('d2', { runner: 'eu', dueAt: NOW + 9 }),
      )
      for (const one of await claim())
        if (one.id !== 's1') await settle(one, DEAD, { fingerprint: `f ${one.plan.type}` })
      const ids = async (filter: Parameters<typeof reader.actions>[1]) =>
        (await reader.actions(OF, filter, { limit: 10 })).data.map(({ id }) => id)
      same(await ids({ execution: 'e' }), ['s2', 's1'], 'execution')
      same(await ids({ type: 'mail' }), ['s2', 'd1'], 'type')
      same(await ids({ type: 'notify' }), ['s1', 'd2'], 'type, with those of a runner')
      same(await ids({ status: 'dead' }), ['s2', 'd1'], 'status')
      same(await ids({ status: 'queued' }), ['d2'], 'status queued')
      same(await ids({ status: 'running' }), ['s1'], 'status running')
      same(await ids({ fingerprint: 'f mail' }), ['s2', 'd1'], 'fingerprint')
      same(await ids({ name: 'welcome' }), ['s2'], 'name')
      same(await ids({ tag: 'y' }), ['s2', 'd1'], 'tag')
      same(await ids({ tag: 'y', execution: 'e', status: 'dead', type: 'mail' }), ['s2'], 'together')
      same(await ids({ tag: 'z' }), [], 'nothing')
    },
  },
  {
    name: 'actions: an archived one is listed without a status, not under it',
    run: async ({ claimed, settle, control, reader }) => {
      await settle(await claimed('a'), DEAD)
      await control({ kind: 'archive_dead', id: 'a' })
      const listed = async (filter: Parameters<typeof reader.actions>[1]) =>
        (await reader.actions(OF, filter, { limit: 9 })).data.length
      same([await listed({}), await listed({ status: 'dead' })], [1, 0], 'listed')
    },
  },
  {
    name: 'executions: newest first by creation and id, with every filter, in pages',
    run: async ({ ok, reader }) => {
      const ids = numbers(12).map((n) => `e${two(n)}`)
      for (const [n, id] of ids.entries()) {
        const over = { definition: n % 2 ? 'visa' : 'lease', state: n % 3 ? 'open' : 'shut' }
        const status = n % 4 ? ('active' as const) : ('completed' as const)
        const kind = n < 6 ? ('machine' as const) : ('journey' as const)
        const snapshot = execution(id, { ...over, status, kind })
        await ok({ at: NOW + Math.floor(n / 2), advance: advance(id, { execution: snapshot }) })
      }
      const found = async (filter: Parameters<typeof reader.executions>[1], limit = 5) =>
        (await everyRow((page) => reader.executions(OF, filter, page), limit)).map((row) => row.execution.id)
      const where = (test: (n: number) => boolean) => ids.filter((_, n) => test(n)).toReversed()
      for (const limit of [1, 5, 12]) same(await found({}, limit), ids.toReversed(), `in pages of ${limit}`)
      same(
        await found({ definition: 'visa' }),
        where((n) => n % 2 === 1),
        'definition',
      )
      same(
        await found({ state: 'shut' }),
        where((n) => n % 3 === 0),
        'state',
      )
      same(
        await found({ status: 'completed' }, 2),
        where((n) => n % 4 === 0),
        'status',
      )
      same(
        await found({ kind: 'journey' }),
        where((n) => n >= 6),
        'kind',
      )
      const both = { kind: 'machine', definition: 'lease', state: 'shut', status: 'completed' } as const
      same(await found(both), ['e00'], 'together')
    },
  },
  {
    name: 'load: several executions in one call, unknown ones left out',
    run: async ({ start, store }) => {
      await start('e')
      await start('f')
      const loaded = sound(await store.load(['f', 'x', 'e'].map((id) => ({ ...OF, id }))))
      same(loaded.map((row) => row.execution.id).sort(), ['e', 'f'], 'loaded')
    },
  },
  {
    name: 'history: in order, in pages, from a number of the chain',
    run: async ({ start, step: move, reader }) => {
      await start('e', { history: [entry('s0')] })
      for (const n of [1, 2, 3]) await move('e', { history: [entry(`s${n}`), entry(`t${n}`)] })
      for (const limit of [1, 3, 7]) {
        const rows = await everyRow((page) => reader.history(OF, 'e', page), limit)
        same(
          rows.map(({ number }) => number),
          [1, 2, 3, 4, 5, 6, 7],
          `in pages of ${limit}`,
        )
      }
      const { data } = await reader.history(OF, 'e', { limit: 9, after: '5' })
      same(
        data.map(({ number }) => number),
        [6, 7],
        'after a number',
      )
    },
  },
  {
    name: 'deadGroups: by fingerprint, with count, first, last and the newest message',
    run: async ({ claimed, settle, reader }) => {
      for (const [n, fingerprint] of ['f1', 'f2', 'f1'].entries()) {
        const error = { ...ERROR, message: `try ${n}` }
        await settle(await claimed(`a${n}`), { ...DEAD, error }, { fingerprint, endedAt: NOW + n })
      }
      await settle(await claimed('r'), REVIEW, { fingerprint: 'f3' })
      const of = { actionType: 'notify', errorType: 'timeout' }
      const [first, second] = [
        { fingerprint: 'f1', message: 'try 2', count: 2, firstAt: NOW, lastAt: NOW + 2, ...of },
        { fingerprint: 'f2', message: 'try 1', count: 1, firstAt: NOW + 1, lastAt: NOW + 1, ...of },
      ]
      same(await reader.deadGroups(OF, 9), [first, second], 'groups')
      same(await reader.deadGroups(OF, 1), [first], 'up to the limit')
    },
  },
  {
    name: 'deadGroups: an action born dead is in the group it names, one that names none in the group of those',
    run: async ({ start, enqueue, reader, control }) => {
      const dead = { status: 'dead', error: ERROR } as const
      await start('e', { actions: [{ ...step('a', dead), fingerprint: 'f1' }, step('b', dead)] })
      await enqueue({ ...action('c', dead), fingerprint: 'f1' }, { ...action('d'), fingerprint: 'f2' })
      const groups = (await reader.deadGroups(OF, 9)).map(({ fingerprint, count }) => [fingerprint, count])
      same(
        groups.toSorted(),
        [
          ['', 1],
          ['f1', 2],
        ],
        'groups',
      )
      has(await reader.action(OF, 'd'), { fingerprint: undefined }, 'one that is not dead')
      await control({ kind: 'retry_dead', id: 'a', dueAt: NOW })
      has(await reader.action(OF, 'a'), { fingerprint: undefined, status: 'queued' }, 'wanted again')
    },
  },
  {
    name: 'counts: every status, at once and exact',
    run: async ({ start, claimed, settle, control, reader, enqueue }) => {
      await start('e', {
        actions: [step('skipped', { status: 'skipped' }), step('born dead', { status: 'dead' })],
      })
      const ends = { ok1: {}, ok2: {}, dead: DEAD, review: REVIEW }
      for (const [id, over] of Object.entries(ends)) await settle(await claimed(id), over)
      await settle(await claimed('again'), RETRY)
      await claimed('running')
      await enqueue(action('later', { dueAt: NOW + 5 }), action('gone', { dueAt: NOW + 5 }))
      await control({ kind: 'cancel_action', id: 'gone', reason: '' })
      const putAway = [await claimed('put away'), await claimed('put away too')]
      await settle(putAway[0]!, DEAD)
      await settle(putAway[1]!, REVIEW)
      for (const { id } of putAway) await control({ kind: 'archive_dead', id })
      const { actions, executions, archived } = await reader.counts(OF)
      same(archived, 2, 'archived')
      same(
        actions,
        { queued: 2, running: 1, succeeded: 2, dead: 2, review: 1, cancelled: 1, skipped: 1 },
        'actions',
      )
      has(executions, { active: 1, paused: 0, completed: 0 }, 'executions')
    },
  },
]
