// Owns what limits cost: the same actions processed where every one must ask for a place, beside those that need not ask.

import type { Figure } from './figure.ts'
import type { Ground } from './ground/ground.ts'
import { pawlQueue } from './queue/pawl.ts'
import { RATES, rates } from './queue/queue.ts'
import { race } from './rounds.ts'
import type { Scene } from './scene.ts'

/** A limit that is never reached: what remains is asking. */
const LIMITS = { noop: { concurrency: 10_000 } }

export const limitFigures = async ({ extent }: Scene, ground: Ground): Promise<readonly Figure[]> => {
  const sizes = { ...extent, one: 0, many: Math.ceil(extent.many / 4) }
  return race({
    name: `${ground.name}, with a limit on the type`,
    rounds: extent.longRounds,
    ours: rates(pawlQueue(ground, { limits: LIMITS }), sizes),
    others: [rates(pawlQueue(ground, {}, 'pawl without limits'), sizes)],
    measures: { process: RATES.process },
  })
}
