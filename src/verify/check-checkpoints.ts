// Owns the line of checkpoints: numbered without a gap, never going back in the feed, each with a hash of its own; and of
// the newest ones, that the store still comes to the same hash.

import type { CheckpointRow, Inspector } from '../store/inspect.ts'
import { computeAgain } from './covered.ts'
import { type Broken, type Finding, judged } from './finding.ts'

/** A checkpoint and those it follows, the one before it last. */
export interface Numbered {
  readonly row: CheckpointRow
  readonly before: readonly CheckpointRow[]
}

export interface CheckpointLimits {
  /** How many of the newest are computed again: each takes a look at every execution. */
  readonly checkpoints: number
  readonly slice: number
}

const problemOf = (row: CheckpointRow, before: CheckpointRow | undefined): string | undefined => {
  if (!/^[0-9a-f]{64}$/.test(row.hash)) return 'its hash is no hash'
  if (row.heads < 0) return 'it covers less than nothing'
  if (row.number !== (before?.number ?? 0) + 1) return `it follows number ${before?.number ?? 0}`
  if (before === undefined) return undefined
  if (row.feedPosition < before.feedPosition) return 'it stands before the one it follows'
  return row.hash === before.hash ? 'it has the hash of the one before it' : undefined
}

const differs = ({ number, heads, hash, feedPosition }: CheckpointRow): Broken => ({
  invariant: 'checkpoint',
  rule: 'differs',
  where: { checkpoint: number },
  text: `checkpoint ${number} covers another history than there is: a chain, an event or the checkpoint was changed since`,
  expected: `the hash ${hash.slice(0, 12)} over ${heads} chains, at ${feedPosition}`,
  found: 'another hash',
})

/** Its places were given anew by a restore: then only numbers and hashes can be compared. */
const isMoved = async (inspector: Inspector): Promise<boolean> => (await inspector.coverage()).isRebased

export const createCheckpointCheck =
  (inspector: Inspector, limits: CheckpointLimits, onUnchecked: (what: string) => void) =>
  async ({ row, before }: Numbered): Promise<readonly Finding[]> => {
    const problem = problemOf(row, before.at(-1))
    if (problem !== undefined && !(problem.startsWith('it stands') && (await isMoved(inspector))))
      return judged({
        invariant: 'checkpoint',
        rule: 'does_not_follow',
        where: { checkpoint: row.number },
        text: `checkpoint ${row.number} does not follow from the one before it: ${problem}`,
        expected: 'the next number, at the same place of the feed or a later one',
        found: `number ${row.number} at ${row.feedPosition}`,
      })
    const { newest } = await inspector.coverage()
    if (row.number <= (newest ?? 0) - limits.checkpoints) return []
    const covered = await computeAgain(inspector, row, before, limits.slice)
    if (covered === 'unknown')
      onUnchecked(
        `checkpoint ${row.number}: events it covers were removed by retention, or moved by a restore`,
      )
    return judged(covered === 'differs' && differs(row))
  }
