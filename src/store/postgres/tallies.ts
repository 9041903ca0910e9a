// Owns what commits of many tenants count. Row by row it would be hundreds of counters for two hundred actions, a fifth of
// what the server does for them; so it is one row (pawl.tallies), and rows of many commits are added to the counters together.
// T1  A count is on a tally or in the counters, never on both: one statement takes it from the one and adds it to the other. Whoever
//     reads counts reads both in one statement.
// T2  No commit waits for a fold: what it adds to is its own, and of tallies it takes only those that are committed.
// T3  A fold that fails leaves all as it was. What nobody folds, of a process that died too, goes with the chores (prune.ts).

import type { Count } from './draft.ts'
import { ROOM } from './receipts.ts'

/** In which way so much is counted. A few, where they find no place on a receipt, are added at once. */
export const countingOf = (counted: readonly Count[]): 'bumpCounters' | 'insertTally' =>
  counted.length > ROOM ? 'insertTally' : 'bumpCounters'

/** The more at once, the fewer counters for each; but whoever reads counts reads as many. */
const MANY = 32
/** More than one process leaves: a fold that failed is made up for. */
export const MOST_AT_ONCE = 2 * MANY

export interface Tallies {
  /** This process has committed that, or will. */
  readonly wrote: (news: readonly { readonly isTallied: boolean }[]) => void
  /** Waits for what is under way. */
  readonly close: () => Promise<void>
}

const ignore = (): void => undefined

export const createTallies = (fold: (limit: number) => Promise<unknown>): Tallies => {
  let unfolded = 0
  let folding: Promise<void> | undefined
  return {
    wrote: (news) => {
      for (const { isTallied } of news) unfolded += isTallied ? 1 : 0
      if (unfolded < MANY || folding !== undefined) return
      unfolded = 0
      folding = fold(MOST_AT_ONCE)
        .then(ignore, ignore)
        .finally(() => {
          folding = undefined
        })
    },
    close: async () => folding,
  }
}
