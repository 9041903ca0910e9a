// Owns the library as people hold it: the verbs of Pawl, in their words, with the types of their machines. What each does
// is pawl.ts, and behind it the engine.

import type { ActionRequest } from '../core/action.ts'
import type { Json, JsonObject } from '../core/json.ts'
import type { Schema } from '../core/schema.ts'
import type { DurationText } from '../core/time/duration.ts'
import type { EventInput, SendableEvent, StartInput, TypedMachine } from '../definitions/machine.ts'
import type { Schemas } from '../definitions/machine-events.ts'
import type { Resolution } from '../engine/control.ts'
import type { Dispatched, GatherInput } from '../engine/dispatch.ts'
import type { WorkOptions } from '../engine/engine.ts'
import type { WatchOptions } from '../engine/watch.ts'
import type { Why } from '../engine/why.ts'
import type { ActionOptions } from '../runners/action-options.ts'
import type {
  ActionFilter,
  Counts,
  DeadGroup,
  ExecutionFilter,
  FeedRow,
  HistoryRow,
  Page,
  PageRequest,
} from '../store/reader.ts'
import type { WorkerRow } from '../store/workers.ts'
import type { Report, VerifyOptions } from '../verify/verify.ts'
import type { AgendaQuery } from './agenda.ts'
import type { AgendaEntry } from './agenda-entry.ts'
import type { AlertDesk } from './alerts.ts'
import type { BulkDesk } from './bulk.ts'
import type { DeadLetterQueue } from './dead.ts'
import type { Defined, DefineOptions, DefinitionQuery, DefinitionView } from './define.ts'
import type { HealthDesk } from './health.ts'
import type { Definition } from './known.ts'
import type { OutboxDesk } from './outbox.ts'
import type { PatchPreview } from './preview.ts'
import type { Recurring } from './recurring.ts'
import type { SecretVerbs } from './secrets.ts'
import type { TaskDesk } from './tasks.ts'
import type { TemplateDesk } from './templates.ts'
import type { TimelineEntry } from './timeline.ts'
import type { ActionView, ExecutionView } from './views.ts'

export type AnyMachine = TypedMachine<string, Schema, Schemas>
export type PageOf = Partial<PageRequest>

export interface SendOptions {
  /** An id is applied once: sent again, it changes nothing. Drawn when absent. */
  readonly id?: string
}

export interface StartOptions<Variables> {
  readonly id?: string
  readonly variables?: Variables
}

/** One execution, to be talked to. */
export interface Run<Machine extends AnyMachine = AnyMachine> {
  readonly id: string
  /** False: it was there already, started with the same input. */
  readonly isNew: boolean
  readonly send: <Name extends SendableEvent<Machine>>(
    type: Name,
    payload: EventInput<Machine, Name>,
    options?: SendOptions,
  ) => Promise<SendResult>
  readonly get: () => Promise<ExecutionView>
}

export interface SendResult {
  readonly applied: boolean
  readonly duplicate: boolean
  readonly reason?: string
  readonly state: string | null
}

export interface DispatchOptions extends ActionOptions, GatherInput {
  /**
   * A name of the caller's: dispatched again under it, it is the same action. Debounced or batched it names the request: asked
   * again within a day, nothing is taken in twice.
   */
  readonly id?: string
}

/** One of many: a request, or a request with the options that `dispatch` takes. */
export type DispatchEntry =
  | ActionRequest
  | { readonly request: ActionRequest; readonly options?: DispatchOptions }

/** What can be done inside a transaction of the caller: it is true when theirs is. */
export interface Inside {
  readonly start: Pawl['start']
  /** Applied once the transaction is committed. */
  readonly send: (
    execution: string,
    type: string,
    payload?: Json,
    options?: SendOptions,
  ) => Promise<{ readonly id: string }>
  readonly dispatch: Pawl['dispatch']
  readonly dispatchMany: Pawl['dispatchMany']
}

/** Stops working: lets what runs finish, up to the drain time. */
export type StopWorking = (options?: { readonly now?: boolean }) => Promise<void>

export interface WorkRequest extends WorkOptions {
  /**
   * Drain on SIGTERM and SIGINT, end at once on the second. A program that listens to them itself must end itself.
   * Default false: the process is the program's.
   */
  readonly signals?: boolean
}

export type PauseTarget =
  | { readonly definition: string }
  | { readonly type: string }
  | { readonly tenant: true }

export interface Pawl {
  readonly start: {
    <Machine extends AnyMachine>(
      machine: Machine,
      input: StartOptions<StartInput<Machine>>,
    ): Promise<Run<Machine>>
    (definition: string, input?: StartOptions<JsonObject>): Promise<Run>
  }
  readonly send: (
    execution: string,
    type: string,
    payload?: Json,
    options?: SendOptions,
  ) => Promise<SendResult>
  readonly dispatch: (request: ActionRequest, options?: DispatchOptions) => Promise<Dispatched>
  /**
   * Up to 1,000 in one commit: all of them, or none. Answers in the order of the list, in which they also begin. What is wrong
   * with an entry names its place, and nothing is changed.
   * @example
   * await pawl.dispatchMany([
   *   notify({ to: 'ada' }),
   *   { request: notify({ to: 'bob' }), options: { id: 'welcome/bob', delay: '5m' } },
   * ])
   */
  readonly dispatchMany: (entries: readonly DispatchEntry[]) => Promise<readonly Dispatched[]>
  /** Claims and runs until stopped; any number of processes. */
  readonly work: (options?: WorkRequest) => Promise<StopWorking>
  /** What an action, a step or an execution is waiting for, in words. */
  readonly why: (id: string) => Promise<Why>
  readonly actions: {
    readonly get: (id: string) => Promise<ActionView | undefined>
    readonly list: (filter?: ActionFilter, page?: PageOf) => Promise<Page<ActionView>>
    readonly cancel: (id: string, reason?: string) => Promise<void>
    readonly runNow: (id: string) => Promise<void>
    readonly retry: (id: string) => Promise<void>
    readonly archive: (id: string) => Promise<void>
    /** Again as it was; with another config, or when it ended well, as a new action with a key of its own. */
    readonly replay: (id: string, options?: { readonly config?: Json }) => Promise<ActionView>
    /** Ends a review: what really happened. */
    readonly resolve: (id: string, resolution: Resolution) => Promise<void>
    /** Dead letters by cause. */
    readonly groups: (limit?: number) => Promise<readonly DeadGroup[]>
  }
  /** Dead letters and their groups. */
  readonly dead: DeadLetterQueue
  /** Many actions at once: replayed, archived, cancelled. */
  readonly bulk: BulkDesk
  readonly alerts: AlertDesk
  readonly executions: {
    readonly get: (id: string) => Promise<ExecutionView | undefined>
    readonly list: (filter?: ExecutionFilter, page?: PageOf) => Promise<Page<ExecutionView>>
    readonly history: (id: string, page?: PageOf) => Promise<Page<HistoryRow>>
    /** What it went through, where it stands, what is planned. */
    readonly timeline: (id: string, page?: PageOf) => Promise<Page<TimelineEntry>>
    readonly patch: (id: string, variables: JsonObject) => Promise<SendResult>
    /** What that would come to; nothing is changed. */
    readonly preview: (id: string, variables: JsonObject) => Promise<PatchPreview>
    readonly pause: (id: string, reason?: string) => Promise<void>
    readonly resume: (id: string) => Promise<void>
    readonly cancel: (id: string, reason?: string) => Promise<void>
  }
  /** Writes a definition down, so that every process can start it; the same content again changes nothing. */
  readonly define: (definition: Definition | JsonObject, options?: DefineOptions) => Promise<Defined>
  /** The newest version of each; of one that is named, all versions, newest first. */
  readonly definitions: (query?: DefinitionQuery) => Promise<readonly DefinitionView[]>
  readonly secrets: SecretVerbs
  /** What people have to do, and that it was done. */
  /** What fires again and again. */
  readonly recurring: Recurring
  readonly tasks: TaskDesk
  /** How actions of one name fare, and what to do about it. */
  readonly health: HealthDesk['health']
  /** How all of them fare. */
  readonly stats: HealthDesk['stats']
  /** What the sandbox would have sent. */
  readonly outbox: OutboxDesk
  /** Bodies of mail, kept in the store. */
  readonly templates: TemplateDesk
  /** The processes at work, of all tenants. */
  readonly workers: () => Promise<readonly WorkerRow[]>
  /** What is to come, in order of time: queued actions, armed timers, occurrences of recurrences. */
  readonly agenda: (query?: AgendaQuery, page?: PageOf) => Promise<Page<AgendaEntry>>
  readonly pause: (target: PauseTarget, reason?: string) => Promise<void>
  readonly resume: (target: PauseTarget) => Promise<void>
  readonly counts: () => Promise<Counts>
  /** Every fact of this tenant, in the order of its commit; resumes by cursor. */
  readonly watch: (options?: WatchOptions) => AsyncGenerator<FeedRow>
  /**
   * Where the feed stands: `watch({ after })` from here shows all that comes; on PostgreSQL also what was committed
   * while an older transaction was open. A cursor that is given is checked.
   */
  readonly position: (cursor?: string) => Promise<string>
  /** Inside the caller's own transaction: a pg client, or a node:sqlite database. */
  readonly in: (client: unknown) => Inside
  /** The same for another tenant. */
  readonly tenant: (tenant: string, namespace?: string) => Pawl
  /** Only with a virtual clock: moves it, doing all that is due on the way. */
  readonly advance: (
    by: { readonly to: string | number } | { readonly by: DurationText | number },
  ) => Promise<void>
  readonly now: () => number
  /** Looks through the whole store, all tenants: does everything that must hold hold? Reads only. */
  readonly verify: (options?: Omit<VerifyOptions, 'inspector'>) => Promise<Report>
  /** Drains, then closes the store. */
  readonly close: () => Promise<void>
}
