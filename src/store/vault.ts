// The port for secrets that people set. Values are sealed before they come here and opened after they left: a store
// never sees a plain one, and cannot tell two equal ones.
// V1  A row never replaces a newer version of itself: re-encrypting an old one cannot undo a change made meanwhile.

import type { Tenancy } from './store.ts'

export interface SealedSecret {
  readonly name: string
  /** Counts the times the value was set, from 1. */
  readonly version: number
  /** Which key of the ring it is sealed with. */
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

/** What may be shown of a secret. */
export type ListedSecret = Omit<SealedSecret, 'ciphertext' | 'nonce'>

export interface Vault {
  readonly put: (of: Tenancy, row: SealedSecret) => Promise<void>
  readonly get: (of: Tenancy, name: string) => Promise<SealedSecret | undefined>
  /** By name. */
  readonly list: (of: Tenancy) => Promise<readonly ListedSecret[]>
  /** False when there was none. */
  readonly remove: (of: Tenancy, name: string) => Promise<boolean>
}
