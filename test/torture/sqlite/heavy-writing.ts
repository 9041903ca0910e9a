// Owns writing so much that the WAL of a file is to be copied. It says on stdout what it was told is written, a line for each commit
// that returned, and what it was warned of. Then it dies, so many commits after the copying began; or, where it is told no
// number, it writes until the WAL has begun anew twice, says so, and ends by itself without closing anything, as it does when
// it is warned.

import { writeSync } from 'node:fs'
import { realTimers } from '../../../src/engine/clock.ts'
import { openSqlite } from '../../../src/store/sqlite/open.ts'
import { createExtent } from '../../../src/store/sqlite/rounds.ts'
import { action, NOW, OF } from '../../sqlite/members.ts'

const BATCH = 50
/** When the copying begins. */
const ENOUGH = 8000

const say = (what: string): number => writeSync(1, `${what}\n`)

/** argv: file, round, commits or nothing. */
export const writeHeavily = async ([file = '', round = '', commits]: readonly string[]): Promise<void> => {
  let isWarned = false
  const { store, connection } = await openSqlite({
    file,
    random: () => `${round} ${process.pid}`,
    timers: realTimers,
    reserveBytes: 0,
    integrity: 'quick',
    onWarning: (message) => {
      isWarned = true
      say(`warning ${message}`)
    },
  })
  const extent = createExtent(connection)
  // What begins anew then does so by the thread.
  if (commits === undefined) connection.exec('pragma wal_autocheckpoint = 0')
  const text = 'x'.repeat(4000)

  let last = 0
  let begun = 0
  const isToGoOn = (left: number): boolean => (commits === undefined ? begun < 2 && !isWarned : left >= 0)
  for (let n = 0, left = Number(commits); isToGoOn(left); n++) {
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
  if (commits !== undefined) process.kill(process.pid, 'SIGKILL')
  if (begun === 2) say('anew')
}
