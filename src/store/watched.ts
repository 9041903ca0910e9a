// Owns what both stores share about watching over recurrences.

import type { Watched, WatchedPlace } from './keeper.ts'
import type { StoredExecution } from './store.ts'
import { readOr } from './unreadable.ts'

/** Its name among what a store knows of itself. */
export const ZONE_RULES = 'zone_rules'

/** Sorts before every other, newest first. */
export const NEWEST: WatchedPlace = { createdAt: Number.MAX_SAFE_INTEGER, id: '' }

interface WatchedRecord {
  readonly id: string
  readonly created_at: number
  readonly due_at: number | null
}

export const toWatched = (
  { id, created_at, due_at }: WatchedRecord,
  read: () => StoredExecution,
): Watched => ({
  id,
  createdAt: created_at,
  dueAt: due_at,
  ...readOr(
    () => ({ stored: read() }),
    () => ({}),
  ),
})
