// Owns what this process remembers of executions it has just moved, so that the next event need not read them again. A
// stale memory costs a conflict and a read, never a wrong decision: every commit names the revision it was made on.
// Whether events wait is not remembered: others put them there. What has ended is not either: hardly anything comes for it.

import { hasEnded } from '../core/execution.ts'
import { executionKey } from '../store/execution-key.ts'
import type { ExecutionRef, StoredExecution } from '../store/store.ts'
import { createPigeonholes } from './pigeonholes.ts'

export interface ExecutionCache {
  readonly get: (ref: ExecutionRef) => StoredExecution | undefined
  readonly set: (loaded: StoredExecution) => void
  readonly drop: (ref: ExecutionRef) => void
}

const MAX_KEPT = 1000

export const keyOf = ({ namespace, tenant, id }: ExecutionRef): string => executionKey(namespace, tenant, id)

export const createExecutionCache = (max = MAX_KEPT): ExecutionCache => {
  const kept = createPigeonholes<StoredExecution>()
  return {
    get: (ref) => kept.get(keyOf(ref)),
    set: (loaded) => {
      const key = keyOf(loaded.execution)
      kept.delete(key)
      if (hasEnded(loaded.execution)) return
      kept.set(key, loaded)
      if (kept.size() > max) kept.delete(kept.oldest()!)
    },
    drop: (ref) => kept.delete(keyOf(ref)),
  }
}
