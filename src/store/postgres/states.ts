// Owns what a row is to a commit that is being decided: the columns its checks look at and its writes change, named as
// in the tables. A row that the batch itself makes carries the rest of its columns too.

import type { ActionPlan, ActionStatus } from '../../core/action.ts'
import type { ActionError } from '../../core/action-error.ts'
import type { Bulk } from '../../core/bulk.ts'
import type { Event } from '../../core/event.ts'
import type { ExecutionStatus, Kind } from '../../core/execution.ts'
import type { JsonObject } from '../../core/json.ts'
import type { Fate } from '../../core/triggers/occurrences.ts'
import type { OccurrenceDetails } from '../occurrences.ts'
import type { Claim, NewAction, Tenancy } from '../store.ts'

export interface ActionState extends Tenancy, Partial<Birth> {
  readonly id: string
  readonly lane: number
  readonly execution: string | null
  readonly status: ActionStatus
  readonly due_at: number
  readonly attempt: number
  readonly lost: number
  readonly reaps: number
  readonly token: number
  readonly nonce: string | null
  readonly worker: string | null
  readonly lease_until: number | null
  readonly hold: string | null
  readonly cancel_requested: boolean
  readonly dedup_key: string | null
  readonly fingerprint: string | null
  readonly started_at: number | null
  readonly finished_at: number | null
  readonly error: ActionError | null
  /** It ended, and belongs into the history. */
  readonly ended?: Ended
  /** It was made by this batch, and has all its columns. */
  readonly birth?: { readonly plan: ActionPlan; readonly isPlain?: boolean }
  /** It was not read: what it is, is whatever this claim took. */
  readonly assumed?: Claim
}

export interface Ended {
  readonly archived_at: number | null
  /** JSON text: null is a result too. */
  readonly result: string | null
}

interface Birth {
  readonly source_kind: NewAction['source']['kind']
  readonly source_id: string
  readonly size: number
  readonly marked: boolean
  /** Its lease from when it is written, where it cannot be said until when. */
  readonly lease_ms: number | null
  readonly created_at: number
  /** JSON text: written once, for its size and for its column. */
  readonly plan: string
}

export interface ExecutionState extends Tenancy, Partial<Snapshot> {
  readonly id: string
  readonly revision: number
  readonly status: ExecutionStatus
  readonly paused_from: ExecutionStatus | null
  readonly definition: string
  readonly input_hash: string | null
  /** When it was written by this batch: only what a pause changes, or the snapshot too. */
  readonly updated_at?: number
}

/** What a move writes beside that, over which revision and status. */
interface Snapshot {
  readonly read_revision: number | null
  readonly read_status: ExecutionStatus | null
  readonly kind: Kind
  readonly definition_hash: string
  readonly state: string | null
  readonly chain_number: number
  readonly chain_hash: string
  readonly created_at: number
  readonly error: JsonObject | null
  readonly visits: JsonObject
  readonly pending: object
  readonly variables: JsonObject
}

export interface InboxState extends Tenancy {
  readonly execution: string
  readonly event_id: string
  readonly applied: boolean
  readonly applied_at?: number
  readonly birth?: {
    readonly definition: string
    readonly held: boolean
    readonly received_at: number
    readonly event: Event | null
  }
}

export interface TimerState extends Tenancy {
  readonly execution: string
  readonly key: string
  readonly plan?: { readonly due_at: number; readonly held: boolean; readonly event: Event }
}

export interface OccurrenceState extends Tenancy {
  readonly recurrence: string
  readonly at: number
  readonly fate: Fate
  readonly told_at: number
  readonly details: OccurrenceDetails
}

export interface DedupState extends Tenancy {
  readonly key: string
  readonly action: string
  readonly until: number | null
}

export interface DefinitionState extends Tenancy {
  readonly kind: Kind
  readonly id: string
  readonly versions: ReadonlyMap<string, number>
  readonly added: readonly JsonObject[]
}

export interface PauseState extends Tenancy {
  readonly scope: string
  readonly value: string
  readonly reason?: string
  readonly at?: number
}

export interface BulkState extends Tenancy {
  readonly id: string
  readonly revision: number
  readonly created_at: number
  /** When it was written by this batch. */
  readonly written?: { readonly status: Bulk['status']; readonly updated_at: number; readonly content: Bulk }
}

export interface AlertState extends Tenancy {
  readonly id: string
  readonly type: string
  readonly severity: string
  readonly cause: string
  readonly count: number
  readonly first_at: number
  readonly last_at: number
  readonly told_at: number | null
  readonly acknowledged_at: number | null
  readonly acknowledged_by: string | null
  readonly details: JsonObject
}
