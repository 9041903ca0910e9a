// What a case is: a sentence that must hold of every store, and the work that shows it. Cases are data, so that the same
// list runs on each store and none can be left out for one of them.

import { type Bed, makeBed, type Opened } from './bed.ts'
import { checkConserved } from './conserve.ts'

export interface Case {
  readonly name: string
  readonly run: (bed: Bed) => Promise<void>
  /** Retention removes rows here: only what is live is counted afterwards. */
  readonly prunes?: true
  /** Rows are spoilt here: they are counted, and in no list. */
  readonly spoils?: true
}

/** On a new, empty store. After every case the counts must add up and the chains must hold. */
export const runCase = async ({ run, prunes, spoils }: Case, opened: Opened): Promise<void> => {
  await run(makeBed(opened))
  if (spoils === undefined) await checkConserved(opened.reader, prunes === true)
}
