// Owns the rows of the sandbox's outbox over SQLite.

import type { Cursors } from '../cursor.ts'
import { narrow, type Position } from '../narrow.ts'
import type { OutboxQuery, OutboxRow, OutboxStore } from '../outbox.ts'
import type { Connection } from './connection.ts'
import { seal, unseal } from './sealed.ts'
import type { Writer } from './writer.ts'

interface OutboxRecord extends Position {
  readonly type: string
  readonly action: string | null
  readonly entry: string
}

const toRow = ({ id, at, type, action, entry }: OutboxRecord): OutboxRow => ({
  id,
  at,
  type,
  ...(action !== null && { action }),
  ...unseal<Pick<OutboxRow, 'key' | 'content' | 'latencyMs'>>(entry, `the entry ${id} of the outbox`),
})

const fits = (row: OutboxRecord, { type, action }: OutboxQuery): boolean =>
  (type === undefined || row.type === type) && (action === undefined || row.action === action)

export const createOutboxStore = ({ sql }: Connection, writer: Writer, cursors: Cursors): OutboxStore => ({
  put: async ({ namespace, tenant }, { id, at, type, action = null, ...rest }) => {
    const columns = { namespace, tenant, id, at, type, action, entry: seal(rest) }
    await writer.run(1, () => sql.putOutbox.run(columns))
  },
  get: ({ namespace, tenant }, id) =>
    writer.read(() => {
      const row = sql.findOutbox.get<OutboxRecord>({ namespace, tenant, id })
      return row && toRow(row)
    }),
  list: ({ namespace, tenant }, query, page) =>
    narrow(
      {
        query: ['outbox', namespace, tenant, { ...query }],
        cursors,
        fetch: ({ at, id }, limit) =>
          writer.read(() => sql.recentOutbox.all<OutboxRecord>({ namespace, tenant, at, id, limit })),
        fits: (row) => fits(row, query),
        read: toRow,
      },
      page,
    ),
})
