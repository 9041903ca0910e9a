// Owns the audit's rows over PostgreSQL. A tenant's entries are added by one at a time, under a lock of that tenant; those of
// a process that come together go together, because each transaction waits for the disk.

import { type Chained, type ChainHead, extendChain } from '../../core/history.ts'
import { canonical, type JsonObject } from '../../core/json.ts'
import { type Audit, auditStart } from '../audit.ts'
import type { Cursors } from '../cursor.ts'
import type { Tenancy } from '../store.ts'
import { columnsOf } from './columns.ts'
import type { Connections } from './connections.ts'
import { faultOf, memberError } from './faults.ts'
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

type Entry = Parameters<Audit['append']>[1]

interface Waiting {
  readonly entry: Entry
  readonly resolve: (chained: Chained) => void
  readonly reject: (error: unknown) => void
}

/** Entries of one transaction at most. */
const MOST = 100

/** All of them after the newest, or none. */
const appending =
  (connections: Connections, patience: Patience) =>
  (of: Tenancy, entries: readonly Entry[]): Promise<readonly Chained[]> => {
    const { namespace, tenant } = of
    const attempt = (): Promise<readonly Chained[]> =>
      connections.transact(async ({ sql }) => {
        await sql.lockOffice({ key: canonical(['audit', namespace, tenant]) })
        const head = (await sql.auditHead<ChainHead>({ namespace, tenant })).rows[0] ?? auditStart(of)
        const chained = extendChain(head, entries)
        const rows = chained.map(({ prevHash: prev_hash, ...entry }) => ({ ...of, ...entry, prev_hash }))
        await sql.insertAudit(columnsOf('insertAudit', rows))
        return chained
      })
    return patiently(patience, attempt)
  }

/** Of one tenant, in the order they came: what comes while some are being added goes together with the next. */
const createQueue = (append: ReturnType<typeof appending>) => {
  const queues = new Map<string, Waiting[]>()
  const add = async (of: Tenancy, group: readonly Waiting[]): Promise<void> => {
    try {
      const chained = await append(
        of,
        group.map(({ entry }) => entry),
      )
      for (const [index, { resolve }] of group.entries()) resolve(chained[index]!)
    } catch (error) {
      // It may be the fault of one of them: the others are not to suffer for it.
      if (group.length > 1 && faultOf(error) === 'member') for (const one of group) await add(of, [one])
      else for (const { reject } of group) reject(memberError(error))
    }
  }
  const drain = async (of: Tenancy, key: string, queue: Waiting[]): Promise<void> => {
    while (queue.length > 0) await add(of, queue.splice(0, MOST))
    queues.delete(key)
  }
  return ({ namespace, tenant }: Tenancy, entry: Entry): Promise<Chained> =>
    new Promise((resolve, reject) => {
      const key = canonical([namespace, tenant])
      const queue = queues.get(key) ?? []
      queue.push({ entry, resolve, reject })
      if (queues.has(key)) return
      queues.set(key, queue)
      void drain({ namespace, tenant }, key, queue)
    })
}

export const createAudit = (connections: Connections, patience: Patience, cursors: Cursors): Audit => {
  const sql = repeatable(connections, patience)
  return {
    append: createQueue(appending(connections, patience)),
    list: async ({ namespace, tenant }, { limit, after }) => {
      const query = ['audit', namespace, tenant]
      const before = after === undefined ? Number.MAX_SAFE_INTEGER : Number(cursors.read(query, after))
      const { rows } = await sql.listAudit<AuditRecord>({ namespace, tenant, before, limit: limit + 1 })
      const data = rows.slice(0, limit).map(toEntry)
      return rows.length > limit ? { data, next: cursors.sign(query, data.at(-1)!.number) } : { data }
    },
  }
}
