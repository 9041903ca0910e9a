// What `commit` is asked to write of bulk operations and alerts: parts of a member like any other control.

import type { ActionError } from '../core/action-error.ts'
import type { RaisedAlert } from '../core/alert.ts'
import type { Bulk } from '../core/bulk.ts'

export interface BulkItem {
  readonly action: string
  /** The action whose end says how it came out: itself, or the new one made of it. */
  readonly watched: string
  readonly status: 'sent' | 'succeeded' | 'failed'
  readonly at: number
  readonly error?: ActionError
}

/** What `commit` is asked to write of an operation: on the revision it was decided on; 0 begins it. */
export interface BulkChange {
  readonly kind: 'bulk'
  readonly bulkId: string
  readonly expected: number
  readonly bulk: Bulk
  /** New ones. */
  readonly items: readonly BulkItem[]
  /** Sent before, and heard of now. */
  readonly heard: readonly BulkItem[]
}

export type AlertChange =
  | { readonly kind: 'alert_raise'; readonly alert: RaisedAlert }
  /** Somebody is being told of it: once. */
  | { readonly kind: 'alert_tell'; readonly alertId: string }
  | { readonly kind: 'alert_acknowledge'; readonly alertId: string; readonly by: string }
