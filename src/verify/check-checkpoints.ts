// Owns the line of checkpoints: numbered without a gap, never going back in the feed, each with a hash of its own.

import type { CheckpointRow } from '../store/inspect.ts'
import { type Finding, judged } from './finding.ts'

const problemOf = (row: CheckpointRow, before: CheckpointRow | undefined): string | undefined => {
  if (!/^[0-9a-f]{64}$/.test(row.hash)) return 'its hash is no hash'
  if (row.heads < 0) return 'it covers less than nothing'
  if (row.number !== (before?.number ?? 0) + 1) return `it follows number ${before?.number ?? 0}`
  if (before === undefined) return undefined
  if (row.feedPosition < before.feedPosition) return 'it stands before the one it follows'
  return row.hash === before.hash ? 'it has the hash of the one before it' : undefined
}

export const checkCheckpoint = (
  row: CheckpointRow,
  before: CheckpointRow | undefined,
): readonly Finding[] => {
  const problem = problemOf(row, before)
  return judged(
    problem !== undefined && {
      invariant: 'checkpoint',
      rule: 'does_not_follow',
      where: { checkpoint: row.number },
      text: `checkpoint ${row.number} does not follow from the one before it: ${problem}`,
      expected: 'the next number, at the same place of the feed or a later one',
      found: `number ${row.number} at ${row.feedPosition}`,
    },
  )
}
