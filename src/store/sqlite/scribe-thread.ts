// The thread that writes what is dictated, one thing after the other. What goes wrong with it ends it. workerData: the address of
// the file.

import { parentPort, workerData } from 'node:worker_threads'
import { loadSqlite } from './driver.ts'
import { createFollower } from './follow.ts'
import type { Asked } from './scribe.ts'
import { END } from './thread.ts'

const { DatabaseSync } = await loadSqlite()
const { follow, close } = createFollower(new DatabaseSync(workerData as string))

parentPort!.on('message', (asked: Asked | typeof END) => {
  if (asked !== END) return parentPort!.postMessage(follow(asked))
  close()
  parentPort!.close()
})
