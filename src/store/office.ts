// The ports of the HTTP door, together: what it needs of a store and the engine does not.

import type { Agenda } from './agenda.ts'
import type { Audit } from './audit.ts'
import type { Idempotency } from './idempotency.ts'
import type { Keys } from './keys.ts'

export interface Office {
  readonly keys: Keys
  readonly audit: Audit
  readonly idempotency: Idempotency
  readonly agenda: Agenda
}
