// The write port: the few verbs through which the engine changes truth. A store holds SQL and rows, decides nothing.
// P1  commit is one transaction. A member is applied whole or not at all; members of one batch win or lose apart.
// P2  Losers are reported, not raised: `fenced`, `conflict`, `duplicate`, `refused`. What concerns no one member throws.
// P3  Every change to a claimed action is fenced by (id, running, token, nonce) and by the store's epoch.
// P4  A commit that returned is on disk. A claim alone may not be, unless the action is at_most_once.
// P5  Engine verbs span tenants and return rows that carry theirs; user writes name namespace and tenant.

import type { ActionPlan } from '../core/action.ts'
import type { ActionError } from '../core/action-error.ts'
import type { TimerPlan } from '../core/decision.ts'
import type { PawlError } from '../core/errors.ts'
import type { Event } from '../core/event.ts'
import type { Execution, ExecutionStatus, Kind } from '../core/execution.ts'
import type { ChainHead, NewLink } from '../core/history.ts'
import type { Json, JsonObject } from '../core/json.ts'
import type { Settlement } from '../core/settle.ts'
import type { ToldOccurrence } from '../core/triggers/occurrences.ts'
import type { AlertChange, BulkChange } from './triage-change.ts'

export interface Tenancy {
  readonly namespace: string
  readonly tenant: string
}

/** Whose instants are meant. Absent: the database's own clock. */
export interface Clocks {
  /** For due times; virtual in a test or a demo. */
  readonly now?: number
  /** For leases; real except in simulation. */
  readonly lease?: number
}

// ── commit ───────────────────────────────────────────────────────────────────────────────────────────────────

/** One unit that must be true together. Every part is optional; all parts present are applied, or none. */
export interface Member extends Tenancy {
  /** The engine's now: the instant written into every row this member makes. */
  readonly at: number
  /** The lease clock, for eager claims and for reaping. Absent: the database's own, as in Clocks. */
  readonly lease?: number
  readonly settle?: readonly Settle[]
  readonly advance?: Advance
  /** Events that wait in the inbox: from outside for an execution whose code is elsewhere, or raised. */
  readonly deliver?: readonly Delivered[]
  /** Actions that belong to no step of an execution: the queue's own door. */
  readonly enqueue?: readonly NewAction[]
  readonly control?: readonly Control[]
  /** Facts for the feed that belong to no execution's chain. */
  readonly record?: readonly Recorded[]
}

/** An action to insert. The id is drawn by the engine; the plan is the core's. */
export interface NewAction {
  readonly id: string
  /** The id was drawn for it: nobody can have written it before, and it is not looked for. */
  readonly isDrawn?: true
  /** Whoever has the id already stands for it, as for a held key. Without this the member is a duplicate then. */
  readonly mayExist?: true
  readonly plan: ActionPlan
  readonly source: { readonly kind: Kind | 'direct'; readonly id: string }
  /**
   * What is gathered has a key of its own, remembered until then: whoever asks again is told who took it in, and nothing is
   * taken in twice.
   */
  readonly asked?: { readonly key: string; readonly until: number }
  /** Groups dead letters, when the plan was born dead. */
  readonly fingerprint?: string
  /** Eager dispatch: inserted already claimed by this worker, unless a pause closes its lane or its execution. */
  readonly claim?: { readonly worker: string; readonly nonce: string; readonly leaseMs: number }
}

/** The proof of a claim. */
export interface Claim {
  readonly id: string
  readonly token: number
  readonly nonce: string
}

export interface Settle {
  readonly claim: Claim
  readonly settlement: Settlement
  readonly worker: string
  /** The number of the start this ends; 0 when the runner never started. */
  readonly attempt: number
  readonly startedAt: number
  readonly endedAt: number
  /** Reaping: holds only while the lease has really run out. */
  readonly onlyIfExpired?: true
  /** Groups dead letters: type, normalised message, place. */
  readonly fingerprint?: string
  /** It has a dedup key, which its end may set free. */
  readonly isKeyed?: true
}

/** Moves one execution: its new snapshot, and everything the decision asked for. */
export interface Advance {
  readonly execution: Execution
  /** The revision the decision was made on; 0 inserts the execution. */
  readonly expected: number
  /** The status it had at that revision, as the engine knows it: a row that must agree with it need not be read before. */
  readonly was?: ExecutionStatus
  /** The id was drawn for it: nobody can have begun it before, and it is not looked for. */
  readonly isDrawn?: true
  /** The chain as it stood at that revision. */
  readonly chain: ChainHead
  /** On insert: same id and same hash is a duplicate, same id and another hash a conflict. */
  readonly inputHash?: string
  /** Events this step consumes. Each is applied once; if any was before, the member is a duplicate. */
  readonly consume: readonly Consumed[]
  readonly actions: readonly NewAction[]
  readonly timers: readonly TimerPlan[]
  readonly cancel: Execution['pending']
  /** Of a recurrence: what became of its occurrences. */
  readonly occurrences?: readonly ToldOccurrence[]
  readonly history: readonly NewLink[]
}

export interface Consumed {
  readonly event: Event
  /** `outside`: its id is remembered. `inbox`: a waiting row is marked. `timer`: the timer row is deleted. `result`: fenced by its settlement. */
  readonly from: 'outside' | 'inbox' | 'timer' | 'result'
}

export interface Delivered {
  readonly execution: string
  readonly event: Event
}

/** A line of history, or of the feed. */
export interface Recorded {
  readonly type: string
  readonly at: number
  readonly data: JsonObject
  readonly execution?: string
}

/** What people ask for. Each is fenced by the status it needs; `conflict` says it was not so. */
export type Control =
  | {
      readonly kind: 'cancel_action'
      readonly id: string
      readonly reason: string
      /** What is told of it in the same commit is true of this status alone. */
      readonly only?: 'queued' | 'running'
    }
  | { readonly kind: 'run_now'; readonly id: string }
  | { readonly kind: 'hold'; readonly claim: Claim; readonly dueAt: number; readonly hold: string }
  | { readonly kind: 'retry_dead'; readonly id: string; readonly dueAt: number }
  | { readonly kind: 'archive_dead'; readonly id: string }
  | {
      readonly kind: 'resolve_review'
      readonly id: string
      readonly status: 'succeeded' | 'dead' | 'queued'
      readonly result?: Json
      readonly error?: ActionError
    }
  | { readonly kind: 'pause'; readonly scope: PauseScope; readonly value: string; readonly reason: string }
  | { readonly kind: 'resume'; readonly scope: PauseScope; readonly value: string }
  | { readonly kind: 'define'; readonly definition: DefinitionRow }
  | BulkChange
  | AlertChange

/** A tenant's executions, its actions of a type, its executions of a definition, or everything it has. */
export type PauseScope = 'execution' | 'type' | 'definition' | 'tenant'

export interface DefinitionRow {
  readonly kind: Kind
  readonly id: string
  readonly hash: string
  readonly content: JsonObject
}

export interface Result {
  readonly status: 'ok' | 'fenced' | 'conflict' | 'duplicate' | 'refused'
  /** With `refused`: why this member alone could not be written (a broken rule, a full disk). It is not applied. */
  readonly error?: PawlError
  /** What stood in the way, or what exists already: an execution, an action id, an event id, a claim. */
  readonly subject?: string
  /** With `ok` and an advance: the execution's new revision and chain head. */
  readonly revision?: number
  readonly chain?: ChainHead
  /** With `ok` and `define`: the number this content has among the versions of its definition. */
  readonly version?: number
  /** Actions not inserted because their dedup key is held, or their id known: the one that has it stands for them. */
  readonly deduplicated?: readonly { readonly id: string; readonly existing: string }[]
  /** Actions inserted under the claim they came with, and their lanes; what is paused was inserted as queued instead. */
  readonly claimed?: readonly { readonly id: string; readonly lane: number }[]
}

// ── the other verbs ──────────────────────────────────────────────────────────────────────────────────────────

export interface Lane extends Tenancy {
  readonly lane: number
  /** The action type, or `type@runner` for one pinned to a runner. */
  readonly type: string
  readonly priority: number
}

export interface Head extends Lane {
  /** When the oldest queued row of the lane is due. */
  readonly dueAt: number
  /** Rows due now, counted up to a bound. */
  readonly due: number
  /** Its tenant or type is paused: it must not be offered. */
  readonly paused: boolean
}

export interface ClaimRequest extends Clocks {
  readonly shares: readonly { readonly lane: number; readonly n: number }[]
  readonly batch: number
  readonly worker: string
  readonly nonce: string
  readonly leaseMs: number
  /** Stop taking rows when their configs add up to this; at least one is taken. */
  readonly byteBudget: number
}

/** A claimed action: everything a worker with the runner needs. */
export interface ClaimedAction extends Tenancy, Claim {
  readonly lane: number
  readonly execution: string | null
  readonly source: NewAction['source']
  readonly plan: ActionPlan
  readonly dueAt: number
  readonly createdAt: number
  readonly attempt: number
  readonly lost: number
  readonly reaps: number
  readonly cancelRequested: boolean
  readonly leaseUntil: number
}

/** A row that is there and cannot be read: all that names it, and why. One such row never holds up the others. */
interface Unreadable {
  readonly unreadable: PawlError
}

/** Claimed like any other, so that it can be settled, fenced, together with what its execution is told of it. */
export type UnreadableAction = Omit<ClaimedAction, 'plan'> & Unreadable

export interface DueTimer extends Tenancy {
  readonly execution: string
  readonly timer: TimerPlan
}

/** Set aside when it is told: it comes again only when its execution stood still and goes on. */
export interface UnreadableTimer extends Tenancy, Unreadable {
  readonly execution: string
  readonly key: string
}

export interface InboxEvent extends Tenancy {
  /** Its place among all that wait; of one execution's events, the order in which they came. */
  readonly seq: number
  readonly execution: string
  readonly definition: string
  readonly event: Event
}

/** Set aside like an unreadable timer. */
export interface UnreadableEvent extends Tenancy, Unreadable {
  readonly seq: number
  readonly execution: string
  readonly definition: string
  readonly eventId: string
}

export interface StoredExecution {
  readonly execution: Execution
  readonly revision: number
  readonly chain: ChainHead
  readonly createdAt: number
  readonly updatedAt: number
}

export interface LoadedExecution extends StoredExecution {
  /** Events of it are not yet applied, whether it goes on or stands still. */
  readonly waiting: boolean
}

/** A definition with events that wait, and one tenancy in which they do. */
export interface WaitingDefinition extends Tenancy {
  readonly definition: string
}

export interface ExecutionRef extends Tenancy {
  readonly id: string
}

export interface UnreadableExecution extends Unreadable {
  readonly ref: ExecutionRef
}

/** The claims as they were given: two of one action, an old and a new one, are told apart. */
export interface Extended {
  /** No longer the process's own. */
  readonly lost: readonly Claim[]
  /** Still its own, and someone wants them stopped. */
  readonly cancelled: readonly Claim[]
}

/** What a listener is told: something may be due in these lanes, a timer may be earlier, an event waits. */
export interface Wake {
  readonly lanes: readonly number[]
  readonly timers: boolean
  readonly inbox: boolean
}

export interface Store {
  /** Part of every idempotency key; survives restore and graduation. */
  readonly id: string
  /** Commits worth having under way at the same time, now. */
  readonly flights: () => number
  /** Claims worth having under way at the same time. */
  readonly claims: number
  readonly commit: (batch: readonly Member[]) => Promise<readonly Result[]>
  readonly claim: (request: ClaimRequest) => Promise<readonly (ClaimedAction | UnreadableAction)[]>
  /** One call for all leases of a process: which are no longer its own, which someone wants cancelled. */
  readonly extend: (claims: readonly Claim[], leaseMs: number, clocks: Clocks) => Promise<Extended>
  /** Claimed rows whose lease has run out. What becomes of them is decided in core and committed, fenced. */
  readonly reap: (limit: number, clocks: Clocks) => Promise<readonly (ClaimedAction | UnreadableAction)[]>
  readonly dueTimers: (limit: number, clocks: Clocks) => Promise<readonly (DueTimer | UnreadableTimer)[]>
  /**
   * Events not yet applied, of executions of these definitions that are neither paused nor failed, in order; those behind
   * `after`, the `seq` of one that was read before.
   */
  readonly inbox: (
    definitions: readonly string[],
    limit: number,
    after?: number,
  ) => Promise<readonly (InboxEvent | UnreadableEvent)[]>
  /** The first events of one execution that are not yet applied, in order, whether it goes on or stands still. */
  readonly waitingFor: (
    execution: ExecutionRef,
    limit: number,
  ) => Promise<readonly (InboxEvent | UnreadableEvent)[]>
  /** Every definition for which `inbox` would give something. */
  readonly waitingDefinitions: () => Promise<readonly WaitingDefinition[]>
  /** In no order; what does not exist is left out. */
  readonly load: (
    executions: readonly ExecutionRef[],
  ) => Promise<readonly (LoadedExecution | UnreadableExecution)[]>
  readonly heads: (clocks: Clocks) => Promise<readonly Head[]>
  /** Calls back when something may be due sooner than known. Returns how to stop. */
  readonly wake: (listener: (wake: Wake) => void) => () => void
  readonly close: () => Promise<void>
}

/** The same commit inside the caller's own transaction. It is durable when theirs is. */
export interface TransactionalStore<Client> {
  readonly in: (client: Client) => {
    readonly commit: (batch: readonly Member[]) => Promise<readonly Result[]>
  }
}
