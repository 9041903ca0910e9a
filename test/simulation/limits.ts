// Owns the limits of a simulated world: one in three has a rate on one type of action, only so many places on another, and a
// breaker on the third. They are drawn apart from everything else: the other worlds are as they would be without them.

import { parseRate } from '../../src/core/limit-rate.ts'
import type { LimitOptions } from '../../src/core/limit-settings.ts'
import type { Limits } from '../../src/store/limits.ts'
import { TYPES } from './machines.ts'
import { seeded } from './seeded.ts'

export interface WorldLimits {
  /** None: the world knows no limits. */
  readonly byType: LimitOptions | undefined
  readonly rate: { readonly type: string; readonly count: number; readonly windowMs: number }
  readonly places: { readonly type: string; readonly max: number }
  readonly breaker: { readonly probes: number }
}

const APART = 0x5eed_1175
/** Of every six; in odd ones there are recurrences. */
const LIMITED: readonly number[] = [0, 4]
const ORDERS = [
  [0, 1, 2],
  [1, 2, 0],
  [2, 0, 1],
] as const

export const limitsOf = (seed: number): WorldLimits => {
  const chance = seeded(seed ^ APART)
  const [rated, placed, broken] = chance.pick(ORDERS).map((index) => TYPES[index]!) as [
    string,
    string,
    string,
  ]
  const rate = chance.pick(['1/s', '2/s'])
  const [max, probes] = [chance.between(1, 2), chance.between(1, 2)]
  const breaker = { failures: chance.between(1, 2), ratio: 0.1, coolDown: chance.pick(['1s', '4s']), probes }
  const byType: LimitOptions = {
    [rated]: { rate },
    [placed]: { concurrency: max, per: chance.pick(['tenant', 'store']) },
    [broken]: { breaker },
  }
  return {
    byType: LIMITED.includes(seed % 6) ? byType : undefined,
    rate: { type: rated, ...parseRate(rate) },
    places: { type: placed, max },
    breaker: { probes },
  }
}

type Ask = <T>(verb: 'commit' | 'read', label: string, call: () => Promise<T>) => Promise<T>

/** The limits as a process reaches them: every question waits for its turn, and what is written may be lost on the way. */
export const limitsThrough = (limits: Limits, ask: Ask): Limits => ({
  ...limits,
  read: (refs, clocks) => ask('read', 'limit', () => limits.read(refs, clocks)),
  shut: (limit, clocks) => ask('read', 'breakers', () => limits.shut(limit, clocks)),
  swap: (state) => ask('commit', 'limit', () => limits.swap(state)),
  take: (ref, candidates, max, clocks) =>
    ask('commit', 'places', () => limits.take(ref, candidates, max, clocks)),
  release: (ref, held, max, clocks) => ask('commit', 'place', () => limits.release(ref, held, max, clocks)),
  sweep: (before, limit) => ask('read', 'sweep', () => limits.sweep(before, limit)),
})
