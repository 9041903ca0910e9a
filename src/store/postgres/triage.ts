// Owns the port for triage over PostgreSQL: operations and alerts, and the searches for the actions they are about.

import type { Cursors } from '../cursor.ts'
import type { ActionRow } from '../reader.ts'
import type { Found, TimePlace, Triage } from '../triage.ts'
import { readPage } from '../unreadable.ts'
import { createAlerts } from './alerts.ts'
import { createBulks } from './bulk.ts'
import type { Connections } from './connections.ts'
import type { Patience } from './patience.ts'
import { type ActionRecord, toAction } from './rows.ts'
import { repeatable } from './store.ts'

const found = <Place>(
  rows: readonly ActionRecord[],
  placeOf: (row: ActionRecord) => Place,
): Found<ActionRow> & { readonly last?: Place } => {
  const { data, unreadable = [] } = readPage(rows, toAction)
  const last = rows.at(-1)
  return { rows: data, unreadable, ...(last && { last: placeOf(last) }) }
}

const deathOf = ({ finished_at, id }: ActionRecord): TimePlace => ({ at: finished_at!, id })

export const createTriage = (connections: Connections, patience: Patience, cursors: Cursors): Triage => {
  const sql = repeatable(connections, patience)
  return {
    ...createBulks(sql, cursors),
    ...createAlerts(sql, cursors),
    dead: async ({ namespace, tenant }, group, { fingerprint, id }, limit) => {
      const { rows } =
        group === undefined
          ? await sql.deadAfter<ActionRecord>({ namespace, tenant, fingerprint, id, limit })
          : await sql.deadOfAfter<ActionRecord>({ namespace, tenant, fingerprint: group, id, limit })
      return found(rows, (row) => ({ fingerprint: row.fingerprint!, id: row.id }))
    },
    lanes: async ({ namespace, tenant }) =>
      (await sql.tenantLanes<{ lane: number; type: string }>({ namespace, tenant })).rows,
    queued: async ({ namespace, tenant }, lane, { at, id }, limit) => {
      const { rows } = await sql.queuedAfter<ActionRecord>({ namespace, tenant, lane, due_at: at, id, limit })
      return found(rows, (row) => ({ at: row.due_at, id: row.id }))
    },
    deadBefore: async (before, { at, id }, limit) =>
      found((await sql.deadBefore<ActionRecord>({ before, at, id, limit })).rows, deathOf),
  }
}
