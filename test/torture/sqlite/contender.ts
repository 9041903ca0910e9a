// One of several processes on one file. It opens the store, says `ready`, and after a line on stdin commits as fast as it
// can, says `enough` when it has made as many commits as wanted, and goes on until it is told to stop; then it prints what
// it did. argv: file, name, commits wanted.

import { monitorEventLoopDelay } from 'node:perf_hooks'
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

const delay = monitorEventLoopDelay({ resolution: 1 })
delay.enable()
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
delay.disable()
await store.close()
console.log(JSON.stringify({ name, commits, rows: commits * BATCH, errors, blockedMs: delay.max / 1e6 }))
process.exit()
