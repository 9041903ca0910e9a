// Owns what is known of the lanes at a glance: which have queued rows, since when, how many are due, and whether a pause
// closes them.

import type { Head, Tenancy } from '../store.ts'
import type { Statements } from './statements.ts'

/** More than one claim takes. */
const BOUND = 200

interface HeadRecord extends Tenancy {
  readonly lane: number
  readonly type: string
  readonly priority: number
  readonly due_at: number
  readonly due: number
}

interface PauseRecord extends Tenancy {
  readonly scope: string
  readonly value: string
}

/** A type also closes the lanes of those pinned to a runner: `email`, `email@eu`. */
const closes = (pause: PauseRecord, lane: HeadRecord): boolean =>
  pause.namespace === lane.namespace &&
  pause.tenant === lane.tenant &&
  (pause.scope === 'tenant' || lane.type === pause.value || lane.type.startsWith(`${pause.value}@`))

export const readHeads = (sql: Statements, now: number): readonly Head[] => {
  const pauses = sql.lanePauses.all<PauseRecord>()
  return sql.heads.all<HeadRecord>({ now, bound: BOUND }).map((row) => ({
    lane: row.lane,
    namespace: row.namespace,
    tenant: row.tenant,
    type: row.type,
    priority: row.priority,
    dueAt: row.due_at,
    due: row.due,
    paused: pauses.some((pause) => closes(pause, row)),
  }))
}
