// Owns writing so much at once that a thread is started to write it. It says on stdout how much it was told is written, a line for
// each commit that returned, what it was warned of, and that the thread has written; then it ends by itself, without closing
// anything.

import { writeSync } from 'node:fs'
import { realTimers } from '../../../src/engine/clock.ts'
import { openSqlite } from '../../../src/store/sqlite/open.ts'
import { advance, NOW, OF } from '../../sqlite/members.ts'

/** Each weighs two. */
const BATCH = 60
/** Commits after it was warned, or after the thread has begun to write. */
const MORE = 5

const say = (what: string): number => writeSync(1, `${what}\n`)

/** argv: file. */
export const writeTogether = async ([file = '']: readonly string[]): Promise<void> => {
  let isWarned = false
  const { store } = await openSqlite({
    file,
    random: () => `${process.pid}`,
    timers: realTimers,
    reserveBytes: 0,
    integrity: 'quick',
    onWarning: (message) => {
      isWarned = true
      say(`warning ${message}`)
    },
  })
  /** Two are worth having under way while a thread writes one of them. */
  const isDictating = (): boolean => store.flights() === 2
  for (let n = 0, left = MORE; left > 0; n++) {
    const ids = Array.from({ length: BATCH }, (_, index) => `x_${n}_${index}`)
    const results = await store.commit(ids.map((id) => ({ ...OF, at: NOW, advance: advance(id) })))
    for (const { status } of results) if (status !== 'ok') throw new Error(status)
    say('written')
    if (isWarned || isDictating()) left -= 1
  }
  if (isDictating()) say('dictated')
}
