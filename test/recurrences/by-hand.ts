// A statement that a case makes itself, past the store: the same text on both, where a table is `pawl.timers` on one.

import type { DatabaseSync } from 'node:sqlite'
import type pg from 'pg'
import type { Bed } from '../engine/bed.ts'

export const byHand = (bed: Bed, text: string): Promise<void> =>
  bed.transact(async (client) => {
    const one = client as DatabaseSync | pg.Client
    if ('exec' in one) one.exec(text.replaceAll('pawl.', ''))
    else await one.query(text)
  })
