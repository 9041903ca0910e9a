// Owns the keys' rows over SQLite.

import type { KeyRow, Keys, Scope } from '../keys.ts'
import type { Tenancy } from '../store.ts'
import type { Connection } from './connection.ts'
import { memberError } from './faults.ts'
import { seal, unseal } from './sealed.ts'
import type { Writer } from './writer.ts'

interface KeyRecord extends Tenancy {
  readonly id: string
  readonly name: string
  readonly prefix: string
  readonly hash: string
  readonly scopes: string
  readonly operator: number
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
  scopes: unseal<readonly Scope[]>(row.scopes, `the scopes of key ${row.id}`),
  isOperator: row.operator === 1,
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
  scopes: seal([...row.scopes]),
  operator: row.isOperator ? 1 : 0,
  created_at: row.createdAt,
  expires_at: row.expiresAt ?? null,
})

export const createKeys = ({ sql }: Connection, writer: Writer): Keys => {
  const isThere = (): boolean => sql.anyKey.get<{ found: number }>()!.found === 1
  const write = <Value>(job: () => Value): Promise<Value> =>
    writer.run(1, job).catch((error) => {
      throw memberError(error)
    })
  const found = (row: KeyRecord | undefined): KeyRow | undefined => row && toKey(row)
  return {
    any: () => writer.read(isThere),
    put: async (row) => {
      await write(() => sql.insertKey.run(columnsOf(row)))
    },
    putFirst: (row) => write(() => !isThere() && sql.insertKey.run(columnsOf(row)) === 1),
    find: (hash) => writer.read(() => found(sql.findKey.get<KeyRecord>({ hash }))),
    get: ({ namespace, tenant }, id) =>
      writer.read(() => found(sql.readKey.get<KeyRecord>({ namespace, tenant, id }))),
    list: ({ namespace, tenant }) =>
      writer.read(() => sql.listKeys.all<KeyRecord>({ namespace, tenant }).map(toKey)),
    revoke: ({ namespace, tenant }, id, at) =>
      write(() => sql.revokeKey.run({ namespace, tenant, id, revoked_at: at }) === 1),
  }
}
