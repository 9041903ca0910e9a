// Owns how a connection that writes is set up, on the event loop and beside it.

import type { DatabaseSync } from 'node:sqlite'

/** NORMAL: the wait for the disk is made before anyone is answered (flush.ts). cell_size_check: a damaged page is noticed when read. */
export const tune = (db: DatabaseSync): void => {
  db.exec('pragma busy_timeout = 0; pragma trusted_schema = off; pragma cell_size_check = on')
  db.exec('pragma synchronous = normal; pragma temp_store = memory; pragma cache_size = -8192')
  // 8 MiB: splitting a page borrows the number of one far behind the end, and to be rid of it COMMIT goes through all that is
  // cached. With 64 MiB a step cost a tenth more and an action an eighth; with 4 it was a thousand tenants that cost more, of whom
  // each has pages of its own.
  // 64 MiB of WAL instead of 4: pages that change often are copied into the file a sixteenth as often. It happens inside a COMMIT and
  // waits for the disk there, unless it was done before (backfill.ts).
  db.exec('pragma wal_autocheckpoint = 16000')
}
