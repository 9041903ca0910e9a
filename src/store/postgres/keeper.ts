// Owns housekeeping over PostgreSQL: chores by lease, partitions, retention, checkpoints, epochs.

import type { Keeper } from '../keeper.ts'
import { computeCheckpoint } from './checkpoint.ts'
import type { Connections } from './connections.ts'
import { preparePartitions } from './partitions.ts'
import { type Patience, patiently } from './patience.ts'
import { pruneSlice } from './prune.ts'
import { repeatable } from './store.ts'

export interface KeeperParts {
  readonly connections: Connections
  readonly patience: Patience
  readonly random: () => string
}

export const createKeeper = ({ connections, patience, random }: KeeperParts): Keeper => {
  const sql = repeatable(connections, patience)
  const again = <Value>(work: () => Promise<Value>): Promise<Value> => patiently(patience, work)
  return {
    take: async (name, holder, leaseMs) =>
      (await sql.takeChore({ name, holder, lease_ms: leaseMs })).count === 1,
    prune: (retention, limit) => again(() => pruneSlice(connections, retention, limit)),
    prepare: (now) => again(() => connections.alone((caller) => preparePartitions(caller, now))),
    checkpoint: async (now) => {
      const { position, ...checkpoint } = await again(() =>
        connections.observe((caller) => computeCheckpoint(caller.sql, now)),
      )
      const { at, heads, hash } = checkpoint
      await again(() =>
        connections.transact((caller) =>
          caller.sql.insertCheckpoint({ at, heads, hash, feed_position: position }),
        ),
      )
      return checkpoint
    },
    newEpoch: () =>
      again(() =>
        connections.transact(async (caller) => {
          const { rows } = await caller.sql.nextEpoch<{ value: string }>()
          await caller.sql.fenceAll({ nonce: random() })
          await caller.sql.rebaseEvents()
          return Number(rows[0]!.value)
        }),
      ),
  }
}
