// Owns secrets as people set them through the library: put, listed without their values, removed.

import type { NewSecret } from '../secrets/secret-store.ts'
import type { Secrets, StoredSecret } from '../secrets/secrets.ts'
import type { Tenancy } from '../store/store.ts'

export interface SecretVerbs {
  /** Sealed before it is written; nothing shows its value again. */
  readonly put: (secret: NewSecret) => Promise<StoredSecret>
  readonly list: () => Promise<readonly StoredSecret[]>
  /** False when there was none. */
  readonly remove: (name: string) => Promise<boolean>
}

export const secretVerbs = (secrets: Secrets, of: Tenancy): SecretVerbs => ({
  put: (secret) => secrets.put(of, secret),
  list: () => secrets.list(of),
  remove: (name) => secrets.remove(of, name),
})
