// The port for what people do about failures: bulk operations with their items, alerts, and the searches for the actions
// they are about. It is read here and written by `commit`, so that an operation's progress and what it did are one.
// T1  An operation has one item per action, ever: what was sent once cannot be sent again by the same operation.
// T2  A lease says who works on an operation and paces it; what keeps two from doing it twice is its revision.

import type { ActionStatus } from '../core/action.ts'
import type { ActionError } from '../core/action-error.ts'
import type { RaisedAlert } from '../core/alert.ts'
import type { Bulk } from '../core/bulk.ts'
import type { ActionRow, Page, PageRequest } from './reader.ts'
import type { Clocks, Lane, Tenancy } from './store.ts'
import type { BulkItem } from './triage-change.ts'

export interface BulkRow extends Tenancy {
  readonly id: string
  /** Counts its changes, from 1. */
  readonly revision: number
  readonly bulk: Bulk
  readonly createdAt: number
  readonly updatedAt: number
}

/** Something sent, and what its action has come to; undefined when it is no longer there. */
export interface BulkOutcome extends Pick<BulkItem, 'action' | 'watched'> {
  readonly status: ActionStatus | undefined
  readonly finishedAt: number | undefined
  readonly error?: ActionError
}

export interface AlertRow extends Tenancy, RaisedAlert {
  /** How often its cause was met. */
  readonly count: number
  readonly firstAt: number
  readonly lastAt: number
  readonly acknowledgedAt?: number
  readonly acknowledgedBy?: string
}

/** Rows of a search, and those among them that cannot be read. */
export interface Found<Row> {
  readonly rows: readonly Row[]
  readonly unreadable: readonly string[]
}

export interface DeadPlace {
  readonly fingerprint: string
  readonly id: string
}

/** A place in an order of time. */
export interface TimePlace {
  readonly at: number
  readonly id: string
}

export interface Triage {
  readonly bulk: (of: Tenancy, id: string) => Promise<BulkRow | undefined>
  /** Newest first. */
  readonly bulks: (of: Tenancy, page: PageRequest) => Promise<Page<BulkRow>>
  /** Those that failed, by action. */
  readonly failures: (of: Tenancy, bulk: string, page: PageRequest) => Promise<Page<BulkItem>>
  /** Of all tenants, oldest first. */
  readonly running: (limit: number) => Promise<readonly BulkRow[]>
  /** The right to work on it until a time; false when another process has it, or it does not run. */
  readonly take: (
    of: Tenancy,
    id: string,
    holder: string,
    leaseMs: number,
    clocks: Clocks,
  ) => Promise<boolean>
  /** Its items that were sent and not yet heard of, by action, behind `after`. */
  readonly outcomes: (
    of: Tenancy,
    bulk: string,
    after: string,
    limit: number,
  ) => Promise<readonly BulkOutcome[]>
  /** Which of these actions it has sent before. */
  readonly sent: (of: Tenancy, bulk: string, actions: readonly string[]) => Promise<readonly string[]>
  /** Dead letters in the order of their groups, or of one group; behind a place. */
  readonly dead: (
    of: Tenancy,
    group: string | undefined,
    after: DeadPlace,
    limit: number,
  ) => Promise<Found<ActionRow> & { readonly last?: DeadPlace }>
  /** The lanes a tenant's queued actions are in. */
  readonly lanes: (of: Tenancy) => Promise<readonly Pick<Lane, 'lane' | 'type'>[]>
  /** Queued actions of one lane by due time; parked ones under its negative. */
  readonly queued: (
    of: Tenancy,
    lane: number,
    after: TimePlace,
    limit: number,
  ) => Promise<Found<ActionRow> & { readonly last?: TimePlace }>
  /** Dead letters of all tenants that died up to an instant, oldest first. */
  readonly deadBefore: (
    before: number,
    after: TimePlace,
    limit: number,
  ) => Promise<Found<ActionRow> & { readonly last?: TimePlace }>
  readonly alert: (of: Tenancy, id: string) => Promise<AlertRow | undefined>
  /** Newest first; `open`: only those nobody has acknowledged, or only those somebody has. */
  readonly alerts: (
    of: Tenancy,
    filter: { readonly open?: boolean },
    page: PageRequest,
  ) => Promise<Page<AlertRow>>
  /** Of all tenants: those nobody was told of, oldest first. */
  readonly untold: (limit: number) => Promise<readonly AlertRow[]>
}
