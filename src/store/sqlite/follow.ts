// Owns running what was dictated (dictation.ts), on a connection of its own: one transaction, held to what was foreseen, or undone.
// Whoever is told that it was written is told so when the disk has it.

import { fdatasyncSync } from 'node:fs'
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { type Script, statementAt } from './dictation.ts'
import { createLookout, NO_PARTNER } from './others.ts'
import type { Asked, Said } from './scribe.ts'
import { prepareStatements } from './statements.ts'
import { tune } from './tuning.ts'
import { createDescriptor } from './wal.ts'

export interface Follower {
  readonly follow: (asked: Asked) => Said
  readonly close: () => void
}

/** Every statement as it was dictated; throws when one changes other rows than it was to. */
const createRun = (db: DatabaseSync): ((script: Script) => void) => {
  const prepared: { readonly statement: StatementSync; readonly count: number }[] = []
  const prepare = (index: number) => {
    const { text, count } = statementAt(index)
    const one = { statement: db.prepare(text), count }
    prepared[index] = one
    return one
  }
  return (script) => {
    for (let at = 0; at < script.length; ) {
      const index = script[at] as number
      const { statement, count } = prepared[index] ?? prepare(index)
      const end = at + 2 + count
      const { changes } = statement.run(...script.slice(at + 2, end))
      if (Number(changes) !== script[at + 1]) throw new Error('a row is not as it was known')
      at = end
    }
  }
}

/** What whoever dictates takes for granted. */
interface Known {
  readonly epoch: string
  readonly full: string | null
  readonly paused: number
}

/** Throws when the store is another than whoever dictated knew. */
const createGuard = (db: DatabaseSync): ((epoch: string) => void) => {
  const { scribeGuard } = prepareStatements(db)
  return (epoch) => {
    const found = scribeGuard.get<Known>()
    if (found?.epoch !== epoch || found.full === '1' || found.paused === 1)
      throw new Error('the store has changed')
  }
}

export const createFollower = (db: DatabaseSync): Follower => {
  tune(db)
  const lookout = createLookout(db, NO_PARTNER)
  const assertForeseen = createGuard(db)
  const run = createRun(db)
  const wal = createDescriptor(`${db.location()}-wal`)

  const write = ({ epoch, script }: Asked): Said => {
    // Whatever is written can be waited for.
    wal.get()
    db.exec('begin immediate')
    let haveOthersWritten = false
    try {
      haveOthersWritten = lookout() === 'others'
      assertForeseen(epoch)
      run(script)
      db.exec('commit')
      return { haveOthersWritten }
    } catch (error) {
      if (db.isTransaction) db.exec('rollback')
      return { undone: String(error), ...(haveOthersWritten && { haveOthersWritten }) }
    }
  }
  const attempt = (asked: Asked): Said => {
    try {
      return write(asked)
    } catch (error) {
      return { undone: String(error) }
    }
  }
  return {
    follow: (asked) => {
      const said = attempt(asked)
      if ('undone' in said) return said
      try {
        fdatasyncSync(wal.get())
        return said
      } catch (error) {
        return { lost: String(error) }
      }
    },
    close: () => {
      wal.close()
      db.close()
    },
  }
}
