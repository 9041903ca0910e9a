// Owns what is known of the lanes at a glance: which have queued rows, since when, how many are due, and whether a pause
// closes them.

import type { Head, Tenancy } from '../store.ts'
import type { Statements } from './statements.ts'

/** Rows of a lane that are counted at most: more than one claim takes. */
const BOUND = 200
/** And of all lanes together, about: with a thousand of them a look would take as long as a thousand claims. */
const BOUND_OF_ALL = 20_000
/** Whatever there is, enough to tell a lane that has more from one that is almost empty. */
const LEAST = 10

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

export const createHeads = (sql: Statements): ((now: number) => readonly Head[]) => {
  let bound = BOUND
  return (now) => {
    const pauses = sql.lanePauses.all<PauseRecord>()
    const rows = sql.heads.all<HeadRecord>({ now, bound })
    // How many lanes there are is known afterwards, and hardly changes from one look to the next.
    bound = Math.max(LEAST, Math.min(BOUND, Math.floor(BOUND_OF_ALL / Math.max(1, rows.length))))
    return rows.map((row) => ({
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
}
