// One of several processes on one file. It opens the store, says `ready`, and after a line on stdin commits as fast as it
// can, says `enough` when it has made as many commits as wanted, and goes on until it is told to stop; then it prints what
// it did. argv: file, name, commits wanted.

import { existsSync, readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { realTimers } from '../../../src/engine/clock.ts'
import { openSqlite } from '../../../src/store/sqlite/open.ts'
import { action, NOW, OF } from '../../sqlite/members.ts'

const BATCH = 20
const [file = '', name = '', wanted = ''] = process.argv.slice(2)
const random = (): string => `${name} ${process.pid}`
const { store } = await openSqlite({ file, random, timers: realTimers, reserveBytes: 0 })
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]()
console.log('ready')
await lines.next()

const TICK_MS = 1
const SCHEDULE = '/proc/thread-self/schedstat'
const isTold = existsSync(SCHEDULE)
/** How long this thread was ready and the machine had no core for it; only Linux tells. */
const queuedMs = (): number => (isTold ? Number(readFileSync(SCHEDULE, 'utf8').split(' ')[1]) / 1e6 : 0)

/** The longest the event loop was held by this process: what other processes took from it is not the store's doing. */
let blockedMs = 0
const begun = { at: performance.now(), queued: queuedMs() }
let last = begun
const ticking = setInterval(() => {
  const now = { at: performance.now(), queued: queuedMs() }
  blockedMs = Math.max(blockedMs, now.at - last.at - (now.queued - last.queued) - TICK_MS)
  last = now
}, TICK_MS)
let isOver = false
void lines.next().then(() => {
  isOver = true
})
let commits = 0
const errors: string[] = []
while (!isOver)
  try {
    const ids = Array.from({ length: BATCH }, (_, index) => `act_${name}_${commits}_${index}`)
    const results = await store.commit(ids.map((id) => ({ ...OF, at: NOW, enqueue: [action(id)] })))
    for (const { status } of results) if (status !== 'ok') errors.push(status)
    commits += 1
    if (commits === Number(wanted)) console.log('enough')
  } catch (error) {
    errors.push(String(error))
  }
clearInterval(ticking)
const servedMs = performance.now() - begun.at - (queuedMs() - begun.queued)
await store.close()
console.log(JSON.stringify({ name, commits, rows: commits * BATCH, errors, blockedMs, servedMs }))
process.exit()
