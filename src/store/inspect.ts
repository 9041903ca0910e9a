// The port for looking at a whole store: every table in slices by key, each row with the facts around it that tell whether
// it can be so. It changes nothing, spans tenants and judges nothing; what is judged is in src/verify.
// N1  What one call answers is of one moment. No call holds a moment longer than its own slice.
// N2  A slice begins after a position; the empty position is the beginning. Whatever comes later is greater.

import type { ActionPlan, ActionStatus } from '../core/action.ts'
import type { Bulk, BulkStatus } from '../core/bulk.ts'
import type { PawlError } from '../core/errors.ts'
import type { Execution, ExecutionStatus } from '../core/execution.ts'
import type { Chained, ChainHead } from '../core/history.ts'
import type { JsonObject } from '../core/json.ts'
import type { Fate } from '../core/triggers/occurrences.ts'
import type { OccurrenceDetails } from './occurrences.ts'
import type { ExecutionRef, Lane, PauseScope, Tenancy } from './store.ts'

/** Where a slice begins: the key of the last row before it. */
export type Position = readonly (string | number)[]

type Slice<Row> = (after: Position, limit: number) => Promise<readonly Row[]>

export interface ExecutionHead extends ExecutionRef {
  /** Lines its chain has, purged ones among them. */
  readonly lines: number
}

export interface UnreadableLine {
  readonly number: number
  readonly unreadable: PawlError
}

/** A step's action, live or in the history. */
export interface StepRow {
  readonly id: string
  readonly status: ActionStatus
  readonly token: number
  readonly finishedAt: number | null
  /** Absent when its plan cannot be read. */
  readonly stepKey?: string
  readonly isBornDead?: boolean
}

export interface InboxEntry {
  readonly eventId: string
  readonly definition: string
  readonly isHeld: boolean
  readonly appliedAt: number | null
  readonly hasEvent: boolean
}

export interface TimerEntry {
  readonly key: string
  readonly isHeld: boolean
}

/** One execution with everything that belongs to it, as of one moment. */
export interface ExecutionFile extends ExecutionRef {
  readonly kind: Execution['kind']
  readonly definition: string
  readonly status: ExecutionStatus
  readonly pausedFrom: ExecutionStatus | null
  readonly state: string | null
  readonly chain: ChainHead
  readonly createdAt: number
  readonly hasError: boolean
  /** Is there a pause of its own? */
  readonly isPausedItself: boolean
  /** Visits and pending steps, or why they cannot be read. */
  readonly snapshot: Pick<Execution, 'visits' | 'pending'> | { readonly unreadable: PawlError }
  /** The oldest line that is there; null: none is. */
  readonly firstNumber: number | null
  /** The newest lines, in order, as many as asked for. */
  readonly lines: readonly (Chained | UnreadableLine)[]
  readonly steps: readonly StepRow[]
  readonly inbox: readonly InboxEntry[]
  readonly timers: readonly TimerEntry[]
  /** More rows of one kind belong to it than were asked for: the newest are here. */
  readonly isCut: boolean
  /** A column that says what it cannot; null: none does. */
  readonly unfit: string | null
}

/** One action with the facts around it. */
export interface ActionFacts extends Tenancy {
  readonly id: string
  readonly isLive: boolean
  readonly status: ActionStatus
  /** As it is stored: negative when parked. */
  readonly lane: number
  readonly laneRow: Omit<Lane, 'lane'> | null
  readonly execution: string | null
  /** Of its execution in its own tenant; null: there is none. */
  readonly executionStatus: ExecutionStatus | null
  readonly attempt: number
  readonly lost: number
  readonly reaps: number
  readonly token: number
  readonly nonce: string | null
  readonly leaseUntil: number | null
  readonly fingerprint: string | null
  readonly startedAt: number | null
  readonly finishedAt: number | null
  readonly archivedAt: number | null
  readonly hasError: boolean
  readonly hasResult: boolean
  readonly plan: ActionPlan | { readonly unreadable: PawlError }
  /** Other rows with its id, in either table. */
  readonly twins: number
  /** Its rows among the attempts, their greatest number, and how many name another tenant. */
  readonly tries: number
  readonly lastTry: number | null
  readonly foreignTries: number
  /** A column that says what it cannot; null: none does. */
  readonly unfit: string | null
}

/** A row that belongs to another one, and whether that one is there, in the same tenant. */
export interface OwnedRow extends Tenancy {
  readonly at: Position
  readonly owner: string | null
  readonly name: string
  readonly isOwned: boolean
}

export interface DedupRow extends Tenancy {
  readonly key: string
  readonly action: string
  readonly until: number | null
  /** Of the action while it is live. */
  readonly status: ActionStatus | null
  readonly isDone: boolean
}

export interface PauseRow extends Tenancy {
  readonly scope: PauseScope
  readonly value: string
  /** What it names is there, where the store can know. */
  readonly isKnown: boolean
}

/** What became of one occurrence, with the facts around it. */
export interface OccurrenceFacts extends Tenancy {
  readonly recurrence: string
  readonly at: number
  readonly fate: Fate
  readonly toldAt: number
  readonly details: OccurrenceDetails | { readonly unreadable: PawlError }
  /** Its tenant has such a recurrence. */
  readonly isOwned: boolean
  /** Its tenant has the action it names, live or ended. */
  readonly hasAction: boolean
}

/** A bulk operation, and how many items of it there are at the same moment. */
export interface BulkFacts extends ExecutionRef {
  readonly status: BulkStatus
  readonly bulk: Bulk | { readonly unreadable: PawlError }
  readonly items: number
  readonly succeeded: number
  readonly failed: number
}

/** An entry of a tenant's audit, and what the one before it has for a hash; null: there is none. */
export interface AuditFacts extends Tenancy {
  readonly number: number
  readonly entry: Chained | { readonly unreadable: PawlError }
  readonly hashBefore: string | null
}

interface Unreadable {
  readonly unreadable: PawlError
}

export interface AlertFacts extends ExecutionRef {
  readonly firstAt: number
  readonly lastAt: number
  readonly acknowledgedAt: number | null
  readonly acknowledgedBy: string | null
  readonly details: JsonObject | Unreadable
}

/** What the sandbox did not send. */
export interface OutboxFacts extends ExecutionRef {
  readonly at: number
  readonly action: string | null
  /** Its tenant has the action, live or ended, or it names none. */
  readonly isOwned: boolean
  readonly entry: JsonObject | Unreadable
}

/** What a rate, a quota or a breaker remembers. */
export interface LimitFacts extends Tenancy {
  readonly key: string
  /** Those who claim look for it among what is shut. */
  readonly isShut: boolean
  readonly state: JsonObject | Unreadable
}

/** Counts by the names of the counters: `actions.open`, `executions.active` … */
export type Tally = Readonly<Record<string, number>>

export interface TenantCounters extends Tenancy {
  readonly counted: Tally
  /** Hours of its counts were folded together: rows of then were removed by retention. */
  readonly isFolded: boolean
  /** The oldest hour in which one of its actions ended for good. */
  readonly since: number | null
}

export interface TenantTally extends TenantCounters {
  /** The rows themselves, at the same moment. */
  readonly found: Tally
  /** When the oldest of its finished actions ended. */
  readonly oldestDone: number | null
}

export interface CheckpointRow {
  readonly number: number
  readonly at: number
  readonly heads: number
  readonly hash: string
  /** A place in the feed, greater with each checkpoint or the same. */
  readonly feedPosition: number
}

/** A row of an occurrence. */
export interface ToldRow {
  readonly at: number
  readonly fate: Fate
  readonly toldAt: number
}

/** What retention has left: before these instants rows may be missing. Null: there are no rows. */
export interface Horizons {
  readonly events: number | null
  readonly done: number | null
  readonly occurrences: number | null
}

/** What of the feed is still as it was when checkpoints were made. */
export interface Coverage {
  /** Number and place of the oldest event; null: there is none. The first ever is number 1. */
  readonly oldest: { readonly seq: number; readonly place: number } | null
  /** Of the last checkpoint; null: there is none. */
  readonly newest: number | null
  /** Its places were given anew when it was moved to another server. */
  readonly isRebased: boolean
}

/** An event as a checkpoint covers it. */
export interface FeedRow extends Tenancy {
  readonly at: Position
  readonly seq: number
  readonly execution: string | null
  readonly type: string
  readonly time: number
  readonly data: JsonObject | { readonly unreadable: PawlError }
}

/** The newest link of a chain as of a place in the feed. */
export interface HeadRow extends ExecutionRef {
  readonly link: ChainHead | null
  /** The lines of then are gone, and later ones are there: what the link was cannot be known. */
  readonly isLost: boolean
}

export interface TextRow {
  readonly at: Position
  /** Every text of the row. */
  readonly text: string
}

export interface Inspector {
  /** The database's own clock. */
  readonly clock: () => Promise<number>
  readonly horizons: () => Promise<Horizons>
  /** When a process at work was last seen. */
  readonly lastSeen: () => Promise<number | null>
  readonly heads: Slice<ExecutionHead>
  /** In no order; what does not exist is left out. */
  readonly files: (refs: readonly ExecutionRef[], most: number) => Promise<readonly ExecutionFile[]>
  /** The chain of one execution after a number. */
  readonly lines: (
    ref: ExecutionRef,
    after: number,
    limit: number,
  ) => Promise<readonly (Chained | UnreadableLine)[]>
  readonly live: Slice<ActionFacts>
  readonly done: Slice<ActionFacts>
  readonly attempts: Slice<OwnedRow>
  readonly events: Slice<OwnedRow>
  readonly inbox: Slice<OwnedRow>
  readonly timers: Slice<OwnedRow>
  readonly dedup: Slice<DedupRow>
  /** Of limits: taken, or waited for. */
  readonly places: Slice<OwnedRow>
  readonly tasks: Slice<OwnedRow>
  readonly bulkItems: Slice<OwnedRow>
  readonly bulks: Slice<BulkFacts>
  readonly alerts: Slice<AlertFacts>
  readonly outbox: Slice<OutboxFacts>
  readonly limits: Slice<LimitFacts>
  readonly pauses: Slice<PauseRow>
  readonly occurrences: Slice<OccurrenceFacts>
  /** The newest occurrences of one recurrence that have a fate. */
  readonly told: (of: ExecutionRef, limit: number) => Promise<readonly ToldRow[]>
  readonly audit: Slice<AuditFacts>
  readonly counters: Slice<TenantCounters>
  /** Counts the rows of one tenant: as much work as it has rows. */
  readonly tally: (of: Tenancy) => Promise<TenantTally>
  readonly checkpoints: Slice<CheckpointRow>
  readonly coverage: () => Promise<Coverage>
  /** The feed behind one checkpoint (0: from its beginning), up to another. */
  readonly feed: (from: number, upto: number, after: Position, limit: number) => Promise<readonly FeedRow[]>
  readonly headsAt: (place: number, after: Position, limit: number) => Promise<readonly HeadRow[]>
  /** The tables whose rows people's data is in. */
  readonly tables: readonly string[]
  readonly texts: (table: string, after: Position, limit: number) => Promise<readonly TextRow[]>
}
