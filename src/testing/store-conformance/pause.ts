// Pausing an execution, a definition, a type or a tenant: nothing of it is offered, nothing of it is lost, and all of it
// comes back as it was.

import type { Control, Member, PauseScope } from '../../store/store.ts'
import type { Bed } from './bed.ts'
import type { Case } from './case.ts'
import { has, same, sound } from './check.ts'
import {
  action,
  advance,
  DEAD,
  event,
  execution,
  NOW,
  OF,
  OTHER,
  RETRY,
  settled,
  step,
  timer,
} from './members.ts'

const pause = ({ control }: Bed, scope: PauseScope, value: string) =>
  control({ kind: 'pause', scope, value, reason: 'quiet' })
const resume = ({ control }: Bed, scope: PauseScope, value: string) =>
  control({ kind: 'resume', scope, value })

/** An execution with everything that can be due. */
const busy = async (bed: Bed, id: string, definition = 'lease'): Promise<void> => {
  await bed.start(id, {
    execution: execution(id, { definition }),
    actions: [step(`${id}/a`)],
    timers: [timer('t')],
  })
  await bed.ok({ deliver: [{ execution: id, event: event('v') }] })
}

/** What is due of which execution: actions in open lanes, timers, events. */
const due = async ({ store }: Bed): Promise<object> => {
  const heads = await store.heads({ now: NOW })
  const open = heads.filter(({ paused }) => !paused).reduce((sum, head) => sum + head.due, 0)
  const timers = sound(await store.dueTimers(99, { now: NOW }))
    .map((one) => one.execution)
    .sort()
  const events = sound(await store.inbox(['lease', 'visa'], 99))
    .map((one) => one.execution)
    .sort()
  return { open, timers, events }
}
const all = (...ids: string[]) => ({ open: ids.length, timers: ids, events: ids })

const pausedActions = async ({ reader }: Bed, id: string) => (await reader.action(OF, id))?.hold

export const pauseCases: readonly Case[] = [
  {
    name: 'pause execution: its actions, timers and events stand still, others go on; resume brings all back',
    run: async (bed) => {
      await busy(bed, 'e')
      await busy(bed, 'f')
      same(await due(bed), all('e', 'f'), 'before')
      has(await pause(bed, 'execution', 'e'), { status: 'ok' }, 'the pause')
      same(await due(bed), all('f'), 'paused')
      has((await bed.execution('e')).execution, { status: 'paused', state: 'signed' }, 'the execution')
      same(await pausedActions(bed, 'e/a'), 'paused:execution', 'the hold of its action')
      same(
        (await bed.claim()).map(({ id }) => id),
        ['f/a'],
        'what can be claimed',
      )
      has(await resume(bed, 'execution', 'e'), { status: 'ok' }, 'the resumption')
      has((await bed.execution('e')).execution, { status: 'active' }, 'the execution')
      has(await bed.action('e/a'), { hold: undefined }, 'its action')
      same(
        (await bed.claim('n2')).map(({ id }) => id),
        ['e/a'],
        'what can be claimed then',
      )
      same(await due(bed), { open: 0, timers: ['e', 'f'], events: ['e', 'f'] }, 'resumed')
    },
  },
  {
    name: 'pause execution: unknown, ended or paused twice is a conflict; so is resuming what is not paused',
    run: async (bed) => {
      await bed.start('e')
      await bed.start('ended', { execution: execution('ended', { status: 'completed' }) })
      for (const id of ['nobody', 'ended'])
        has(await pause(bed, 'execution', id), { status: 'conflict', subject: id }, `pausing ${id}`)
      for (const id of ['nobody', 'ended', 'e'])
        has(await resume(bed, 'execution', id), { status: 'conflict', subject: id }, `resuming ${id}`)
      await pause(bed, 'execution', 'e')
      has(await pause(bed, 'execution', 'e'), { status: 'conflict', subject: 'e' }, 'pausing again')
    },
  },
  {
    name: 'pause execution: a decision made before it conflicts, the chain does not move',
    run: async (bed) => {
      await bed.start('e')
      const before = await bed.execution('e')
      await pause(bed, 'execution', 'e')
      const late = { advance: advance('e', { expected: before.revision, chain: before.chain }) }
      has(await bed.commit(late), { status: 'conflict', subject: 'e' }, 'the step')
      has(await bed.execution('e'), { revision: before.revision + 1, chain: before.chain }, 'the row')
    },
  },
  {
    name: 'pause execution: a waiting one comes back waiting',
    run: async (bed) => {
      await bed.start('e', { execution: execution('e', { status: 'waiting' }) })
      await pause(bed, 'execution', 'e')
      await resume(bed, 'execution', 'e')
      has((await bed.execution('e')).execution, { status: 'waiting' }, 'the execution')
    },
  },
  {
    name: 'pause execution: what runs may end; what comes back to the queue stays parked',
    run: async (bed) => {
      await bed.start('e', { actions: [step('ends'), step('returns')] })
      const [ends, returns] = await bed.claim()
      await pause(bed, 'execution', 'e')
      has(await bed.settle(ends!), { status: 'ok' }, 'what ends')
      has(await bed.settle(returns!, { ...RETRY, dueAt: NOW }), { status: 'ok' }, 'what returns')
      same(await bed.claim('n2'), [], 'claimed while paused')
      has(await bed.control({ kind: 'run_now', id: 'returns' }), { status: 'ok' }, 'run_now while paused')
      same(await bed.claim('n3'), [], 'claimed after run_now')
      await resume(bed, 'execution', 'e')
      same(
        (await bed.claim('n4')).map(({ id }) => id),
        ['returns'],
        'claimed when resumed',
      )
    },
  },
  {
    name: 'pause execution: events delivered meanwhile are held, and released in order',
    run: async (bed) => {
      await bed.start('e')
      await bed.ok({ deliver: [{ execution: 'e', event: event('v1') }] })
      await pause(bed, 'execution', 'e')
      await bed.ok({ deliver: [{ execution: 'e', event: event('v2') }] })
      same(await bed.store.inbox(['lease'], 9), [], 'paused')
      await resume(bed, 'execution', 'e')
      same(
        sound(await bed.store.inbox(['lease'], 9)).map((row) => row.event.id),
        ['v1', 'v2'],
        'resumed',
      )
    },
  },
  {
    name: 'pause execution: a step that leaves paused unparks, a step that enters it parks',
    run: async (bed) => {
      await busy(bed, 'e')
      await bed.step('e', { execution: execution('e', { status: 'paused' }) })
      same(await due(bed), { open: 0, timers: [], events: [] }, 'paused by a step')
      await bed.step('e', { execution: execution('e', { status: 'active' }) })
      same(await due(bed), all('e'), 'active by a step')
    },
  },
  {
    name: 'pause definition: all its executions stand still, and those begun meanwhile too',
    run: async (bed) => {
      for (const id of ['e', 'f']) await busy(bed, id)
      await busy(bed, 'v', 'visa')
      has(await pause(bed, 'definition', 'lease'), { status: 'ok' }, 'the pause')
      await busy(bed, 'g')
      same(await due(bed), all('v'), 'paused')
      has((await bed.execution('g')).execution, { status: 'paused' }, 'one begun meanwhile')
      same(await pausedActions(bed, 'e/a'), 'paused:definition', 'a hold')
      has((await bed.reader.counts(OF)).executions, { paused: 3, active: 1 }, 'counts')
      has(await resume(bed, 'definition', 'lease'), { status: 'ok' }, 'the resumption')
      same(await due(bed), all('e', 'f', 'g', 'v'), 'resumed')
      has((await bed.execution('g')).execution, { status: 'active' }, 'the one begun meanwhile')
    },
  },
  {
    name: 'pause definition: ended executions stay ended',
    run: async (bed) => {
      await bed.start('done', { execution: execution('done', { status: 'completed' }) })
      await pause(bed, 'definition', 'lease')
      has((await bed.execution('done')).execution, { status: 'completed' }, 'while paused')
      await resume(bed, 'definition', 'lease')
      has((await bed.execution('done')).execution, { status: 'completed' }, 'resumed')
    },
  },
  {
    name: 'pause execution and definition: it goes on only when both are over, in either order',
    run: async (bed) => {
      for (const [first, last] of [
        ['execution', 'definition'],
        ['definition', 'execution'],
      ] as const) {
        const id = `by ${first}`
        const value = { execution: id, definition: `of ${first}` }
        await bed.start(id, {
          execution: execution(id, { definition: value.definition }),
          actions: [step(`${id}/a`, { type: id })],
        })
        for (const scope of [first, last])
          has(await pause(bed, scope, value[scope]), { status: 'ok' }, `${scope} paused`)
        has(await resume(bed, first, value[first]), { status: 'ok' }, `${first} resumed`)
        has((await bed.execution(id)).execution, { status: 'paused' }, `${first} resumed, ${last} not`)
        same((await bed.claim(id)).length, 0, 'claimed while one is left')
        has(await resume(bed, last, value[last]), { status: 'ok' }, `${last} resumed`)
        has((await bed.execution(id)).execution, { status: 'active' }, 'both resumed')
        same(
          (await bed.claim(`${id} again`)).map((one) => one.id),
          [`${id}/a`],
          'claimed when both are over',
        )
      }
    },
  },
  {
    name: 'resume of an execution that only its definition stops is a conflict, and changes nothing',
    run: async (bed) => {
      await bed.start('e')
      await bed.start('f')
      await bed.step('f', { execution: execution('f', { status: 'paused' }) })
      has(await resume(bed, 'execution', 'f'), { status: 'ok' }, 'one that stopped by itself')
      await pause(bed, 'definition', 'lease')
      const before = await bed.execution('e')
      has(await resume(bed, 'execution', 'e'), { status: 'conflict', subject: 'e' }, 'resuming it')
      same(await bed.execution('e'), before, 'the execution')
      has(await pause(bed, 'execution', 'e'), { status: 'ok' }, 'pausing it itself')
      has(await resume(bed, 'execution', 'e'), { status: 'ok' }, 'resuming it then')
      has(await resume(bed, 'execution', 'e'), { status: 'conflict', subject: 'e' }, 'and again')
      await resume(bed, 'definition', 'lease')
      has((await bed.execution('e')).execution, { status: 'active' }, 'the definition goes on')
    },
  },
  {
    name: 'pause type: its lanes and those of its runners are closed, other types are open',
    run: async (bed) => {
      const types = ['mail', 'mailing', 'sms']
      await bed.enqueue(
        ...types.map((type) => action(type, { type })),
        action('eu', { type: 'mail', runner: 'eu' }),
      )
      has(await pause(bed, 'type', 'mail'), { status: 'ok' }, 'the pause')
      const heads = await bed.store.heads({ now: NOW })
      same(
        heads.map(({ type, paused }) => [type, paused]).sort(),
        [
          ['mail', true],
          ['mail@eu', true],
          ['mailing', false],
          ['sms', false],
        ],
        'lanes',
      )
      same((await bed.claim()).map(({ id }) => id).sort(), ['mailing', 'sms'], 'claimed')
      await resume(bed, 'type', 'mail')
      same((await bed.claim('n2')).map(({ id }) => id).sort(), ['eu', 'mail'], 'claimed when resumed')
    },
  },
  {
    name: 'pause tenant: all its lanes are closed, those of others are open',
    run: async (bed) => {
      await bed.enqueue('a', action('b', { type: 'mail' }))
      await bed.ok({ ...OTHER, enqueue: [action('c')] })
      has(await pause(bed, 'tenant', 'acme'), { status: 'ok' }, 'the pause')
      await bed.enqueue(action('d', { type: 'new while paused' }))
      same(
        (await bed.claim()).map(({ id }) => id),
        ['c'],
        'claimed',
      )
      await resume(bed, 'tenant', 'acme')
      same((await bed.claim('n2')).map(({ id }) => id).sort(), ['a', 'b', 'd'], 'claimed when resumed')
    },
  },
  {
    name: 'pause: what is paused is listed with its reason; twice is a conflict, resuming nothing too',
    run: async (bed) => {
      await bed.start('e')
      const paused = [
        ['definition', 'visa'],
        ['execution', 'e'],
        ['tenant', 'acme'],
        ['type', 'mail'],
      ] as const
      for (const [scope, value] of paused) {
        has(await resume(bed, scope, value), { status: 'conflict', subject: value }, `resuming ${scope}`)
        has(await pause(bed, scope, value), { status: 'ok' }, `pausing ${scope}`)
        has(await pause(bed, scope, value), { status: 'conflict', subject: value }, `pausing ${scope} twice`)
      }
      const rows = (await bed.reader.pauses(OF)).toSorted((a, b) => (a.scope < b.scope ? -1 : 1))
      same(
        rows,
        paused.map(([scope, value]) => ({ scope, value, reason: 'quiet', at: NOW })),
        'pauses',
      )
      for (const [scope, value] of paused)
        has(await resume(bed, scope, value), { status: 'ok' }, `resuming ${scope}`)
      same(await bed.reader.pauses(OF), [], 'pauses')
    },
  },
  {
    name: 'pause: a parked action can be cancelled, retried and settled; none of it is offered before resuming',
    run: async (bed) => {
      await bed.start('e', {
        actions: [step('dead'), step('cancelled', { dueAt: NOW + 1 }), step('left', { dueAt: NOW + 1 })],
      })
      await bed.settle((await bed.claim())[0]!, DEAD)
      await pause(bed, 'execution', 'e')
      has(
        await bed.control({ kind: 'cancel_action', id: 'cancelled', reason: 'r' }),
        { status: 'ok' },
        'cancel',
      )
      has(await bed.control({ kind: 'retry_dead', id: 'dead', dueAt: NOW }), { status: 'ok' }, 'retry')
      same(await bed.store.heads({ now: NOW + 1 }), [], 'heads while paused')
      has((await bed.reader.counts(OF)).actions, { queued: 2, cancelled: 1, dead: 0 }, 'counts while paused')
      await resume(bed, 'execution', 'e')
      const claims = await bed.claim('n2', { now: NOW + 1, lease: NOW })
      same(
        claims.map(({ id }) => id),
        ['dead', 'left'],
        'claimed when resumed',
      )
    },
  },
  {
    name: 'P1: an action born parked and wanted now in one batch stays parked, and says why',
    run: async (bed) => {
      await pause(bed, 'definition', 'lease')
      const of = { ...OF, at: NOW, lease: NOW }
      const results = await bed.store.commit([
        { ...of, advance: advance('e', { actions: [step('a', { dueAt: NOW + 9 })] }) },
        { ...of, control: [{ kind: 'run_now', id: 'a' }] },
      ])
      same(
        results.map(({ status }) => status),
        ['ok', 'ok'],
        'the batch',
      )
      has(await bed.action('a'), { status: 'queued', dueAt: NOW, hold: 'paused:definition' }, 'the row')
      await resume(bed, 'definition', 'lease')
      has(await bed.action('a'), { hold: undefined }, 'resumed')
      same((await bed.claim()).length, 1, 'claimed')
    },
  },
  {
    name: 'pause: resumed and paused anew in one batch, the new reason stands',
    run: async ({ store, reader, start }) => {
      await start('e')
      const of = (value: string) => ({
        scope: value === 'e' ? ('execution' as const) : ('type' as const),
        value,
      })
      for (const value of ['e', 'mail']) {
        const asked = (at: number, control: Control): Member => ({ ...OF, at, control: [control] })
        await store.commit([asked(NOW, { kind: 'pause', ...of(value), reason: 'old' })])
        const results = await store.commit([
          asked(NOW + 1, { kind: 'resume', ...of(value) }),
          asked(NOW + 2, { kind: 'pause', ...of(value), reason: 'new' }),
        ])
        same(results, [{ status: 'ok' }, { status: 'ok' }], 'results')
      }
      const rows = (await reader.pauses(OF)).map(({ value, reason, at }) => ({ value, reason, at }))
      const expected = ['e', 'mail'].map((value) => ({ value, reason: 'new', at: NOW + 2 }))
      same(
        rows.toSorted((a, b) => (a.value < b.value ? -1 : 1)),
        expected,
        'pauses',
      )
    },
  },
  {
    name: 'pause: a settlement of a paused execution with its step still commits',
    run: async (bed) => {
      await bed.start('e', { actions: [step('a')] })
      const [claim] = await bed.claim()
      await pause(bed, 'execution', 'e')
      const { execution: held } = await bed.execution('e')
      const moved = { ...held, variables: { sent: true } }
      has(
        await bed.step('e', { execution: moved }, { settle: [settled(claim!)] }),
        { status: 'ok' },
        'the member',
      )
      has(
        (await bed.execution('e')).execution,
        { status: 'paused', variables: { sent: true } },
        'the execution',
      )
      await resume(bed, 'execution', 'e')
      has((await bed.execution('e')).execution, { status: 'active' }, 'resumed')
    },
  },
]
