// Owns the audit's rows over PostgreSQL. A tenant's entries are added one at a time, under a lock of that tenant.

import { type Chained, type ChainHead, extendChain } from '../../core/history.ts'
import { canonical, type JsonObject } from '../../core/json.ts'
import { type Audit, auditStart } from '../audit.ts'
import type { Cursors } from '../cursor.ts'
import type { Connections } from './connections.ts'
import { memberError } from './faults.ts'
import { type Patience, patiently } from './patience.ts'
import { repeatable } from './store.ts'

export interface AuditRecord {
  readonly number: number
  readonly type: string
  readonly at: number
  readonly prev_hash: string
  readonly hash: string
  readonly data: JsonObject
}

export const toEntry = ({ number, type, at, data, hash, prev_hash }: AuditRecord): Chained => ({
  number,
  type,
  at,
  data,
  hash,
  prevHash: prev_hash,
})

export const createAudit = (connections: Connections, patience: Patience, cursors: Cursors): Audit => {
  const sql = repeatable(connections, patience)
  return {
    append: (of, entry) => {
      const { namespace, tenant } = of
      const attempt = (): Promise<Chained> =>
        connections.transact(async ({ sql }) => {
          await sql.lockOffice({ key: canonical(['audit', namespace, tenant]) })
          const head = (await sql.auditHead<ChainHead>({ namespace, tenant })).rows[0] ?? auditStart(of)
          const chained = extendChain(head, [entry])[0]!
          const { number, type, at, hash, prevHash: prev_hash } = chained
          const data = JSON.stringify(chained.data)
          await sql.insertAudit({ namespace, tenant, number, type, at, prev_hash, hash, data })
          return chained
        })
      return patiently(patience, attempt).catch((error) => {
        throw memberError(error)
      })
    },
    list: async ({ namespace, tenant }, { limit, after }) => {
      const query = ['audit', namespace, tenant]
      const before = after === undefined ? Number.MAX_SAFE_INTEGER : Number(cursors.read(query, after))
      const { rows } = await sql.listAudit<AuditRecord>({ namespace, tenant, before, limit: limit + 1 })
      const data = rows.slice(0, limit).map(toEntry)
      return rows.length > limit ? { data, next: cursors.sign(query, data.at(-1)!.number) } : { data }
    },
  }
}
