// Owns checkpoints: a hash over the newest link of every chain and over the feed since the last checkpoint, whose own
// hash it covers too. All of it as of one position of the feed, so that it can be computed again from the events, and is
// read in slices that leave the event loop free.

import { createHash, type Hash } from 'node:crypto'
import { canonical } from '../../core/json.ts'
import type { Checkpoint } from '../keeper.ts'
import type { Tenancy } from '../store.ts'
import type { Timers } from '../timers.ts'
import type { Connection } from './connection.ts'
import { type EventRecord, eventData } from './rows.ts'
import type { Writer } from './writer.ts'

export interface CheckpointParts {
  readonly connection: Connection
  readonly writer: Writer
  readonly timers: Timers
}

const SLICE = 500

interface HeadRecord extends Tenancy {
  readonly id: string
  /** `number hash`, or null when the execution began after the position. */
  readonly head: string | null
}

interface FeedRecord extends EventRecord, Tenancy {
  readonly seq: number
}

const coverHeads = async (parts: CheckpointParts, hash: Hash, position: number): Promise<number> => {
  const { connection, writer, timers } = parts
  let heads = 0
  let last = { namespace: '', tenant: '', id: '' }
  for (;;) {
    const from = { namespace: last.namespace, tenant: last.tenant, id: last.id, position, limit: SLICE }
    const rows = await writer.read(() => connection.sql.chainHeads.all<HeadRecord>(from))
    for (const { namespace, tenant, id, head } of rows)
      if (head !== null) {
        hash.update(`${canonical([namespace, tenant, id, head])}\n`)
        heads += 1
      }
    const end = rows.at(-1)
    if (end === undefined || rows.length < SLICE) return heads
    last = end
    await timers.turn()
  }
}

const coverFeed = async (parts: CheckpointParts, hash: Hash, after: number, upto: number): Promise<void> => {
  const { connection, writer, timers } = parts
  for (let from = after; ; ) {
    const rows = await writer.read(() =>
      connection.sql.feedSlice.all<FeedRecord>({ after: from, upto, limit: SLICE }),
    )
    for (const row of rows) {
      const { seq, namespace, tenant, execution, type, at } = row
      hash.update(`${canonical([seq, namespace, tenant, execution, type, at, eventData(row)])}\n`)
    }
    const end = rows.at(-1)
    if (end === undefined || rows.length < SLICE) return
    from = end.seq
    await timers.turn()
  }
}

interface CheckpointRecord extends Checkpoint {
  readonly number: number
  readonly feed_position: number
}

/** When another process was quicker, what it wrote stands. */
export const writeCheckpoint = async (parts: CheckpointParts, now: number): Promise<Checkpoint> => {
  const { sql } = parts.connection
  const { position, last } = await parts.writer.read(() => ({
    position: sql.feedPosition.get<{ position: number }>()!.position,
    last: sql.lastCheckpoint.get<CheckpointRecord>(),
  }))
  const hash = createHash('sha256').update(`${last?.hash ?? ''}\n`)
  const heads = await coverHeads(parts, hash, position)
  await coverFeed(parts, hash, last?.feed_position ?? 0, position)
  const number = (last?.number ?? 0) + 1
  const made = { number, at: now, heads, hash: hash.digest('hex'), feed_position: position }
  return parts.writer.run(1, () => {
    sql.insertCheckpoint.run(made)
    const { at, heads: covered, hash: written } = sql.lastCheckpoint.get<CheckpointRecord>()!
    return { at, heads: covered, hash: written }
  })
}
