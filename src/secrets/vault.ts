// Owns what this room asks of a store: rows in and out, by tenant and name. A store sees sealed values only; it fits
// this port by its shape, so that neither room imports the other.

import type { Tenancy } from './secret.ts'

export interface SealedSecret {
  readonly name: string
  /** Counts the times the value was set, from 1. */
  readonly version: number
  readonly keyId: string
  /** Base64. */
  readonly nonce: string
  /** Base64, the authentication tag at its end. */
  readonly ciphertext: string
  /** Empty: not bound to hosts. */
  readonly hosts: readonly string[]
  readonly createdAt: number
  readonly updatedAt: number
  readonly fingerprint: string
}

/** What people may see of a stored secret (S42). */
export type ListedSecret = Omit<SealedSecret, 'ciphertext' | 'nonce'>

export interface Vault {
  readonly put: (of: Tenancy, row: SealedSecret) => Promise<void>
  readonly get: (of: Tenancy, name: string) => Promise<SealedSecret | undefined>
  readonly list: (of: Tenancy) => Promise<readonly ListedSecret[]>
  readonly remove: (of: Tenancy, name: string) => Promise<boolean>
}
