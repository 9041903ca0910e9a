// Owns what this process remembers of executions it has just moved, so that the next event need not read them again. A
// stale memory costs a conflict and a read, never a wrong decision: every commit names the revision it was made on.
// Whether events wait is not remembered: others put them there.

import type { ExecutionRef, StoredExecution } from '../store/store.ts'

export interface ExecutionCache {
  readonly get: (ref: ExecutionRef) => StoredExecution | undefined
  readonly set: (loaded: StoredExecution) => void
  readonly drop: (ref: ExecutionRef) => void
}

const MAX_KEPT = 1000

/** A NUL is in none of them (ids.ts). */
export const keyOf = ({ namespace, tenant, id }: ExecutionRef): string =>
  `${namespace}\u0000${tenant}\u0000${id}`

export const createExecutionCache = (max = MAX_KEPT): ExecutionCache => {
  const kept = new Map<string, StoredExecution>()
  return {
    get: (ref) => kept.get(keyOf(ref)),
    set: (loaded) => {
      const key = keyOf(loaded.execution)
      kept.delete(key)
      kept.set(key, loaded)
      if (kept.size > max) kept.delete(kept.keys().next().value!)
    },
    drop: (ref) => void kept.delete(keyOf(ref)),
  }
}
