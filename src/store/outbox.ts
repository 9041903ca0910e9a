// The port for what the sandbox would have sent: one row per action, so that a repeated attempt is seen once, as a
// receiver that remembers the key would see it. Rows go with the retention of what is done.

import type { JsonObject } from '../core/json.ts'
import type { Page, PageRequest } from './reader.ts'
import type { Tenancy } from './store.ts'

export interface OutboxRow {
  readonly id: string
  readonly at: number
  /** The runner's: `email`. */
  readonly type: string
  readonly action?: string
  /** The idempotency key it would have been sent with. */
  readonly key: string
  readonly content: JsonObject
  /** How long the sandbox pretended to take. */
  readonly latencyMs?: number
}

export interface OutboxQuery {
  readonly type?: string
  readonly action?: string
}

export interface OutboxStore {
  /** Of an id that is there, the newer one stands. */
  readonly put: (of: Tenancy, row: OutboxRow) => Promise<void>
  readonly get: (of: Tenancy, id: string) => Promise<OutboxRow | undefined>
  /** Newest first; filters narrow a bounded window and the page says so. */
  readonly list: (of: Tenancy, query: OutboxQuery, page: PageRequest) => Promise<Page<OutboxRow>>
}
