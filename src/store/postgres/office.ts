// Owns putting the ports of the HTTP door together over PostgreSQL.

import type { Cursors } from '../cursor.ts'
import type { Office } from '../office.ts'
import { createAgenda } from './agenda.ts'
import { createAudit } from './audit.ts'
import type { Connections } from './connections.ts'
import { createIdempotency } from './idempotency.ts'
import { createKeys } from './keys.ts'
import type { Patience } from './patience.ts'

export const createOffice = (connections: Connections, patience: Patience, cursors: Cursors): Office => ({
  keys: createKeys(connections, patience),
  audit: createAudit(connections, patience, cursors),
  idempotency: createIdempotency(connections, patience),
  agenda: createAgenda(connections, patience, cursors),
})
