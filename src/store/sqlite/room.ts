// Owns giving room back: pruned pages go back to the disk, a slice at a time, and a reserve that was given up is taken
// back when there is room for it again.

import { type Ballast, pragmaNumber } from './ballast.ts'
import type { Connection } from './connection.ts'
import type { Writer } from './writer.ts'

export interface RoomParts {
  readonly connection: Connection
  readonly writer: Writer
  readonly ballast: Ballast
}

/** Pages given back at once: about 10 ms of writing. */
const SLICE_PAGES = 500
/** Free pages that are kept for what comes next: giving back what is taken again tomorrow is work for nothing. */
const KEPT_PAGES = 4096

const shrink = async ({ connection, writer, ballast }: RoomParts): Promise<void> => {
  const { db } = connection
  const spare = pragmaNumber(db, 'freelist_count') - (ballast.isFull() ? 0 : KEPT_PAGES)
  if (spare > 0)
    await writer.run(SLICE_PAGES, () => db.exec(`pragma incremental_vacuum(${Math.min(spare, SLICE_PAGES)})`))
}

/** After a slice of pruning, and now and then on a full disk. What cannot be done now is done with the next call. */
export const makeRoom = async (parts: RoomParts): Promise<void> => {
  const { connection, writer, ballast } = parts
  try {
    await shrink(parts)
    if (!ballast.isFull()) return
    // The file gets shorter with the checkpoint, not with the commit.
    await writer.glance(() => connection.db.exec('pragma wal_checkpoint(truncate)'))
    if (ballast.hasRoom()) await writer.run(1, () => ballast.restore())
  } catch {
    ballast.hear(true)
  }
}
