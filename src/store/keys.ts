// The port for the keys that open the HTTP door. A store sees the hash of a token, never a token.
// K1  A key that was revoked stays as a row: a store that ever had a key never again answers without one.

import type { Tenancy } from './store.ts'

export const SCOPES = ['read', 'operate', 'define', 'admin', 'work'] as const
export type Scope = (typeof SCOPES)[number]

export interface KeyRow extends Tenancy {
  readonly id: string
  readonly name: string
  /** The beginning of the token, so that people can tell keys apart. */
  readonly prefix: string
  /** SHA-256 of the token, in hex. A token is 256 random bits: nothing slower is needed. */
  readonly hash: string
  readonly scopes: readonly Scope[]
  /** May manage the keys of every tenant. */
  readonly isOperator: boolean
  readonly createdAt: number
  readonly expiresAt?: number
  readonly revokedAt?: number
}

export interface Keys {
  /** Was there ever a key? */
  readonly any: () => Promise<boolean>
  readonly put: (row: KeyRow) => Promise<void>
  /** Only where there never was one. Of several that try at once one succeeds. */
  readonly putFirst: (row: KeyRow) => Promise<boolean>
  /** By the hash of its token, whoever's it is; revoked and expired ones too. */
  readonly find: (hash: string) => Promise<KeyRow | undefined>
  readonly get: (of: Tenancy, id: string) => Promise<KeyRow | undefined>
  /** By id. */
  readonly list: (of: Tenancy) => Promise<readonly KeyRow[]>
  /** False when there is none, or it was revoked before. */
  readonly revoke: (of: Tenancy, id: string, at: number) => Promise<boolean>
}
