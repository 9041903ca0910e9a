// Owns the race of queues on either store: (A) rates, with what an action costs in commits, syncs and bytes, (B) idle latency,
// (C) lateness. The ceilings only run in A: they have no way to wait.

import { bytes, each, type Figure, perSecond } from './figure.ts'
import type { Ground } from './ground/ground.ts'
import { bareQueue } from './queue/bare.ts'
import { graphileWorker } from './queue/graphile-worker.ts'
import { pawlQueue } from './queue/pawl.ts'
import { pgBoss } from './queue/pg-boss.ts'
import { plainjob } from './queue/plainjob.ts'
import {
  type Contender,
  LATENCIES,
  LATENESS,
  latencies,
  lateness,
  processing,
  RATES,
  rates,
} from './queue/queue.ts'
import { sameRowsQueue } from './queue/same-rows.ts'
import { race } from './rounds.ts'
import type { Scene } from './scene.ts'

/** Of a queue so long that it takes seconds, with all that is left behind by those who were processed before. */
const LONG = 'process a long queue'

export const COSTS = {
  'commits per action': each,
  'fsyncs per action': each,
  'WAL bytes per action': bytes,
  'bytes written per action': bytes,
}

interface Against {
  readonly busy: readonly Contender[]
  readonly waiting: readonly Contender[]
}

const peersOn = async ({ peers, bullmq }: Scene, ground: Ground): Promise<Against> => {
  if (ground.kind === 'sqlite') {
    const all = await peers(['plainjob', plainjob], bullmq)
    return { busy: all, waiting: all }
  }
  const worker = ['graphile-worker', () => graphileWorker(ground)] as const
  return {
    busy: await peers(worker, ['pg-boss', () => pgBoss(ground, false)], bullmq),
    waiting: await peers(worker, ['pg-boss', () => pgBoss(ground, true)], bullmq),
  }
}

export const queueFigures = async (scene: Scene, ground: Ground): Promise<readonly Figure[]> => {
  const { extent } = scene
  const { rounds, longRounds } = extent
  const { name } = ground
  const { busy, waiting } = await peersOn(scene, ground)
  const ours = pawlQueue(ground)
  const ceilings = [await sameRowsQueue(ground), bareQueue(ground)]
  return [
    ...(await race({
      name,
      rounds,
      ours: rates(ours, extent),
      others: [...busy, ...ceilings].map((one) => rates(one, extent)),
      measures: { ...RATES, ...COSTS },
    })),
    ...(await race({
      name,
      rounds: longRounds,
      ours: processing(ours, extent.long, LONG),
      others: [...busy, ...ceilings].map((one) => processing(one, extent.long, LONG)),
      measures: { [LONG]: perSecond },
    })),
    ...(await race({
      name,
      rounds,
      ours: latencies(ours, extent),
      others: waiting.map((one) => latencies(one, extent)),
      measures: LATENCIES,
    })),
    ...(await race({
      name,
      rounds: longRounds,
      ours: lateness(ours, extent),
      others: waiting.map((one) => lateness(one, extent)),
      measures: LATENESS,
    })),
  ]
}
