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
export const closes = (pause: PauseRecord, lane: Tenancy & { readonly type: string }): boolean =>
  pause.namespace === lane.namespace &&
  pause.tenant === lane.tenant &&
  (pause.scope === 'tenant' ||
    (pause.scope === 'type' && (lane.type === pause.value || lane.type.startsWith(`${pause.value}@`))))

export const readHeads = async (sql: Statements, now: number | undefined): Promise<readonly Head[]> => {
  const [pauses, heads] = await Promise.all([
    sql.lanePauses<PauseRecord>(),
    sql.heads<HeadRecord>({ now: now ?? null, bound: BOUND }),
  ])
  return heads.rows
    .filter((row) => row.due_at !== null)
    .map(({ due_at, ...row }) => ({
      ...row,
      dueAt: due_at,
      paused: pauses.rows.some((pause) => closes(pause, row)),
    }))
}
