// Owns the one name an execution has within a process, whoever keeps something by it. A step asks for it a dozen times, and
// between them others ask for theirs: the same text given again is found in a Map by where it is, a new one only by hashing
// and comparing all of it.

import type { ExecutionRef } from './store.ts'

interface Named extends ExecutionRef {
  readonly key: string
}

/** More than are under way at once. Then all are forgotten: a name is the same whenever it is made. */
const MANY = 2048
const names = new Map<string, Named>()

/** A NUL is in none of them (engine/ids.ts). */
export const executionKey = (namespace: string, tenant: string, id: string): string => {
  const known = names.get(id)
  if (known?.tenant === tenant && known.namespace === namespace) return known.key
  if (names.size >= MANY) names.clear()
  const key = `${namespace}\u0000${tenant}\u0000${id}`
  names.set(id, { namespace, tenant, id, key })
  return key
}
