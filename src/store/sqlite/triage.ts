// Owns the port for triage over SQLite: operations and alerts, and the searches for the actions they are about.

import type { Cursors } from '../cursor.ts'
import type { ActionRow } from '../reader.ts'
import type { Found, TimePlace, Triage } from '../triage.ts'
import { readPage } from '../unreadable.ts'
import { createAlerts } from './alerts.ts'
import { createBulks } from './bulk.ts'
import type { Connection } from './connection.ts'
import { type ActionRecord, toAction } from './rows.ts'
import type { Writer } from './writer.ts'

const found = <Place>(
  rows: readonly ActionRecord[],
  placeOf: (row: ActionRecord) => Place,
): Found<ActionRow> & { readonly last?: Place } => {
  const { data, unreadable = [] } = readPage(rows, toAction)
  const last = rows.at(-1)
  return { rows: data, unreadable, ...(last && { last: placeOf(last) }) }
}

const deathOf = ({ finished_at, id }: ActionRecord): TimePlace => ({ at: finished_at!, id })

export const createTriage = (connection: Connection, writer: Writer, cursors: Cursors): Triage => {
  const { sql } = connection
  return {
    ...createBulks(connection, writer, cursors),
    ...createAlerts(connection, writer, cursors),
    dead: ({ namespace, tenant }, group, after, limit) =>
      writer.read(() => {
        const rows =
          group === undefined
            ? sql.deadAfter.all<ActionRecord>({ namespace, tenant, ...after, limit })
            : sql.deadOfAfter.all<ActionRecord>({
                namespace,
                tenant,
                fingerprint: group,
                id: after.id,
                limit,
              })
        return found(rows, ({ fingerprint, id }) => ({ fingerprint: fingerprint!, id }))
      }),
    lanes: ({ namespace, tenant }) =>
      writer.read(() => sql.tenantLanes.all<{ lane: number; type: string }>({ namespace, tenant })),
    queued: ({ namespace, tenant }, lane, { at, id }, limit) =>
      writer.read(() => {
        const rows = sql.queuedAfter.all<ActionRecord>({ namespace, tenant, lane, due_at: at, id, limit })
        return found(rows, (row) => ({ at: row.due_at, id: row.id }))
      }),
    deadBefore: (before, { at, id }, limit) =>
      writer.read(() => found(sql.deadBefore.all<ActionRecord>({ before, at, id, limit }), deathOf)),
  }
}
