import { expect, it } from 'vitest'
import { updated } from '../core/decision.ts'
import { type Event, TIMER_FIRED } from '../core/event.ts'
import type { Execution } from '../core/execution.ts'
import type { Member } from '../store/store.ts'
import { createExecutionCache } from './cache.ts'
import { realClock } from './clock.ts'
import type { Known } from './directory.ts'
import { createMove, type MoveParts } from './move.ts'

const NOW = 1_000_000
const OF = { namespace: 'n', tenant: 't' }
const execution = {
  ...OF,
  id: 'x',
  status: 'active',
  pending: { timers: ['k'], actions: [] },
} as unknown as Execution

/** Answers the instants that the decider was given, and those that were written. */
const movedBy = async (...events: readonly (readonly [Event, 'timer' | 'inbox' | 'outside'])[]) => {
  const decided: number[] = []
  const members: Member[] = []
  const known = {
    id: 'd',
    decide: (before: Execution, _: Event, now: number) => {
      decided.push(now)
      return updated(before, { type: 'execution.updated', data: {} })
    },
  } as unknown as Known
  const loaded = { execution, revision: 1, chain: { number: 0, hash: '' }, createdAt: 0, updatedAt: 0 }
  const move = createMove({
    store: { load: async () => [{ ...loaded, waiting: false }], waitingFor: async () => [] },
    commit: async (member: Member) => {
      members.push(member)
      return { status: 'ok', revision: 2, chain: loaded.chain }
    },
    directory: { place: async () => ({ kind: 'known', known, moved: false }) },
    cache: createExecutionCache(),
    clock: { ...realClock, now: () => NOW },
    chance: { id: () => 'act_1', fraction: () => 0 },
  } as unknown as MoveParts)
  await move({ ...OF, id: 'x' }, { consumed: events.map(([event, from]) => ({ event, from })) })
  return { decided, at: members.map((member) => member.at) }
}

const timer = (at: number): Event => ({ id: 'k', type: TIMER_FIRED, payload: {}, at, timer: 'k' })
const sent = (at: number): Event => ({ id: 'e', type: 'asked', payload: {}, at })

it('F25: what the store says is due is decided at its own instant, also by a clock that is behind', async () => {
  expect(await movedBy([timer(NOW + 500), 'timer'])).toEqual({ decided: [NOW + 500], at: [NOW + 500] })
  expect(await movedBy([timer(NOW - 500), 'timer'])).toEqual({ decided: [NOW], at: [NOW] })
})

it('F25: so is a timer that had waited in the inbox; what comes with it is the same step', async () => {
  expect((await movedBy([timer(NOW + 500), 'inbox'], [sent(NOW), 'inbox'])).decided).toEqual([
    NOW + 500,
    NOW + 500,
  ])
})

it('what was sent is decided now, whatever its sender’s clock says', async () => {
  expect((await movedBy([sent(NOW + 500), 'outside'])).decided).toEqual([NOW])
})
