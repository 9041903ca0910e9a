// Owns bugs that are planted where limits are kept: only the worlds that have limits can find them.

import type { NewLimitState } from '../../src/store/limits.ts'
import type { Member } from '../../src/store/store.ts'
import type { Plant, Planted } from './plants.ts'

type Verbs = Parameters<Plant>[0]['ports']['limits']

const withLimits =
  (change: (limits: Verbs) => Partial<Verbs>): Plant =>
  ({ ports }) => ({ ...ports, limits: { ...ports.limits, ...change(ports.limits) } })

const isRate = ({ key }: NewLimitState): boolean => key.startsWith('rate:')

/** Who was too late is told that it was not, and so is everybody else. */
const everybodyWins: Plant = withLimits((limits) => ({
  swap: async (state) => isRate(state) || limits.swap(state),
}))

const DAY_MS = 86_400_000

const heldForever = (member: Member): Member => ({
  ...member,
  ...(member.control && {
    control: member.control.map((each) =>
      each.kind === 'hold' ? { ...each, dueAt: each.dueAt + DAY_MS } : each,
    ),
  }),
})

export const PLANTED_IN_LIMITS: readonly Planted[] = [
  {
    name: 'a slot of a rate given to everybody',
    plant: everybodyWins,
    from: 58,
    finds: ['L1'],
  },
  {
    name: 'one place more than there are',
    plant: withLimits((limits) => ({
      take: (ref, candidates, max, clocks) => limits.take(ref, candidates, max + 1, clocks),
    })),
    finds: ['L1'],
  },
  {
    name: 'a place that is promised and not taken',
    plant: withLimits(() => ({
      take: async (_, candidates) => ({ taken: candidates.map(({ id }) => id), held: 0, waiting: 0 }),
    })),
    finds: ['L1'],
  },
  {
    name: 'a hold that does not end',
    plant: ({ ports }) => ({
      ...ports,
      store: { ...ports.store, commit: (batch) => ports.store.commit(batch.map(heldForever)) },
    }),
    finds: ['I9'],
  },
]

/** Who waits looks again by itself. */
export const HARMLESS_TO_LIMITS: readonly Omit<Planted, 'finds'>[] = [
  {
    name: 'nobody is called to a free place',
    plant: withLimits((limits) => ({
      release: async (ref, held, max, clocks) => {
        await limits.release(ref, held, max, clocks)
        return []
      },
    })),
  },
]
