// Owns computing a checkpoint a second time, from the events and the chains: a hash over the one before it, over the newest
// link of every chain and over the feed since then. What retention or a move to another server has taken away cannot be
// computed again; then the answer is that it cannot be known.

import { createHash, type Hash } from 'node:crypto'
import type { Json } from '../core/json.ts'
import type { CheckpointRow, Coverage, Inspector, Position } from '../store/inspect.ts'
import { sortedText } from './sorted-text.ts'

export type Covered = 'same' | 'differs' | 'unknown'

/** Retention takes the oldest events first, but not quite in the order of the feed: one checkpoint more must be there. */
const isKept = ({ oldest, isRebased }: Coverage, before: readonly CheckpointRow[]): boolean => {
  if (isRebased) return false
  const margin = before.at(-2)
  return oldest === null || oldest.seq === 1 || (margin !== undefined && oldest.place <= margin.feedPosition)
}

const line = (...parts: readonly Json[]): string => `${sortedText(parts)}\n`

/** How many heads it covers; undefined when one of them is lost. */
const coverHeads = async (
  inspector: Inspector,
  hash: Hash,
  place: number,
  slice: number,
): Promise<number | undefined> => {
  let heads = 0
  for (let after: Position = []; ; ) {
    const rows = await inspector.headsAt(place, after, slice)
    for (const { namespace, tenant, id, link, isLost } of rows) {
      if (isLost) return undefined
      if (link === null) continue
      hash.update(line(namespace, tenant, id, `${link.number} ${link.hash}`))
      heads += 1
    }
    const last = rows.at(-1)
    if (last === undefined || rows.length < slice) return heads
    after = [last.namespace, last.tenant, last.id]
  }
}

const coverFeed = async (
  inspector: Inspector,
  hash: Hash,
  from: number,
  upto: number,
  slice: number,
): Promise<void> => {
  for (let after: Position = []; ; ) {
    const rows = await inspector.feed(from, upto, after, slice)
    // What cannot be read is not what was covered.
    for (const { seq, namespace, tenant, execution, type, time, data } of rows)
      hash.update('unreadable' in data ? '' : line(seq, namespace, tenant, execution, type, time, data))
    const last = rows.at(-1)
    if (last === undefined || rows.length < slice) return
    after = last.at
  }
}

/** `before`: the checkpoints it follows, as far as they are known, the one before it last. */
export const computeAgain = async (
  inspector: Inspector,
  row: CheckpointRow,
  before: readonly CheckpointRow[],
  slice: number,
): Promise<Covered> => {
  const last = before.at(-1)
  const hash = createHash('sha256').update(`${last?.hash ?? ''}\n`)
  const heads = await coverHeads(inspector, hash, row.feedPosition, slice)
  await coverFeed(inspector, hash, last?.feedPosition ?? 0, row.feedPosition, slice)
  // Asked last: what retention takes meanwhile is excused, not told.
  if (heads === undefined || !isKept(await inspector.coverage(), before)) return 'unknown'
  return hash.digest('hex') === row.hash && heads === row.heads ? 'same' : 'differs'
}
