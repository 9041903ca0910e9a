// Owns what both stores share about watching over recurrences.

import type { Watched } from './keeper.ts'
import type { ExecutionRef, StoredExecution } from './store.ts'
import { readOr } from './unreadable.ts'

/** Its name among what a store knows of itself. */
export const ZONE_RULES = 'zone_rules'

export const toWatched = (
  { namespace, tenant, id, due_at }: ExecutionRef & { readonly due_at: number | null },
  read: () => StoredExecution,
): Watched => ({
  namespace,
  tenant,
  id,
  dueAt: due_at,
  ...readOr(
    () => ({ stored: read() }),
    () => ({}),
  ),
})
