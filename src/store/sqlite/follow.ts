// Owns running what was dictated (dictation.ts), on a connection of its own: one transaction, held to what was foreseen, or undone.
// Whoever is told that it was written is told so when the disk has it.

import { fdatasyncSync } from 'node:fs'
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { type Passage, type Script, statementAt } from './dictation.ts'
import { partsOf, preparing } from './many.ts'
import { createLookout, NO_PARTNER } from './others.ts'
import type { Asked, Said } from './scribe.ts'
import { prepareStatements } from './statements.ts'
import { tune } from './tuning.ts'
import { createDescriptor } from './wal.ts'

export interface Follower {
  readonly follow: (asked: Asked) => Said
  readonly close: () => void
}

const createPrepared = (db: DatabaseSync, index: number) => {
  const { text, count, isListed } = statementAt(index)
  return { count, isListed, of: preparing(db, text) }
}

const assertChanged = (statement: StatementSync, values: Passage, rows: number): void => {
  if (Number(statement.run(...values).changes) !== rows) throw new Error('a row is not as it was known')
}

/** Every statement as it was dictated; throws when one changes other rows than it was to. */
const createRun = (db: DatabaseSync): ((script: Script) => void) => {
  const prepared: ReturnType<typeof createPrepared>[] = []
  const run = (passage: Passage): void => {
    for (let at = 0; at < passage.length; ) {
      const index = passage[at] as number
      prepared[index] ??= createPrepared(db, index)
      const { of, count, isListed } = prepared[index]
      const rows = passage[at + 1] as number
      at += 2
      if (!isListed) {
        assertChanged(of(1), passage.slice(at, at + count), rows)
        at += count
      } else
        for (const some of partsOf(rows)) {
          assertChanged(of(some), passage.slice(at, at + some * count), some)
          at += some * count
        }
    }
  }
  return (script) => {
    for (const passage of script) run(passage)
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
