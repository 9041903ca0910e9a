// Owns what limits cost and save: the same actions processed where every one must ask for a place, beside those that need not
// ask; and where a provider hangs that has a bulkhead, beside those that are alone (F42: at least 90 %).

import { type Figure, perSecond } from './figure.ts'
import type { Ground } from './ground/ground.ts'
import { pawlQueue, SLOTS } from './queue/pawl.ts'
import { processing } from './queue/queue.ts'
import { race } from './rounds.ts'
import type { Scene } from './scene.ts'

/** A limit that is never reached: what remains is asking. */
const LIMITS = { noop: { concurrency: 10_000 } }

/** A tenth of the slots, and more than that of its actions. */
const HANGING = { limits: { hang: { bulkhead: SLOTS / 10 } }, hanging: SLOTS }

export const limitFigures = async ({ extent }: Scene, ground: Ground): Promise<readonly Figure[]> => {
  const count = Math.ceil(extent.many / 4)
  const alone = (label: string) => processing(pawlQueue(ground, {}, label), count, 'process')
  const asking = await race({
    name: `${ground.name}, with a limit on the type`,
    rounds: extent.longRounds,
    ours: processing(pawlQueue(ground, { limits: LIMITS }), count, 'process'),
    others: [alone('pawl without limits')],
    measures: { process: perSecond },
  })
  const hanging = await race({
    name: `${ground.name}, beside a provider that hangs`,
    rounds: extent.longRounds,
    ours: processing(pawlQueue(ground, HANGING), count, 'process'),
    others: [alone('pawl alone')],
    measures: { process: perSecond },
  })
  return [...asking, ...hanging]
}
