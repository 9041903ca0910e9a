// Owns the port to which runners under `provider: 'sandbox'` give what they would have sent, and a memory of it for
// one process; Pawl.open gives a durable one. Entries hold no secrets: a runner leaves out what stood in a marked place.
// O1  Bounded, in entries and in characters; when it is full, the tenant that has most gives up its oldest.

import type { JsonObject } from '../core/json.ts'
import type { RunnerContext } from './runner-context.ts'

export interface OutboxEntry {
  readonly at: number
  readonly namespace: string
  readonly tenant: string
  /** The runner's: `email`. */
  readonly type: string
  readonly actionId?: string
  /** The idempotency key it would have been sent with. */
  readonly key: string
  /** What would have been sent, in the words of the runner's config. */
  readonly content: JsonObject
}

interface Owner {
  readonly namespace: string
  readonly tenant: string
}

export interface Outbox {
  readonly put: (entry: OutboxEntry) => Promise<void>
}

/** What an attempt would have sent. */
export const keepIn = (
  outbox: Outbox,
  ctx: RunnerContext,
  type: string,
  content: JsonObject,
): Promise<void> => {
  const { namespace = 'default', tenant = 'default', idempotencyKey: key, actionId } = ctx
  const at = ctx.now()
  return outbox.put({
    at,
    namespace,
    tenant,
    type,
    ...(actionId !== undefined && { actionId }),
    key,
    content,
  })
}

interface MemoryOutbox extends Outbox {
  /** Oldest first; of one type, when it is named. */
  readonly list: (of: Owner, type?: string) => Promise<readonly OutboxEntry[]>
}

const MAX_CHARACTERS = 16 * 1024 * 1024

interface Kept {
  readonly entry: OutboxEntry
  readonly size: number
}

const nameOf = ({ namespace, tenant }: Owner): string => JSON.stringify([namespace, tenant])
const sizeOf = (kept: readonly Kept[]): number => kept.reduce((sum, { size }) => sum + size, 0)

export const createOutbox = (limit = 1000): MemoryOutbox => {
  const owners = new Map<string, Kept[]>()
  let [entries, characters] = [0, 0]

  const dropOldest = (by: (kept: readonly Kept[]) => number): void => {
    const [name, kept] = [...owners].reduce((most, each) => (by(each[1]) > by(most[1]) ? each : most))
    characters -= kept.shift()!.size
    entries -= 1
    if (kept.length === 0) owners.delete(name)
  }

  return {
    put: async (entry) => {
      const size = JSON.stringify(entry).length
      const name = nameOf(entry)
      const kept = owners.get(name) ?? []
      owners.set(name, kept)
      kept.push({ entry, size })
      entries += 1
      characters += size
      while (entries > limit) dropOldest((each) => each.length)
      while (characters > MAX_CHARACTERS) dropOldest(sizeOf)
    },
    list: async (of, type) =>
      (owners.get(nameOf(of)) ?? [])
        .map(({ entry }) => entry)
        .filter((entry) => type === undefined || entry.type === type),
  }
}
