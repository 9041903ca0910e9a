// A process that writes so much that a thread copies its WAL. It says on stdout what it was told is written, a line for each commit
// that returned. Then it dies, so many commits after the copying began; or, where it is told no number, it writes until the WAL
// has begun anew twice, says so, and ends by itself without closing anything. argv: file, round, commits or nothing.

import { writeSync } from 'node:fs'
import { realTimers } from '../../../src/engine/clock.ts'
import { openSqlite } from '../../../src/store/sqlite/open.ts'
import { createExtent } from '../../../src/store/sqlite/rounds.ts'
import { action, NOW, OF } from '../../sqlite/members.ts'

const BATCH = 50
/** When the copying begins. */
const ENOUGH = 8000
const [file = '', round = '', commits] = process.argv.slice(2)
const say = (what: string): number => writeSync(1, `${what}\n`)
const { store, connection } = await openSqlite({
  file,
  random: () => `${round} ${process.pid}`,
  timers: realTimers,
  reserveBytes: 0,
  integrity: 'quick',
  onWarning: (message) => say(`warning ${message}`),
})
const extent = createExtent(connection)
// What begins anew then does so by the thread.
if (commits === undefined) connection.exec('pragma wal_autocheckpoint = 0')
const text = 'x'.repeat(4000)

let last = 0
let begun = 0
for (let n = 0, left = Number(commits); commits === undefined ? begun < 2 : left >= 0; n++) {
  const ids = Array.from({ length: BATCH }, (_, index) => `act_${round}_${n}_${index}`)
  const members = ids.map((id) => ({ ...OF, at: NOW, enqueue: [action(id, { config: { text } })] }))
  const results = await store.commit(members)
  for (const { status } of results) if (status !== 'ok') throw new Error(status)
  say(`written act_${round}_${n}`)
  const { written } = extent()
  if (written < last) begun += 1
  last = written
  // By the second time there is a thread.
  if (begun > 0 && written >= ENOUGH) left -= 1
}
if (commits === undefined) say('anew')
else process.kill(process.pid, 'SIGKILL')
