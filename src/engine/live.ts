// Owns what this process knows of the others: which are alive, what they run and what they can decide. Each says so now
// and then; a memory of a few seconds is enough, because nothing but explanations and rolling deploys depend on it.

import type { WorkerRow, Workers } from '../store/workers.ts'
import type { Clock } from './clock.ts'

export interface Live {
  readonly beat: () => Promise<void>
  readonly leave: () => Promise<void>
  readonly workersFor: (type: string) => Promise<readonly string[]>
  /** Does a live process know this version? */
  readonly knows: (definition: string, hash: string) => Promise<boolean>
  readonly all: () => Promise<readonly WorkerRow[]>
}

const FRESH_MS = 5000
/** Three missed beats. */
const ALIVE_MS = 30_000

export const nameOf = (definition: string, hash: string): string => `${definition}@${hash}`

export const createLive = (workers: Workers, self: () => Omit<WorkerRow, 'seenAt'>, clock: Clock): Live => {
  let known: readonly WorkerRow[] = []
  let readAt = Number.NEGATIVE_INFINITY
  const all = async (): Promise<readonly WorkerRow[]> => {
    if (clock.monotonic() - readAt < FRESH_MS) return known
    known = await workers.list(ALIVE_MS)
    readAt = clock.monotonic()
    return known
  }
  return {
    beat: async () => {
      await workers.beat(self())
      readAt = Number.NEGATIVE_INFINITY
    },
    leave: () => workers.remove(self().id),
    workersFor: async (type) => (await all()).filter(({ types }) => types.includes(type)).map(({ id }) => id),
    knows: async (definition, hash) => {
      const isKnown = ({ definitions }: WorkerRow): boolean => definitions.includes(nameOf(definition, hash))
      if ((await all()).some(isKnown)) return true
      // Executions are moved back on a no (D1): a process that has just begun must not be overlooked.
      readAt = Number.NEGATIVE_INFINITY
      return (await all()).some(isKnown)
    },
    all,
  }
}
