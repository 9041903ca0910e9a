// Owns housekeeping over SQLite: chores by lease, retention in slices, checkpoints, epochs. There are no partitions to
// prepare.

import { PawlError } from '../../core/errors.ts'
import type { Keeper, Retention } from '../keeper.ts'
import type { Tenancy } from '../store.ts'
import type { Timers } from '../timers.ts'
import { VIRTUAL_NOW, writeInstant } from '../virtual-now.ts'
import { NEWEST, toWatched, ZONE_RULES } from '../watched.ts'
import type { Ballast } from './ballast.ts'
import { writeCheckpoint } from './checkpoint.ts'
import type { Connection } from './connection.ts'
import { pruneSlice } from './prune.ts'
import { makeRoom } from './room.ts'
import { type ExecutionRecord, toExecution } from './rows.ts'
import type { Statements } from './statements.ts'
import type { Writer } from './writer.ts'

interface WatchedRecord extends ExecutionRecord {
  readonly due_at: number | null
}

export interface KeeperParts {
  readonly connection: Connection
  readonly writer: Writer
  readonly ballast: Ballast
  readonly timers: Timers
  readonly random: () => string
}

type Watching = Pick<Keeper, 'tenantAfter' | 'recurrences' | 'zoneRules' | 'setZoneRules'>

const watching = (sql: Statements, writer: Writer): Watching => ({
  tenantAfter: ({ namespace, tenant }) =>
    writer.read(() => sql.inspectTenant.get<Tenancy>({ namespace, tenant })),
  recurrences: ({ namespace, tenant }, { createdAt: created_at, id } = NEWEST, before, limit) =>
    writer.read(() =>
      sql.watchedRecurrences
        .all<WatchedRecord>({ namespace, tenant, created_at, id, before, limit })
        .map((row) => toWatched(row, () => toExecution(row))),
    ),
  zoneRules: () => writer.read(() => sql.findMeta.get<{ value: string }>({ key: ZONE_RULES })?.value),
  setZoneRules: async (value) => {
    await writer.run(1, () => sql.writeMeta.run({ key: ZONE_RULES, value }))
  },
})

export const createKeeper = (parts: KeeperParts): Keeper => {
  const { connection, writer, ballast, timers, random } = parts
  const { sql } = connection

  const take: Keeper['take'] = (name, holder, leaseMs) =>
    writer.run(1, () => {
      const { now } = sql.clock.get<{ now: number }>()!
      return sql.takeChore.run({ name, holder, until: now + leaseMs, now }) === 1
    })
  const prune = async (retention: Retention, limit: number): Promise<boolean> => {
    const slice = (): Promise<number> => writer.run(2 * limit, () => pruneSlice(sql, retention, limit))
    const removed = await slice().catch((error: unknown) => {
      // What is left of the reserve is for this.
      if (error instanceof PawlError && error.code === 'store_full' && ballast.relieveAll()) return slice()
      throw error
    })
    await makeRoom({ connection, writer, ballast })
    return removed > 0
  }
  const newEpoch: Keeper['newEpoch'] = () =>
    writer.run(100, () => {
      const row = sql.findMeta.get<{ value: string }>({ key: 'epoch' })!
      const epoch = Number(row.value) + 1
      sql.writeMeta.run({ key: 'epoch', value: String(epoch) })
      sql.fenceAll.run({ nonce: random() })
      return epoch
    })
  const virtualNow = (): number | undefined => {
    const row = sql.findMeta.get<{ value: string }>({ key: VIRTUAL_NOW })
    return row && Number(row.value)
  }
  return {
    take,
    prune,
    ...watching(sql, writer),
    prepare: () => Promise.resolve(),
    checkpoint: (now) => writeCheckpoint({ connection, writer, timers }, now),
    virtualNow: () => writer.read(virtualNow),
    setVirtualNow: async (at) => {
      const value = writeInstant(at)
      return writer.run(1, () => {
        sql.raiseMeta.run({ key: VIRTUAL_NOW, value })
        return virtualNow()!
      })
    },
    newEpoch,
  }
}
