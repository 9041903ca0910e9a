// Owns the lanes this process knows. They are interned before a commit and outside of it, and never removed, so that a
// known one stays right until the epoch changes.

import type { Member, Tenancy } from '../store.ts'
import { laneType } from './actions.ts'
import { keyOf } from './draft.ts'
import { newActionsOf } from './needs.ts'
import type { Statements } from './statements.ts'

export interface Lanes {
  /** Makes sure that every lane a batch needs is known. */
  readonly intern: (batch: readonly Member[]) => Promise<void>
  readonly laneOf: (of: Tenancy, type: string, priority: number) => number
  /** Of which epoch they are, once that was heard. */
  readonly epoch: () => string | undefined
  /** False when the store began a new epoch: what was known of the old one is forgotten. */
  readonly isOf: (epoch: string) => boolean
}

interface LaneRecord extends Tenancy {
  readonly lane: number
  readonly type: string
  readonly priority: number
}

const textOf = ({ namespace, tenant, type, priority }: Omit<LaneRecord, 'lane'>): string =>
  keyOf(namespace, tenant, type, priority)

/** The lanes of a batch that are not known, each once. Most actions have that of the one before. */
const missingIn = (
  batch: readonly Member[],
  known: ReadonlyMap<string, number>,
): ReadonlyMap<string, Omit<LaneRecord, 'lane'>> => {
  const missing = new Map<string, Omit<LaneRecord, 'lane'>>()
  let last: Omit<LaneRecord, 'lane'> | undefined
  for (const member of batch)
    for (const action of newActionsOf(member)) {
      const { namespace, tenant } = member
      const [type, { priority }] = [laneType(action), action.plan]
      if (
        last?.type === type &&
        last.priority === priority &&
        last.tenant === tenant &&
        last.namespace === namespace
      )
        continue
      last = { namespace, tenant, type, priority }
      const text = textOf(last)
      if (!known.has(text)) missing.set(text, last)
    }
  return missing
}

export const createLanes = (sql: Statements): Lanes => {
  const known = new Map<string, number>()
  let current: string | undefined
  /** Mostly the one that was asked for before is asked for again. */
  let last: LaneRecord | undefined

  const find = async (wanted: readonly Omit<LaneRecord, 'lane'>[]) => {
    const args = {
      namespaces: wanted.map(({ namespace }) => namespace),
      tenants: wanted.map(({ tenant }) => tenant),
      types: wanted.map(({ type }) => type),
      priorities: wanted.map(({ priority }) => priority),
    }
    const learn = async (): Promise<void> => {
      const { rows } = await sql.findLanes<LaneRecord>(args)
      for (const row of rows) known.set(textOf(row), row.lane)
    }
    await learn()
    if (wanted.every((lane) => known.has(textOf(lane)))) return
    await sql.insertLanes(args)
    await learn()
  }
  const intern: Lanes['intern'] = async (batch) => {
    const missing = missingIn(batch, known)
    if (missing.size === 0) return
    // In one order for all: two batches that intern the same lanes from opposite ends would wait for each other.
    await find([...missing].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, lane]) => lane))
  }
  return {
    intern,
    laneOf: ({ namespace, tenant }, type, priority) => {
      const isSame = last?.type === type && last.priority === priority
      if (isSame && last?.tenant === tenant && last.namespace === namespace) return last.lane
      const lane = known.get(keyOf(namespace, tenant, type, priority))
      // Another epoch began since it was interned: it is not remembered that there is none.
      if (lane !== undefined) last = { namespace, tenant, type, priority, lane }
      return lane!
    },
    epoch: () => current,
    isOf: (epoch) => {
      const isSame = current === undefined || current === epoch
      if (!isSame) {
        known.clear()
        last = undefined
      }
      current = epoch
      return isSame
    },
  }
}
