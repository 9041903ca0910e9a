// Owns the rows of the sandbox's outbox over PostgreSQL.

import type { Cursors } from '../cursor.ts'
import { narrow, type Position } from '../narrow.ts'
import type { OutboxQuery, OutboxRow, OutboxStore } from '../outbox.ts'
import type { Statements } from './statements.ts'

interface OutboxRecord extends Position {
  readonly type: string
  readonly action: string | null
  readonly entry: Pick<OutboxRow, 'key' | 'content' | 'latencyMs'>
}

const toRow = ({ id, at, type, action, entry }: OutboxRecord): OutboxRow => ({
  id,
  at,
  type,
  ...(action !== null && { action }),
  ...entry,
})

const fits = (row: OutboxRecord, { type, action }: OutboxQuery): boolean =>
  (type === undefined || row.type === type) && (action === undefined || row.action === action)

/** Every statement may be repeated: of one id the newer entry stands. */
export const createOutboxStore = (sql: Statements, cursors: Cursors): OutboxStore => ({
  put: async ({ namespace, tenant }, { id, at, type, action = null, ...rest }) => {
    await sql.putOutbox({ namespace, tenant, id, at, type, action, entry: JSON.stringify(rest) })
  },
  get: async ({ namespace, tenant }, id) => {
    const [row] = (await sql.findOutbox<OutboxRecord>({ namespace, tenant, id })).rows
    return row && toRow(row)
  },
  list: ({ namespace, tenant }, query, page) =>
    narrow(
      {
        query: ['outbox', namespace, tenant, { ...query }],
        cursors,
        fetch: async ({ at, id }, limit) =>
          (await sql.recentOutbox<OutboxRecord>({ namespace, tenant, at, id, limit })).rows,
        fits: (row) => fits(row, query),
        read: toRow,
      },
      page,
    ),
})
