// Owns the keys' rows over PostgreSQL.

import type { KeyRow, Keys, Scope } from '../keys.ts'
import type { Tenancy } from '../store.ts'
import type { Connections } from './connections.ts'
import { memberError } from './faults.ts'
import { type Patience, patiently } from './patience.ts'
import type { Statements } from './statements.ts'
import { repeatable } from './store.ts'

interface KeyRecord extends Tenancy {
  readonly id: string
  readonly name: string
  readonly prefix: string
  readonly hash: string
  readonly scopes: readonly Scope[]
  readonly operator: boolean
  readonly created_at: number
  readonly expires_at: number | null
  readonly revoked_at: number | null
}

const toKey = (row: KeyRecord): KeyRow => ({
  id: row.id,
  namespace: row.namespace,
  tenant: row.tenant,
  name: row.name,
  prefix: row.prefix,
  hash: row.hash,
  scopes: row.scopes,
  isOperator: row.operator,
  createdAt: row.created_at,
  ...(row.expires_at !== null && { expiresAt: row.expires_at }),
  ...(row.revoked_at !== null && { revokedAt: row.revoked_at }),
})

const columnsOf = (row: KeyRow) => ({
  id: row.id,
  namespace: row.namespace,
  tenant: row.tenant,
  name: row.name,
  prefix: row.prefix,
  hash: row.hash,
  scopes: JSON.stringify(row.scopes),
  operator: row.isOperator,
  created_at: row.createdAt,
  expires_at: row.expiresAt ?? null,
})

const isThere = async (sql: Statements): Promise<boolean> =>
  (await sql.anyKey<{ found: boolean }>()).rows[0]!.found

export const createKeys = (connections: Connections, patience: Patience): Keys => {
  const sql = repeatable(connections, patience)
  const write = <Value>(work: (sql: Statements) => Promise<Value>): Promise<Value> =>
    patiently(patience, () => connections.transact((caller) => work(caller.sql))).catch((error) => {
      throw memberError(error)
    })
  const first = ({ rows }: { readonly rows: readonly KeyRecord[] }): KeyRow | undefined =>
    rows[0] && toKey(rows[0])
  return {
    any: () => isThere(sql),
    put: async (row) => {
      await write((sql) => sql.insertKey(columnsOf(row)))
    },
    putFirst: (row) =>
      write(async (sql) => {
        await sql.lockOffice({ key: 'keys' })
        if (await isThere(sql)) return false
        await sql.insertKey(columnsOf(row))
        return true
      }),
    find: async (hash) => first(await sql.findKey<KeyRecord>({ hash })),
    get: async ({ namespace, tenant }, id) => first(await sql.readKey<KeyRecord>({ namespace, tenant, id })),
    list: async ({ namespace, tenant }) =>
      (await sql.listKeys<KeyRecord>({ namespace, tenant })).rows.map(toKey),
    revoke: async ({ namespace, tenant }, id, at) =>
      (await write((sql) => sql.revokeKey({ namespace, tenant, id, revoked_at: at }))).count === 1,
  }
}
