// The read port: what people and programs look at. Every read names namespace and tenant and returns nothing of
// another. Filters are the indexed ones, fixed here; anything else narrows a bounded window of recent rows, and the
// page says so.

import type { ActionPlan, ActionStatus, AttemptOutcome } from '../core/action.ts'
import type { ActionError } from '../core/action-error.ts'
import type { PawlError } from '../core/errors.ts'
import type { ExecutionStatus, Kind } from '../core/execution.ts'
import type { Chained } from '../core/history.ts'
import type { Json, JsonObject } from '../core/json.ts'
import type { DefinitionRow, NewAction, StoredExecution, Tenancy } from './store.ts'

export interface PageRequest {
  /** 1 to 250. */
  readonly limit: number
  /** From an earlier page. Signed: one that was changed, or made for another query, is refused. */
  readonly after?: string
}

export interface Page<Row> {
  readonly data: readonly Row[]
  readonly next?: string
  /** Ids of rows in this place of the list that cannot be read and are left out. */
  readonly unreadable?: readonly string[]
  /** Set when a filter no index serves was applied to this many recent rows only. */
  readonly window?: number
}

export interface ActionRow extends Tenancy {
  readonly id: string
  readonly status: ActionStatus
  readonly plan: ActionPlan
  readonly execution: string | null
  readonly source: NewAction['source']
  readonly dueAt: number
  readonly attempt: number
  readonly lost: number
  readonly reaps: number
  readonly createdAt: number
  readonly startedAt?: number
  readonly finishedAt?: number
  readonly archivedAt?: number
  readonly worker?: string
  readonly leaseUntil?: number
  readonly hold?: string
  readonly cancelRequested: boolean
  readonly fingerprint?: string
  readonly result?: Json
  readonly error?: ActionError
}

/** An attempt that did not succeed at first try; a first success is in the action itself. */
export interface AttemptRow {
  readonly number: number
  readonly outcome: AttemptOutcome
  readonly startedAt: number
  readonly endedAt: number
  readonly worker: string
  readonly error?: ActionError
}

export interface ActionFilter {
  readonly status?: ActionStatus
  readonly type?: string
  readonly execution?: string
  readonly fingerprint?: string
  readonly name?: string
  readonly tag?: string
}

export interface ExecutionFilter {
  readonly kind?: Kind
  readonly definition?: string
  readonly status?: ExecutionStatus
  readonly state?: string
}

export interface HistoryRow extends Chained {
  readonly execution: string
}

/** One fact of the live feed. The cursor resumes after it, without loss and without repetition. */
export interface FeedRow {
  readonly cursor: string
  readonly type: string
  readonly at: number
  readonly data: JsonObject
  readonly execution?: string
  /** The data cannot be read, and is empty here: the feed goes on after it. */
  readonly unreadable?: PawlError
}

export interface DeadGroup {
  readonly fingerprint: string
  readonly actionType: string
  readonly errorType: string
  readonly message: string
  readonly count: number
  readonly firstAt: number
  readonly lastAt: number
}

export interface Counts {
  readonly actions: Readonly<Record<ActionStatus, number>>
  /** Dead letters and reviews that were put away: they are in no other count. */
  readonly archived: number
  readonly executions: Readonly<Record<ExecutionStatus, number>>
}

export interface StoredDefinition extends DefinitionRow {
  readonly version: number
  readonly createdAt: number
}

export interface Reader {
  /** Hot rows first, then history, newest first. */
  readonly action: (of: Tenancy, id: string) => Promise<ActionRow | undefined>
  readonly attempts: (of: Tenancy, action: string) => Promise<readonly AttemptRow[]>
  /** Newest first by id. */
  readonly actions: (of: Tenancy, filter: ActionFilter, page: PageRequest) => Promise<Page<ActionRow>>
  readonly execution: (of: Tenancy, id: string) => Promise<StoredExecution | undefined>
  readonly executions: (
    of: Tenancy,
    filter: ExecutionFilter,
    page: PageRequest,
  ) => Promise<Page<StoredExecution>>
  /** In order; `after` is a number of the chain. */
  readonly history: (of: Tenancy, execution: string, page: PageRequest) => Promise<Page<HistoryRow>>
  /**
   * Events committed after the cursor, in commit order, nothing of a transaction still open skipped. Order and no loss
   * are promised, not immediacy: PostgreSQL's feed, and its checkpoints, lag behind the oldest write transaction that is
   * open anywhere on the server, in another database too.
   */
  readonly feed: (of: Tenancy, after: string | undefined, limit: number) => Promise<readonly FeedRow[]>
  /** Where the feed stands: what is committed from now on comes after it. */
  readonly feedEnd: (of: Tenancy) => Promise<string>
  readonly deadGroups: (of: Tenancy, limit: number) => Promise<readonly DeadGroup[]>
  readonly counts: (of: Tenancy) => Promise<Counts>
  readonly definitions: (of: Tenancy, kind?: Kind, id?: string) => Promise<readonly StoredDefinition[]>
  readonly pauses: (
    of: Tenancy,
  ) => Promise<readonly { scope: string; value: string; reason: string; at: number }[]>
}
