// Owns the audit's rows over SQLite. One writer at a time: the newest entry is still the newest when the next is added.

import { type Chained, type ChainHead, extendChain } from '../../core/history.ts'
import type { JsonObject } from '../../core/json.ts'
import { type Audit, auditStart } from '../audit.ts'
import type { Cursors } from '../cursor.ts'
import type { Connection } from './connection.ts'
import { memberError } from './faults.ts'
import { seal, unseal } from './sealed.ts'
import type { Writer } from './writer.ts'

export interface AuditRecord {
  readonly number: number
  readonly type: string
  readonly at: number
  readonly prev_hash: string
  readonly hash: string
  readonly data: string
}

export const toEntry = (row: AuditRecord): Chained => ({
  number: row.number,
  type: row.type,
  at: row.at,
  data: unseal<JsonObject>(row.data, `entry ${row.number} of the audit`),
  hash: row.hash,
  prevHash: row.prev_hash,
})

export const createAudit = ({ sql }: Connection, writer: Writer, cursors: Cursors): Audit => ({
  append: async (of, entry) => {
    const { namespace, tenant } = of
    const job = (): Chained => {
      const head = sql.auditHead.get<ChainHead>({ namespace, tenant }) ?? auditStart(of)
      const chained = extendChain(head, [entry])[0]!
      const { number, type, at, hash, prevHash: prev_hash } = chained
      const data = seal(chained.data)
      sql.insertAudit.run({ namespace, tenant, number, type, at, prev_hash, hash, data })
      return chained
    }
    return writer.run(1, job).catch((error) => {
      throw memberError(error)
    })
  },
  list: ({ namespace, tenant }, { limit, after }) =>
    writer.read(() => {
      const query = ['audit', namespace, tenant]
      const before = after === undefined ? Number.MAX_SAFE_INTEGER : Number(cursors.read(query, after))
      const rows = sql.listAudit.all<AuditRecord>({ namespace, tenant, before, limit: limit + 1 })
      const data = rows.slice(0, limit).map(toEntry)
      return rows.length > limit ? { data, next: cursors.sign(query, data.at(-1)!.number) } : { data }
    }),
})
