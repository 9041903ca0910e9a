// How an execution is begun and moved: revisions, chains, what a step consumes, plans, arms and cancels.

import type { Execution, ExecutionStatus } from '../../core/execution.ts'
import type { Case } from './case.ts'
import { has, same, sound } from './check.ts'
import {
  action,
  advance,
  ELSEWHERE,
  entry,
  event,
  execution,
  NOW,
  OF,
  OTHER,
  settled,
  step,
  timer,
} from './members.ts'

const outside = (id: string) => ({ event: event(id), from: 'outside' as const })

export const advanceCases: readonly Case[] = [
  {
    name: 'start inserts the execution as it was given, at revision 1',
    run: async ({ start, execution: read, store }) => {
      const result = await start('e', { history: [entry('signed'), entry('active', NOW + 1)] })
      has(result, { status: 'ok', revision: 1 }, 'the result')
      same(result.chain?.number, 2, 'the chain')
      const loaded = await read('e')
      const times = { createdAt: NOW, updatedAt: NOW }
      same(loaded, { execution: execution('e'), revision: 1, chain: result.chain, ...times }, 'the row')
      same(await store.load([{ ...OF, id: 'e' }]), [{ ...loaded, waiting: false }], 'loaded by the engine')
    },
  },
  {
    name: 'start again with the same input is a duplicate, with another a conflict',
    run: async ({ commit, start, execution: read }) => {
      await start('e', { inputHash: 'i1' })
      const again = { inputHash: 'i1', actions: [step('a')] }
      has(await commit({ advance: advance('e', again) }), { status: 'duplicate', subject: 'e' }, 'same')
      has(
        await commit({ advance: advance('e', { inputHash: 'i2' }) }),
        { status: 'conflict', subject: 'e' },
        'other',
      )
      has(await commit({ advance: advance('e') }), { status: 'conflict', subject: 'e' }, 'none')
      has(await read('e'), { revision: 1 }, 'the execution')
    },
  },
  {
    name: 'start without an input hash twice is a duplicate',
    run: async ({ commit, start }) => {
      await start('e')
      has(await commit({ advance: advance('e') }), { status: 'duplicate', subject: 'e' }, 'the second')
    },
  },
  {
    name: 'the end of an execution is its own: those of others by the same id stay as they were',
    run: async ({ start, step: move, execution: read }) => {
      const strangers = [OTHER, ELSEWHERE]
      for (const tenancy of [OF, ...strangers]) await start('e', {}, tenancy)
      const ended = execution('e', { status: 'completed', state: 'over' })
      has(await move('e', { execution: ended }), { status: 'ok', revision: 2 }, 'the step')
      has(await read('e'), { execution: ended, revision: 2 }, 'the execution')
      for (const tenancy of strangers)
        has(await read('e', tenancy), { execution: execution('e', tenancy), revision: 1 }, 'a stranger')
    },
  },
  {
    name: 'a step writes the whole snapshot, adds one to the revision and goes on with the chain',
    run: async ({ start, step: move, execution: read, reader }) => {
      await start('e', { history: [entry('signed')] })
      const next = execution('e', {
        status: 'waiting',
        state: 'active',
        definitionHash: 'h2',
        variables: {
          landlord: 'bob',
          rent: 1200,
          'ünïcode \u0001 "quoted"': [null, true, 1.5, { deep: [] }],
        },
        visits: { signed: 1, active: 1 },
        pending: { timers: ['t'], actions: ['a'] },
      })
      const result = await move('e', { execution: next, history: [entry('active')] }, { at: NOW + 7 })
      has(result, { status: 'ok', revision: 2 }, 'the result')
      const loaded = await read('e')
      has(loaded, { execution: next, revision: 2, createdAt: NOW, updatedAt: NOW + 7 }, 'the row')
      const { data } = await reader.history(OF, 'e', { limit: 10 })
      same(
        data.map(({ number, type, at, data: { to }, execution: of }) => [number, type, at, to, of]),
        [
          [1, 'execution.transitioned', NOW, 'signed', 'e'],
          [2, 'execution.transitioned', NOW, 'active', 'e'],
        ],
        'the history',
      )
    },
  },
  {
    name: 'an execution keeps its error, and ends',
    run: async ({ start, step: move, execution: read }) => {
      await start('e')
      const failed = execution('e', { status: 'failed', error: { code: 'guard', message: 'no way on' } })
      await move('e', { execution: failed })
      has(await read('e'), { execution: failed }, 'the row')
    },
  },
  {
    name: 'a step on another revision, or on nothing, is a conflict',
    run: async ({ commit, start, execution: read }) => {
      await start('e')
      for (const expected of [2, 9])
        has(
          await commit({ advance: advance('e', { expected }) }),
          { status: 'conflict', subject: 'e' },
          'the step',
        )
      has(
        await commit({ advance: advance('x', { expected: 1 }) }),
        { status: 'conflict', subject: 'x' },
        'unknown',
      )
      has(await read('e'), { revision: 1 }, 'the execution')
    },
  },
  {
    name: 'a step that says what the execution was is a step like any other, of this execution alone',
    run: async ({ start, ok, commit, store, execution: read, reader }) => {
      for (const tenancy of [OF, OTHER, ELSEWHERE]) await start('e', {}, tenancy)
      await start('f')
      const from = (expected: number, was: ExecutionStatus, over: Partial<Execution>) => ({
        advance: advance('e', { expected, was, execution: execution('e', over) }),
      })
      await ok(from(1, 'active', { state: 'second' }))
      await ok(from(2, 'active', { state: 'second', status: 'waiting' }))
      has(
        await read('e'),
        { revision: 3, execution: execution('e', { state: 'second', status: 'waiting' }) },
        'e',
      )
      has(
        await commit(from(2, 'waiting', { state: 'third', status: 'waiting' })),
        { status: 'conflict', subject: 'e' },
        'stale, and kept',
      )
      has(
        await commit(from(2, 'waiting', { status: 'completed' })),
        { status: 'conflict', subject: 'e' },
        'stale, and ended',
      )
      const [lost, won] = await store.commit(
        [from(2, 'waiting', { status: 'waiting' }), { enqueue: [action('a')] }].map((one) => ({
          ...OF,
          at: NOW,
          ...one,
        })),
      )
      has(lost, { status: 'conflict', subject: 'e' }, 'stale, beside another')
      has(won, { status: 'ok' }, 'the other')
      has(
        await read('e'),
        { revision: 3, execution: execution('e', { state: 'second', status: 'waiting' }) },
        'e still',
      )
      for (const tenancy of [OTHER, ELSEWHERE])
        has(
          await read('e', tenancy),
          { revision: 1, execution: { ...execution('e'), ...tenancy } },
          'not its own',
        )
      has(await read('f'), { revision: 1, execution: execution('f') }, 'its neighbour')
      has((await reader.counts(OF)).executions, { active: 1, waiting: 1, completed: 0 }, 'the counts')
    },
  },
  {
    name: 'a step that is wrong about what the execution was is refused or right, and nothing is counted wrong',
    run: async ({ start, commit, execution: read, reader }) => {
      const wrong = [
        ['kept', 'waiting', 'waiting'],
        ['ended', 'waiting', 'completed'],
      ] as const
      for (const [id, was, status] of wrong) {
        await start(id)
        const after = execution(id, { status })
        const { status: outcome } = await commit({
          advance: advance(id, { expected: 1, was, execution: after }),
        })
        same(['ok', 'conflict'].includes(outcome), true, `the step of ${id}, which was ${outcome}`)
        has(
          await read(id),
          outcome === 'ok' ? { revision: 2, execution: after } : { revision: 1, execution: execution(id) },
          id,
        )
      }
      const rows = await Promise.all(wrong.map(([id]) => read(id)))
      const count = (status: string) => rows.filter((row) => row.execution.status === status).length
      has(
        (await reader.counts(OF)).executions,
        { active: count('active'), waiting: count('waiting'), completed: count('completed') },
        'the counts',
      )
    },
  },
  {
    name: 'a step that keeps its status and changes its definition is found under the new one',
    run: async ({ start, commit, reader }) => {
      await start('e')
      const moved = execution('e', { definition: 'another' })
      has(
        await commit({ advance: advance('e', { expected: 1, was: 'active', execution: moved }) }),
        { status: 'ok' },
        'the step',
      )
      const of = async (definition: string) =>
        (await reader.executions(OF, { definition }, { limit: 9 })).data.map(({ execution: { id } }) => id)
      same([await of('another'), await of(execution('e').definition)], [['e'], []], 'by definition')
    },
  },
  {
    name: 'another definition is that of one execution: others by the same id, and others beside it, keep theirs',
    run: async ({ start, step: move, execution: read }) => {
      const strangers = [OTHER, ELSEWHERE]
      for (const tenancy of [OF, ...strangers]) await start('e', {}, tenancy)
      await start('f')
      const moved = execution('e', { definition: 'another', state: 'moved' })
      has(await move('e', { execution: moved }), { status: 'ok', revision: 2 }, 'the step')
      has(await read('e'), { execution: moved, revision: 2 }, 'the execution')
      has(await read('f'), { execution: execution('f'), revision: 1 }, 'a neighbour')
      for (const tenancy of strangers)
        has(await read('e', tenancy), { execution: execution('e', tenancy), revision: 1 }, 'a stranger')
    },
  },
  {
    name: 'I1: an event from outside is applied once',
    run: async ({ start, step: move, execution: read }) => {
      await start('e', { consume: [outside('v1')] })
      has(await move('e', { consume: [outside('v1')] }), { status: 'duplicate', subject: 'v1' }, 'v1 again')
      has(await move('e', { consume: [outside('v2')] }), { status: 'ok' }, 'v2')
      has(
        await move('e', { consume: [outside('v3'), outside('v2')] }),
        { status: 'duplicate', subject: 'v2' },
        'v2',
      )
      has(await move('e', { consume: [outside('v3')] }), { status: 'ok' }, 'v3, which had lost with it')
      has(await read('e'), { revision: 3 }, 'the execution')
    },
  },
  {
    name: 'I1: an event id is one per execution, not one for all',
    run: async ({ start, step: move }) => {
      await start('e')
      await start('f')
      has(await move('e', { consume: [outside('v')] }), { status: 'ok' }, 'e')
      has(await move('f', { consume: [outside('v')] }), { status: 'ok' }, 'f')
    },
  },
  {
    name: 'a result is fenced by its settlement, not remembered',
    run: async ({ start, step: move, claim, execution: read }) => {
      await start('e', { actions: [step('a')] })
      const [one] = await claim()
      const consume = [{ event: event('a/1'), from: 'result' as const }]
      const settle = [settled(one!)]
      has(await move('e', { consume }, { settle }), { status: 'ok', revision: 2 }, 'the result')
      has(await move('e', { consume }, { settle }), { status: 'fenced', subject: 'a' }, 'again')
      has(await read('e'), { revision: 2 }, 'the execution')
    },
  },
  {
    name: "a step's actions are inserted queued, skipped or dead, as they were planned",
    run: async ({ start, action: read, claim }) => {
      const error = { type: 'template_error', message: 'no such variable', retryable: false }
      await start('e', {
        actions: [
          step('q', { name: 'mail', summary: 'a mail', tags: ['x', 'y'], metadata: { m: 1 } }),
          step('s', { status: 'skipped' }),
          step('d', { status: 'dead', error }),
        ],
      })
      has(
        await read('q'),
        {
          status: 'queued',
          execution: 'e',
          source: { kind: 'machine', id: 'lease' },
          attempt: 0,
          createdAt: NOW,
        },
        'queued',
      )
      same(
        (await read('q')).plan,
        step('q', { name: 'mail', summary: 'a mail', tags: ['x', 'y'], metadata: { m: 1 } }).plan,
        'its plan',
      )
      has(await read('s'), { status: 'skipped', execution: 'e' }, 'skipped')
      has(await read('d'), { status: 'dead', error }, 'dead')
      same(
        (await claim()).map(({ id }) => id),
        ['q'],
        'what can be claimed',
      )
    },
  },
  {
    name: 'leaving a state cancels its queued actions and asks its running ones to stop',
    run: async ({ start, step: move, claim, action: read, store }) => {
      await start('e', { actions: [step('run'), step('wait', { dueAt: NOW + 1 })] })
      await start('f', { actions: [step('wait of f', { stepKey: 'wait', dueAt: NOW + 1 })] })
      const [running] = await claim()
      const cancel = { timers: [], actions: ['run', 'wait', 'never planned'] }
      has(await move('e', { cancel }), { status: 'ok' }, 'the step')
      has(await read('wait'), { status: 'cancelled', finishedAt: NOW }, 'the queued one')
      has((await read('wait')).error, { type: 'cancelled', retryable: false }, 'its error')
      has(await read('run'), { status: 'running', cancelRequested: true }, 'the running one')
      has(await read('wait of f'), { status: 'queued' }, "another execution's")
      const { cancelled } = await store.extend([running!], 1000, { lease: NOW })
      same(cancelled, [running], 'told with the next heartbeat')
    },
  },
  {
    name: 'cancels of a step come before its inserts: the same step key can be planned anew',
    run: async ({ start, step: move, action: read }) => {
      await start('e', { actions: [step('old', { stepKey: 'k' })] })
      await move('e', { cancel: { timers: [], actions: ['k'] }, actions: [step('new', { stepKey: 'k' })] })
      has(await read('old'), { status: 'cancelled' }, 'the old one')
      has(await read('new'), { status: 'queued' }, 'the new one')
    },
  },
  {
    name: 'eager: an action is inserted already claimed, and its claim settles',
    run: async ({ start, settle, claim, action: read }) => {
      const eager = { worker: 'w7', nonce: 'n7', leaseMs: 5000 }
      await start('e', { actions: [{ ...step('a'), claim: eager }, step('b')] })
      has(await read('a'), { status: 'running', worker: 'w7', leaseUntil: NOW + 5000 }, 'the row')
      same(
        (await claim()).map(({ id }) => id),
        ['b'],
        'what is left to claim',
      )
      has(await settle({ id: 'a', token: 1, nonce: 'n7' }), { status: 'ok' }, 'its claim')
    },
  },
  {
    name: 'timers of a step are set, moved and taken away',
    run: async ({ start, step: move, store }) => {
      const keys = async () =>
        sound(await store.dueTimers(10, { now: NOW + 10 })).map((due) => [due.timer.key, due.timer.dueAt])
      await start('e', { timers: [timer('a', NOW + 1), timer('b', NOW + 2), timer('late', NOW + 99)] })
      same(
        await keys(),
        [
          ['a', NOW + 1],
          ['b', NOW + 2],
        ],
        'set, earliest first',
      )
      await move('e', { timers: [timer('a', NOW + 5)], cancel: { timers: ['b', 'nothing'], actions: [] } })
      same(await keys(), [['a', NOW + 5]], 'moved and taken away')
    },
  },
]
