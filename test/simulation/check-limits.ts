// Holds what limits promise: in no window do more begin than its rate says, no more places are taken at once than there
// are, nobody begins without one, and a breaker has no more probes under way than it may have. That every hold ends, and
// that a crash gives its places back, is seen by everything coming to rest.

import type { DatabaseSync } from 'node:sqlite'
import type { RunnerContext } from '../../src/runners/runner-context.ts'
import type { Claims } from './check-claims.ts'
import type { Judge } from './judge.ts'
import type { WorldLimits } from './limits.ts'
import { type Rows, unsealed } from './rows.ts'

interface LimitParts {
  readonly db: DatabaseSync
  readonly rows: Rows
  readonly judge: Judge
  readonly claims: Claims
  readonly limits: WorldLimits
  readonly wall: () => number
  readonly monotonic: () => number
}

export interface LimitWatch {
  /** A runner is called, in a process, for an action of a type. */
  readonly begin: (process: string, type: string, ctx: RunnerContext) => void
  /** The wall clock was set: windows begin anew, once those are gone that had their slot before. */
  readonly shifted: () => void
  readonly read: () => void
}

const TAKEN = `select p.tenant, count(*) as taken from limit_places p
  join actions a on a.id = p.action and a.status = 'running' and a.token = p.token group by p.tenant`
const MINE = `select count(*) as mine from limit_places where action = ? and token = ?`
/** Longer than a lease: by then whoever has a slot has begun, or never will. */
const LONGEST_MS = 5000
const SHUT = `select key, state from limits where shut = 1`

export const watchLimits = ({ db, rows, judge, claims, limits, wall, monotonic }: LimitParts): LimitWatch => {
  const { byType, rate, places, breaker } = limits
  const [taken, mine, shut] = [TAKEN, MINE, SHUT].map((text) => db.prepare(text)) as [
    Statement,
    Statement,
    Statement,
  ]
  let begun: readonly number[] = []
  let judgedFrom = 0

  const holdRate = (): void => {
    if (monotonic() < judgedFrom) return
    begun = [...begun.filter((at) => at > wall() - rate.windowMs), wall()]
    judge.hold(begun.length <= rate.count, 'L1', () => `${begun.length} of ${rate.type} began in a window`)
  }
  /** One whose claim is gone by the store's clock, and does not know it, is a duplicate: its place is another's. */
  const holdPlace = (process: string, { actionId, stepKey }: RunnerContext): void => {
    const token = claims.tokens.get(`${process} ${stepKey}`)
    const row = rows.claim(actionId!)
    if (row?.status !== 'running' || row.token !== token) return
    const { mine: count } = mine.get(actionId!, token) as { readonly mine: number }
    judge.hold(count === 1, 'L1', () => `${process} began ${actionId} without a place`)
  }
  return {
    begin: (process, type, ctx) => {
      if (byType === undefined) return
      if (type === rate.type) holdRate()
      if (type === places.type) holdPlace(process, ctx)
    },
    shifted: () => {
      begun = []
      judgedFrom = monotonic() + LONGEST_MS
    },
    read: () => {
      if (byType === undefined) return
      for (const row of taken.all() as unknown as readonly { tenant: string; taken: number }[])
        judge.hold(row.taken <= places.max, 'L1', () => `${row.taken} of ${places.max} places are taken`)
      for (const { key, state } of shut.all() as unknown as readonly { key: string; state: string }[]) {
        const { probes } = unsealed<{ readonly probes: readonly number[] }>(state)
        judge.hold(probes.length <= breaker.probes, 'L1', () => `${key} has ${probes.length} probes`)
      }
    },
  }
}

type Statement = ReturnType<DatabaseSync['prepare']>
