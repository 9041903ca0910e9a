// Owns putting the ports of the HTTP door together over SQLite.

import type { Cursors } from '../cursor.ts'
import type { Office } from '../office.ts'
import { createAgenda } from './agenda.ts'
import { createAudit } from './audit.ts'
import type { Connection } from './connection.ts'
import { createIdempotency } from './idempotency.ts'
import { createKeys } from './keys.ts'
import type { Writer } from './writer.ts'

export const createOffice = (connection: Connection, writer: Writer, cursors: Cursors): Office => ({
  keys: createKeys(connection, writer),
  audit: createAudit(connection, writer, cursors),
  idempotency: createIdempotency(connection, writer),
  agenda: createAgenda(connection, writer, cursors),
})
