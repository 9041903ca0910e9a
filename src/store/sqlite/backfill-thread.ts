// The thread that copies a WAL into its file, on a connection of its own. It does what it is asked, one thing after the other,
// and says what came of it; what goes wrong ends it. workerData: the address of the file.

import { parentPort, workerData } from 'node:worker_threads'
import type { Asked, Said } from './backfiller.ts'
import { loadSqlite } from './driver.ts'
import { createRounds } from './rounds.ts'
import { END } from './thread.ts'

const { DatabaseSync } = await loadSqlite()
const db = new DatabaseSync(workerData as string)
// As the store's own connection has it: both waits for the disk are made (rounds.ts).
db.exec('pragma busy_timeout = 0; pragma trusted_schema = off; pragma synchronous = normal')
const rounds = createRounds(db)

const attempt = (asked: Asked): Said => {
  try {
    return { copied: rounds[asked]() }
  } catch (error) {
    const { message, errcode } = error as { readonly message: string; readonly errcode?: number }
    return { failed: message, code: errcode ?? 0 }
  }
}

parentPort!.on('message', (asked: Asked | typeof END) => {
  if (asked !== END) return parentPort!.postMessage(attempt(asked))
  db.close()
  parentPort!.close()
})
