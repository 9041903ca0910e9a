// Owns checkpoints: a hash over the newest link of every chain and over the feed since the last checkpoint, whose own
// hash it covers too. All of it as of one position of the feed, so that it can be computed again from the events.

import { createHash, type Hash } from 'node:crypto'
import { canonical } from '../../core/json.ts'
import type { Checkpoint } from '../keeper.ts'
import type { Tenancy } from '../store.ts'
import type { EventRecord } from './rows.ts'
import type { Statements } from './statements.ts'

const SLICE = 500

interface HeadRecord extends Tenancy {
  readonly id: string
  /** `number hash`, or null when the execution began after the position. */
  readonly head: string | null
}

interface FeedRecord extends EventRecord, Tenancy {
  readonly xid: string
  readonly seq: number
}

const coverHeads = async (sql: Statements, hash: Hash, upto: string): Promise<number> => {
  let heads = 0
  let last = { namespace: '', tenant: '', id: '' }
  for (;;) {
    const { namespace, tenant, id } = last
    const { rows } = await sql.chainHeads<HeadRecord>({ namespace, tenant, id, upto, limit: SLICE })
    for (const row of rows)
      if (row.head !== null) {
        hash.update(`${canonical([row.namespace, row.tenant, row.id, row.head])}\n`)
        heads += 1
      }
    const end = rows.at(-1)
    if (end === undefined || rows.length < SLICE) return heads
    last = end
  }
}

const coverFeed = async (sql: Statements, hash: Hash, after: string, upto: string): Promise<void> => {
  for (let from = { xid: after, seq: 0 }; ; ) {
    const { rows } = await sql.feedSlice<FeedRecord>({
      xid: from.xid,
      seq: from.seq,
      upto,
      limit: SLICE,
    })
    for (const { seq, namespace, tenant, execution, type, at, data } of rows)
      hash.update(`${canonical([seq, namespace, tenant, execution, type, at, data])}\n`)
    const end = rows.at(-1)
    if (end === undefined || rows.length < SLICE) return
    from = end
  }
}

export interface CheckpointRecord extends Checkpoint {
  readonly number: number
  readonly feed_position: string
}

/** `observe` gives one snapshot; the horizon is below everything that is not in it. */
export const computeCheckpoint = async (sql: Statements, now: number): Promise<CheckpointRecord> => {
  const [{ xid: position }] = (await sql.feedHorizon<{ xid: string }>()).rows as readonly [{ xid: string }]
  const [last] = (await sql.lastCheckpoint<CheckpointRecord>()).rows
  const hash = createHash('sha256').update(`${last?.hash ?? ''}\n`)
  const heads = await coverHeads(sql, hash, position)
  await coverFeed(sql, hash, last?.feed_position ?? '0', position)
  const number = (last?.number ?? 0) + 1
  return { number, at: now, heads, hash: hash.digest('hex'), feed_position: position }
}
