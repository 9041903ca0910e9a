// Owns the resources of the HTTP API as a program sees them. Instants are RFC 3339 texts in UTC. Servers may add fields.

import type { Json, JsonObject } from '../core/json.ts'

export interface Tenanted {
  readonly namespace: string
  readonly tenant: string
}

export interface ErrorShown {
  readonly type: string
  readonly message: string
  readonly retryable: boolean
  readonly code?: string
}

export interface Attempt {
  readonly number: number
  readonly startedAt: string
  readonly endedAt?: string
  readonly outcome: string
  readonly error?: ErrorShown
  readonly worker: string
}

export interface Action extends Tenanted {
  readonly id: string
  readonly name: string
  readonly type: string
  readonly status: string
  /** As people see it: `scheduled`, `ready` and `retrying` are all `queued`. */
  readonly shown: string
  readonly executionId?: string
  readonly source: { readonly kind: string; readonly id: string }
  readonly config: Json
  readonly dueAt: string
  readonly priority: number
  readonly attempt: number
  readonly maxAttempts: number
  readonly idempotencyKey: string
  readonly stepKey: string
  readonly result?: Json
  readonly error?: ErrorShown
  readonly createdAt: string
  readonly startedAt?: string
  readonly finishedAt?: string
  readonly attempts: readonly Attempt[]
  readonly tags: readonly string[]
  readonly metadata: JsonObject
  readonly summary?: string
  readonly dedupKey?: string
  readonly hold?: string
  readonly deduplicated?: boolean
}

export interface Execution extends Tenanted {
  readonly id: string
  readonly kind: string
  readonly definition: string
  readonly version: string
  readonly status: string
  readonly state: string | null
  readonly variables: JsonObject
  readonly createdAt: string
  readonly updatedAt: string
  readonly nextAt?: string
  readonly error?: { readonly code: string; readonly message: string }
}

export interface AgendaEntry {
  readonly at: string
  /** The same instant on the wall of the zone that was asked for. */
  readonly local: string
  readonly zone: string
  readonly what: string
  /** `action`, `timer` or `occurrence`. */
  readonly type: string
  readonly source: { readonly kind: string; readonly id: string }
  readonly schedule?: { readonly local: string; readonly zone: string; readonly words: string }
  /** The clock changes that day. */
  readonly mark?: { readonly kind: string; readonly text: string }
  /** It was stopped: it comes only if it goes on before then. */
  readonly paused?: true
  readonly actionId?: string
  readonly executionId?: string
}

export interface Sent {
  readonly applied: boolean
  readonly duplicate: boolean
  readonly reason?: string
  readonly execution: Execution
}

export interface Why {
  readonly id: string
  readonly status: string
  readonly reasons: readonly { readonly code: string; readonly text: string; readonly until?: string }[]
  readonly eta?: string
}

export interface Defined {
  readonly kind: string
  readonly id: string
  readonly version: number
  readonly hash: string
}

export interface Definition extends Defined {
  readonly content: JsonObject
  readonly createdAt: string
}

export interface DeadGroup {
  readonly id: string
  readonly actionType: string
  readonly errorType: string
  readonly message: string
  readonly count: number
  readonly firstAt: string
  readonly lastAt: string
}

export interface Bulk {
  readonly id: string
  readonly status: string
  readonly total: number
  readonly done: number
  readonly succeeded: number
  readonly failed: number
}

export interface Task extends Tenanted {
  readonly id: string
  readonly title: string
  readonly status: string
  readonly assignee?: string
  readonly dueAt?: string
  readonly actionId: string
  readonly executionId?: string
  readonly createdAt: string
  readonly completedAt?: string
  readonly result?: Json
}

export interface Key extends Tenanted {
  readonly id: string
  readonly name: string
  readonly scopes: readonly string[]
  readonly createdAt: string
  readonly expiresAt?: string
  readonly revokedAt?: string
}

/** A recurring action as it is listed; the words of `/v1/recurring` are snake_case. */
export interface RecurringRow {
  readonly id: string
  /** Null where it is written in code that the server does not have. */
  readonly cron_expr: string | null
  readonly timezone: string | null
  readonly enabled: boolean
  readonly description: string | null
  readonly provider: string | null
  readonly action_type: string | null
  readonly next_execution_at: string | null
  readonly last_executed_at: string | null
  readonly execution_count: number
  readonly created_at: string
  readonly labels: JsonObject
}

export interface RecurringAction extends RecurringRow, Tenanted {
  /** `Weekdays at 09:00 (Europe/London)`. */
  readonly words: string
  readonly success_count: number
  readonly failure_count: number
  readonly error: string | null
  readonly action_template: JsonObject
  readonly dst: JsonObject | null
  readonly updated_at: string
  readonly ends_at: string | null
}

/** What became of one occurrence. */
export interface Occurrence {
  readonly at: string
  readonly fate: string
  readonly reason?: string
  readonly action?: string
  readonly outcome?: string
  /** One entry for several: the last of them, and how many. */
  readonly until?: string
  readonly count?: number
  readonly toldAt: string
}

export interface HistoryEntry {
  readonly seq: number
  readonly type: string
  readonly at: string
  readonly data: JsonObject
  readonly hash: string
  readonly prevHash: string
}

/** What a machine made by `machine()` tells the compiler; only its type is needed, so no server code is bundled. */
export interface TypedDefinition {
  readonly '~types'?: { readonly input: unknown; readonly events: object }
}
