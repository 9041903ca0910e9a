import { expect, it } from 'vitest'
import type { Limits, Taken } from '../store/limits.ts'
import type { ClaimedAction, Member } from '../store/store.ts'
import { realClock } from './clock.ts'
import { createPlaces } from './limits-places.ts'
import { createLog } from './log.ts'

const REF = { namespace: 'n', tenant: 't', key: 'type:mail' }
const MAX = 10

const claimed = (id: string): ClaimedAction =>
  ({ id, token: 1, namespace: 'n', tenant: 't', createdAt: 0, plan: { dueAt: 0 } }) as ClaimedAction

/** Everyone gets a place; how full it is afterwards is said. */
const bed = (standing: Omit<Taken, 'taken'>) => {
  const released: (readonly string[])[] = []
  const members: Member[] = []
  const at = { now: 0 }
  const limits = {
    take: async (_, candidates) => ({ ...standing, taken: candidates.map(({ id }) => id) }),
    release: async (_, held) => {
      released.push(held.map(({ id }) => id))
      return [{ namespace: 'n', tenant: 't', id: `after ${held[0]!.id}` }]
    },
  } as Pick<Limits, 'take' | 'release'> as Limits
  const commit = async (member: Member) => {
    members.push(member)
    return { status: 'ok' } as const
  }
  const clock = { ...realClock, monotonic: () => at.now }
  const places = createPlaces({ limits, clock, commit, log: createLog(() => undefined) })
  const actions = ['a', 'b', 'c'].map(claimed)
  const giveBack = async (afterMs: number): Promise<void> => {
    await Promise.all(actions.map((action) => places.take(REF, MAX, action, true)))
    at.now += afterMs
    await Promise.all(actions.map((action) => places.giveBack(action)))
  }
  const called = (): unknown => members.flatMap(({ control = [] }) => control)
  return { giveBack, released, called }
}

it('those that end together give their places back in one question, and each in line is called once', async () => {
  const { giveBack, released, called } = bed({ held: 6, waiting: 0 })
  await giveBack(0)
  expect(released).toEqual([['a', 'b', 'c']])
  expect(called()).toEqual([{ kind: 'run_now', id: 'after a' }])
})

it.each([
  ['half is free and nobody waits: a place goes with its action', { held: 5, waiting: 0 }, 499, 0],
  ['that was a while ago', { held: 5, waiting: 0 }, 500, 1],
  ['more than half is taken', { held: 6, waiting: 0 }, 0, 1],
  ['somebody waits', { held: 1, waiting: 1 }, 0, 1],
])(
  'a limit that is far away costs no question when an action ends: %s',
  async (_, standing, afterMs, asked) => {
    const { giveBack, released } = bed(standing)
    await giveBack(afterMs)
    expect(released).toHaveLength(asked)
  },
)
