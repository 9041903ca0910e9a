// Owns what a suite is given: how much to do, the stores and the peers' servers of this run, opened when first asked for, all
// stopped at the end.

import type { Extent } from './extent.ts'
import type { Ground } from './ground/ground.ts'
import { openPostgres } from './ground/postgres.ts'
import { openSqlite } from './ground/sqlite.ts'
import { dbos } from './loop/dbos.ts'
import type { LoopContender } from './loop/loop.ts'
import { restate } from './loop/restate.ts'
import { miss } from './progress.ts'
import { bullmq } from './queue/bullmq.ts'
import type { Contender } from './queue/queue.ts'

export type Peer<Made> = readonly [name: string, make: () => Promise<Made>]

export interface Scene {
  readonly extent: Extent
  readonly sqlite: () => Promise<Ground>
  readonly postgres: () => Promise<Ground>
  /** Those that can be had; the others are named and left out. */
  readonly peers: <Made>(...made: readonly Peer<Made>[]) => Promise<readonly Made[]>
  readonly bullmq: Peer<Contender>
  readonly restate: Peer<LoopContender>
  /** On PostgreSQL, wherever Pawl is: it has no other store. */
  readonly dbos: Peer<LoopContender>
  readonly close: () => Promise<void>
}

const once = <Value>(make: () => Promise<Value>): (() => Promise<Value>) => {
  let made: Promise<Value> | undefined
  return () => {
    made ??= make()
    return made
  }
}

export const openScene = (extent: Extent, { hasPeers = true } = {}): Scene => {
  const stops: (() => Promise<unknown>)[] = []
  const stopped = <Opened extends { readonly stop: () => Promise<unknown> }>(
    open: () => Promise<Opened>,
  ): (() => Promise<Opened>) =>
    once(async () => {
      const opened = await open()
      stops.push(opened.stop)
      return opened
    })
  const postgres = stopped(openPostgres)
  return {
    extent,
    sqlite: stopped(openSqlite),
    postgres,
    bullmq: ['bullmq', stopped(bullmq)],
    restate: ['restate', stopped(restate)],
    // Its workflows are registered once for a process.
    dbos: ['dbos', once(async () => dbos(await postgres()))],
    peers: async (...made) => {
      if (!hasPeers) return []
      const outcomes = await Promise.allSettled(made.map(([, make]) => make()))
      return outcomes.flatMap((outcome, index) => {
        if (outcome.status === 'fulfilled') return [outcome.value]
        miss(made[index]![0], outcome.reason)
        return []
      })
    },
    close: async () => {
      for (const stop of stops.toReversed()) await stop()
    },
  }
}
