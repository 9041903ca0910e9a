// Owns the secrets' rows over SQLite. What is sealed by a key is sealed by a checksum too: a flipped bit is named as what
// it is, and not taken for a wrong key.

import type { Tenancy } from '../store.ts'
import type { ListedSecret, SealedSecret, Vault } from '../vault.ts'
import type { Connection } from './connection.ts'
import { memberError } from './faults.ts'
import { seal, unseal } from './sealed.ts'
import type { Writer } from './writer.ts'

interface ListedRecord {
  readonly name: string
  readonly version: number
  readonly key_id: string
  readonly hosts: string
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
  hosts: unseal(row.hosts, `the hosts of secret ${row.name}`),
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  fingerprint: row.fingerprint,
})

const toSealed = (row: SecretRecord): SealedSecret => ({
  ...toListed(row),
  nonce: row.nonce,
  ciphertext: unseal(row.ciphertext, `secret ${row.name}`),
})

const columnsOf = ({ namespace, tenant }: Tenancy, row: SealedSecret) => ({
  namespace,
  tenant,
  name: row.name,
  version: row.version,
  key_id: row.keyId,
  nonce: row.nonce,
  ciphertext: seal(row.ciphertext),
  hosts: seal([...row.hosts]),
  created_at: row.createdAt,
  updated_at: row.updatedAt,
  fingerprint: row.fingerprint,
})

export const createVault = ({ sql }: Connection, writer: Writer): Vault => ({
  put: async (of, row) => {
    await writer
      .run(1, () => sql.putSecret.run(columnsOf(of, row)))
      .catch((error) => {
        throw memberError(error)
      })
  },
  get: ({ namespace, tenant }, name) =>
    writer.read(() => {
      const row = sql.readSecret.get<SecretRecord>({ namespace, tenant, name })
      return row && toSealed(row)
    }),
  list: ({ namespace, tenant }) =>
    writer.read(() => sql.listSecrets.all<ListedRecord>({ namespace, tenant }).map(toListed)),
  remove: ({ namespace, tenant }, name) =>
    writer.run(1, () => sql.deleteSecret.run({ namespace, tenant, name }) === 1),
})
