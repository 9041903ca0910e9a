// Executions that failed stand still like paused ones, for events and timers: none is offered, none is lost, and all come
// back when a step sets them going. Their actions go on.

import type { ExecutionStatus } from '../../core/execution.ts'
import type { PauseScope } from '../../store/store.ts'
import type { Bed } from './bed.ts'
import type { Case } from './case.ts'
import { has, same, sound } from './check.ts'
import { advance, event, execution, NOW, OF, step, timer } from './members.ts'

const turn = (bed: Bed, id: string, status: ExecutionStatus, more: object = {}) =>
  bed.step(id, { execution: execution(id, { status }), ...more })
const control = (bed: Bed, kind: 'pause' | 'resume', scope: PauseScope, value: string) =>
  bed.control(kind === 'pause' ? { kind, scope, value, reason: 'quiet' } : { kind, scope, value })

/** An execution with everything that can be due. */
const busy = async (bed: Bed, id: string): Promise<void> => {
  await bed.start(id, { actions: [step(`${id}/a`)], timers: [timer('t')] })
  await bed.ok({ deliver: [{ execution: id, event: event('v1') }] })
}

const due = async ({ store }: Bed): Promise<object> => {
  const heads = await store.heads({ now: NOW })
  return {
    actions: heads.reduce((sum, head) => sum + head.due, 0),
    timers: sound(await store.dueTimers(99, { now: NOW })).map(({ execution: of }) => of),
    events: sound(await store.inbox(['lease'], 99)).map(({ execution: of, event: { id } }) => `${of} ${id}`),
  }
}

export const standstillCases: readonly Case[] = [
  {
    name: 'failed: its events and timers are held, its actions go on; a step out of it gives all back in order',
    run: async (bed) => {
      await busy(bed, 'e')
      await busy(bed, 'f')
      has(await turn(bed, 'e', 'failed', { timers: [timer('u')] }), { status: 'ok' }, 'the step')
      await bed.ok({ deliver: [{ execution: 'e', event: event('v2') }] })
      same(await due(bed), { actions: 2, timers: ['f'], events: ['f v1'] }, 'failed')
      has(await bed.action('e/a'), { hold: undefined }, 'its action')
      await turn(bed, 'e', 'active')
      same(
        await due(bed),
        { actions: 2, timers: ['e', 'e', 'f'], events: ['e v1', 'f v1', 'e v2'] },
        'going on',
      )
    },
  },
  {
    name: 'failed: it may end by a step, and then nothing of it is held',
    run: async (bed) => {
      await busy(bed, 'e')
      await turn(bed, 'e', 'failed')
      await turn(bed, 'e', 'completed')
      same(await due(bed), { actions: 1, timers: ['e'], events: ['e v1'] }, 'ended')
    },
  },
  {
    name: 'failed: one that began so holds what is delivered with its beginning, and its timers',
    run: async (bed) => {
      await bed.ok({
        advance: advance('e', { execution: execution('e', { status: 'failed' }), timers: [timer('t')] }),
        deliver: [{ execution: 'e', event: event('v1') }],
      })
      same(await due(bed), { actions: 0, timers: [], events: [] }, 'failed')
      await turn(bed, 'e', 'waiting')
      same(await due(bed), { actions: 0, timers: ['e'], events: ['e v1'] }, 'going on')
    },
  },
  {
    name: 'failed: a pause of its definition and its end leave it as it is',
    run: async (bed) => {
      await busy(bed, 'e')
      await busy(bed, 'f')
      await turn(bed, 'e', 'failed')
      has(await control(bed, 'pause', 'definition', 'lease'), { status: 'ok' }, 'the pause')
      await bed.ok({ deliver: [{ execution: 'e', event: event('v2') }] })
      same(await due(bed), { actions: 1, timers: [], events: [] }, 'paused')
      has(await control(bed, 'resume', 'definition', 'lease'), { status: 'ok' }, 'the resumption')
      has((await bed.execution('e')).execution, { status: 'failed' }, 'the one that failed')
      same(await due(bed), { actions: 2, timers: ['f'], events: ['f v1'] }, 'resumed')
      has(await control(bed, 'pause', 'execution', 'e'), { status: 'conflict' }, 'pausing what failed')
    },
  },
  {
    name: 'failed and paused by turns: held all the while, actions parked only while it is paused',
    run: async (bed) => {
      await busy(bed, 'e')
      await control(bed, 'pause', 'execution', 'e')
      await turn(bed, 'e', 'failed')
      same(await due(bed), { actions: 1, timers: [], events: [] }, 'paused, then failed')
      await turn(bed, 'e', 'active')
      await control(bed, 'resume', 'execution', 'e')
      same(await due(bed), { actions: 1, timers: ['e'], events: ['e v1'] }, 'going on')
    },
  },
  {
    name: 'failed, then paused by a step: resumed it is failed again, and still holds',
    run: async (bed) => {
      await busy(bed, 'e')
      await turn(bed, 'e', 'failed')
      await turn(bed, 'e', 'paused')
      same(await due(bed), { actions: 0, timers: [], events: [] }, 'paused')
      has(await control(bed, 'resume', 'execution', 'e'), { status: 'ok' }, 'the resumption')
      has((await bed.execution('e')).execution, { status: 'failed' }, 'the execution')
      same(await due(bed), { actions: 1, timers: [], events: [] }, 'failed')
      await turn(bed, 'e', 'active')
      same(await due(bed), { actions: 1, timers: ['e'], events: ['e v1'] }, 'going on')
    },
  },
  {
    name: 'P1: failed, told of an event and going on again in one batch: nothing is held',
    run: async (bed) => {
      await bed.start('e', { timers: [timer('t')] })
      const { revision, chain } = await bed.execution('e')
      const member = { ...OF, at: NOW, lease: NOW }
      const to = (status: ExecutionStatus, after: number) => ({
        ...member,
        advance: advance('e', {
          execution: execution('e', { status }),
          expected: revision + after,
          chain,
        }),
      })
      const deliver = [{ execution: 'e', event: event('v1') }]
      const results = await bed.store.commit([to('failed', 0), { ...member, deliver }, to('active', 1)])
      same(
        results.map(({ status }) => status),
        ['ok', 'ok', 'ok'],
        'the batch',
      )
      same(await due(bed), { actions: 0, timers: ['e'], events: ['e v1'] }, 'going on')
    },
  },
]
