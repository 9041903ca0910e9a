// Owns the secrets' rows over PostgreSQL.

import type { Tenancy } from '../store.ts'
import type { ListedSecret, SealedSecret, Vault } from '../vault.ts'
import type { Connections } from './connections.ts'
import { memberError } from './faults.ts'
import { type Patience, patiently } from './patience.ts'
import type { Answer, Statements } from './statements.ts'
import { repeatable } from './store.ts'

interface ListedRecord {
  readonly name: string
  readonly version: number
  readonly key_id: string
  readonly hosts: readonly string[]
  readonly created_at: number
  readonly updated_at: number
  readonly fingerprint: string
}

interface SecretRecord extends ListedRecord {
  readonly nonce: string
  readonly ciphertext: string
}

const toListed = (row: ListedRecord): ListedSecret => ({
  name: row.name,
  version: row.version,
  keyId: row.key_id,
  hosts: row.hosts,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  fingerprint: row.fingerprint,
})

const toSealed = (row: SecretRecord): SealedSecret => ({
  ...toListed(row),
  nonce: row.nonce,
  ciphertext: row.ciphertext,
})

const columnsOf = ({ namespace, tenant }: Tenancy, row: SealedSecret) => ({
  namespace,
  tenant,
  name: row.name,
  version: row.version,
  key_id: row.keyId,
  nonce: row.nonce,
  ciphertext: row.ciphertext,
  hosts: JSON.stringify(row.hosts),
  created_at: row.createdAt,
  updated_at: row.updatedAt,
  fingerprint: row.fingerprint,
})

export const createVault = (connections: Connections, patience: Patience): Vault => {
  const sql = repeatable(connections, patience)
  /** In a transaction of its own: durable whatever the server's default, and its end is known. */
  const write = (work: (sql: Statements) => Promise<Answer<never>>): Promise<Answer<never>> =>
    patiently(patience, () => connections.transact((caller) => work(caller.sql))).catch((error) => {
      throw memberError(error)
    })
  return {
    put: async (of, row) => {
      await write((sql) => sql.putSecret(columnsOf(of, row)))
    },
    get: async ({ namespace, tenant }, name) => {
      const [row] = (await sql.readSecret<SecretRecord>({ namespace, tenant, name })).rows
      return row && toSealed(row)
    },
    list: async ({ namespace, tenant }) =>
      (await sql.listSecrets<ListedRecord>({ namespace, tenant })).rows.map(toListed),
    remove: async ({ namespace, tenant }, name) =>
      (await write((sql) => sql.deleteSecret({ namespace, tenant, name }))).count === 1,
  }
}
