// Owns housekeeping over PostgreSQL: chores by lease, partitions, retention, checkpoints, epochs.

import type { Keeper } from '../keeper.ts'
import type { Tenancy } from '../store.ts'
import { VIRTUAL_NOW, writeInstant } from '../virtual-now.ts'
import { NEWEST, toWatched, ZONE_RULES } from '../watched.ts'
import { type CheckpointRecord, computeCheckpoint } from './checkpoint.ts'
import type { Connections } from './connections.ts'
import { preparePartitions } from './partitions.ts'
import { type Patience, patiently } from './patience.ts'
import { pruneSlice } from './prune.ts'
import { type ExecutionRecord, toExecution } from './rows.ts'
import { repeatable } from './store.ts'

interface WatchedRecord extends ExecutionRecord {
  readonly due_at: number | null
}

export interface KeeperParts {
  readonly connections: Connections
  readonly patience: Patience
  readonly random: () => string
}

export const createKeeper = ({ connections, patience, random }: KeeperParts): Keeper => {
  const sql = repeatable(connections, patience)
  const again = <Value>(work: () => Promise<Value>): Promise<Value> => patiently(patience, work)
  const virtualNow: Keeper['virtualNow'] = async () => {
    const [row] = (await sql.findMeta<{ value: string }>({ key: VIRTUAL_NOW })).rows
    return row && Number(row.value)
  }
  return {
    take: async (name, holder, leaseMs) =>
      (await sql.takeChore({ name, holder, lease_ms: leaseMs })).count === 1,
    prune: (retention, limit) => again(() => pruneSlice(connections, retention, limit)),
    prepare: (now) => again(() => connections.alone((caller) => preparePartitions(caller, now))),
    checkpoint: async (now) => {
      const made = await again(() => connections.observe((caller) => computeCheckpoint(caller.sql, now)))
      await again(() => connections.transact((caller) => caller.sql.insertCheckpoint({ ...made })))
      // When another process was quicker, what it wrote stands.
      const { at, heads, hash } = (await sql.lastCheckpoint<CheckpointRecord>()).rows[0]!
      return { at, heads, hash }
    },
    tenantAfter: async ({ namespace, tenant }) =>
      (await sql.inspectTenant<Tenancy>({ namespace, tenant })).rows[0],
    recurrences: async ({ namespace, tenant }, { createdAt: created_at, id } = NEWEST, before, limit) => {
      const of = { namespace, tenant, created_at, id, before, limit }
      const { rows } = await sql.watchedRecurrences<WatchedRecord>(of)
      return rows.map((row) => toWatched(row, () => toExecution(row)))
    },
    zoneRules: async () => (await sql.findMeta<{ value: string }>({ key: ZONE_RULES })).rows[0]?.value,
    setZoneRules: async (value) => {
      await again(() => connections.transact((caller) => caller.sql.writeMeta({ key: ZONE_RULES, value })))
    },
    virtualNow,
    setVirtualNow: async (at) => {
      const value = writeInstant(at)
      await again(() => connections.transact((caller) => caller.sql.raiseMeta({ key: VIRTUAL_NOW, value })))
      return (await virtualNow())!
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
