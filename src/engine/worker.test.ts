import { expect, it } from 'vitest'
import type { AnyRunner } from '../runners/runner.ts'
import type { ClaimedAction, NewAction } from '../store/store.ts'
import { realClock } from './clock.ts'
import { mostUnsettled } from './reserve.ts'
import { createWorker, nextMost, type WorkerParts } from './worker.ts'

it.each<[string, Parameters<typeof nextMost>[0] & { slots: number; claims?: number }, number]>([
  ['all of it came', { slots: 200, most: 50, asked: 50, came: 50 }, 100],
  ['all of it came, and more is not asked for', { slots: 500, most: 200, asked: 200, came: 200 }, 200],
  ['as much for each claim', { slots: 500, claims: 2, most: 200, asked: 200, came: 200 }, 400],
  ['and no more', { slots: 900, claims: 2, most: 400, asked: 400, came: 400 }, 400],
  ['G15: no more batches than there are slots for', { slots: 64, most: 50, asked: 50, came: 50 }, 50],
  ['G15: nor part of one', { slots: 199, most: 100, asked: 100, came: 100 }, 150],
  ['fewer slots than a batch', { slots: 20, most: 50, asked: 20, came: 20 }, 50],
  ['F42: somebody holds a tenth of the slots', { slots: 200, most: 200, asked: 180, came: 180 }, 200],
  ['few slots are free: they are what is short', { slots: 200, most: 200, asked: 49, came: 49 }, 50],
  ['less came than was asked for', { slots: 200, most: 100, asked: 100, came: 99 }, 50],
  ['nothing came', { slots: 200, most: 200, asked: 200, came: 0 }, 50],
])(
  'a claim grows while the queue gives all that is asked for: %s',
  (_, { slots, claims = 1, ...claimed }, most) => {
    expect(nextMost(claimed, { slots, claims, batch: 50 })).toBe(most)
  },
)

it.each([
  ['four for each slot', 64, 256],
  ['as many as two commits need, and those behind them', 200, 800],
  ['and no more', 400, 800],
  ['two for each slot where there are more', 401, 802],
])('what waits to be settled is bounded: %s', (_, slots, most) => {
  expect(mostUnsettled(slots)).toBe(most)
})

/** What hangs here is not to be timed out long after its test. */
const clock = { ...realClock, timers: { ...realClock.timers, after: () => () => undefined } }

/** One lane that never runs dry, and a runner that never returns. */
const hanging = ({ batch = 4, claims = 1 } = {}) => {
  const state = { isLate: false, claimed: 0, asked: [] as number[], planned: [] as number[] }
  const plan = {
    type: 'hang',
    config: {},
    secrets: [],
    dueAt: 0,
    timeoutMs: 60_000,
    delivery: 'at_least_once',
  }
  const rowOf = (n: number): ClaimedAction =>
    ({
      id: `a${n}`,
      namespace: 'n',
      tenant: 't',
      lane: 1,
      token: 1,
      nonce: 'x',
      reaps: 0,
      plan,
    }) as unknown as ClaimedAction
  const hang = {
    type: 'hang',
    definition: {
      config: { '~standard': { validate: (value: unknown) => ({ value }) } },
      execute: () => new Promise(() => undefined),
    },
  }
  const parts = {
    worker: 'w',
    clock,
    isLate: () => state.isLate,
    onFree: () => undefined,
    chance: { nonce: () => 'x' },
    heads: {
      isNext: () => true,
      waiting: () => new Set(),
      refresh: async () => undefined,
      plan: (n: number, inFlight: ReadonlyMap<number, number>) => {
        state.planned.push(inFlight.get(1) ?? 0)
        return [{ lane: 1, n }]
      },
      claimed: () => undefined,
    },
    store: {
      claims,
      claim: async ({ batch }: { readonly batch: number }) => {
        state.asked.push(batch)
        return Array.from({ length: batch }, () => rowOf(state.claimed++))
      },
    },
    leases: { hold: () => undefined, release: () => undefined, isFresh: () => true },
    gate: { isFree: () => true },
    runnerOf: () => hang as unknown as AnyRunner,
    contextOf: () => ({ now: realClock.now }),
    reachOf: () => ({ release: () => undefined }),
  } as unknown as WorkerParts
  const worker = createWorker(parts, { slots: 8, leaseMs: 30_000, batch })
  return { worker, state }
}

it('F34: while the event loop does not keep up nothing more is claimed, unless nothing is under way', async () => {
  const { worker, state } = hanging()
  state.isLate = true
  expect(await worker.claim()).toBe(4)
  expect(await worker.claim()).toBe(0)
  expect(worker.inFlight()).toBe(4)
  state.isLate = false
  expect(await worker.claim()).toBe(4)
  expect(await worker.claim()).toBe(0)
  expect(state.claimed).toBe(8)
})

it('G15: slots of what was claimed are kept until it begins: meanwhile nothing else begins in them', async () => {
  const { worker } = hanging()
  await worker.claim()
  const offer = () => worker.reserve({ namespace: 'n', tenant: 't' }, { plan: { type: 'hang' } } as NewAction)
  const offered: unknown[] = []
  let isOver = false
  const claiming = worker.claim().then(() => {
    isOver = true
  })
  // Not before it has planned: until then there is room.
  for (await Promise.resolve(); !isOver; await Promise.resolve()) offered.push(offer())
  await claiming
  expect(worker.inFlight()).toBe(8)
  expect(offered.length).toBeGreaterThan(3)
  expect(offered.filter(Boolean)).toEqual([])
})

it('a store that does two things at a time is asked in two parts, each counted as under way by the plan of the next', async () => {
  const { worker, state } = hanging({ batch: 2, claims: 2 })
  expect(await worker.claim()).toBe(2)
  expect(state.asked).toEqual([2])
  expect(await worker.claim()).toBe(2)
  expect(state.asked).toEqual([2, 2, 2])
  expect(state.planned).toEqual([0, 2, 4])
  expect(worker.inFlight()).toBe(4)
  while ((await worker.claim()) > 0) expect(worker.inFlight()).toBeLessThanOrEqual(8)
  expect(worker.inFlight()).toBe(8)
  expect(state.claimed).toBe(8)
})

it('one at a time is asked for where the store does one thing at a time', async () => {
  const { worker, state } = hanging({ batch: 2, claims: 1 })
  await worker.claim()
  expect(await worker.claim()).toBe(4)
  expect(state.asked).toEqual([2, 4])
})

it('W1: what was asked for when no more is to be claimed begins like the rest, and no more is asked for', async () => {
  const { worker, state } = hanging({ batch: 2, claims: 2 })
  await worker.claim()
  await worker.claim()
  await worker.land()
  expect(worker.inFlight()).toBe(6)
  expect(state.asked).toEqual([2, 2, 2])
})
