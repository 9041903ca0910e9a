// Owns the race of the full loop (E) on either store, against those who make durable executions of three steps.

import type { Figure } from './figure.ts'
import type { Ground } from './ground/ground.ts'
import { EXECUTIONS, type LoopContender, looping } from './loop/loop.ts'
import { pawlLoop } from './loop/pawl.ts'
import { sameRowsLoop } from './loop/same-rows.ts'
import { COSTS } from './queues.ts'
import { race } from './rounds.ts'
import type { Scene } from './scene.ts'

const stepwise = Object.fromEntries(
  Object.entries(COSTS).map(([name, measure]) => [name.replace('per action', 'per step'), measure]),
)

export const loopFigures = async (scene: Scene, ground: Ground): Promise<readonly Figure[]> => {
  const { extent } = scene
  const peers = await scene.peers<LoopContender>(scene.restate, scene.dbos)
  return race({
    name: `${ground.name}, full loop`,
    rounds: extent.rounds,
    ours: looping(pawlLoop(ground), extent),
    others: [...peers, await sameRowsLoop(ground)].map((one) => looping(one, extent)),
    measures: { ...EXECUTIONS, ...stepwise },
  })
}
