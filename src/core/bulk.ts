// Owns a bulk operation as data: what it is asked to do, to which actions, how fast, how far it has come, and when it
// ends. Each step gives a new value; who commits it, and on what, is the engine.
// B1  done = succeeded + failed, and never more than sent. What is sent is never sent again: the store keeps an item of it.
// B2  It ends by itself when nothing is left to send and everything sent has been heard of, or after too many failures in
//     a row; what a person stopped stays stopped.

import type { JsonObject } from './json.ts'

export type BulkKind = 'replay' | 'archive' | 'cancel'
export type BulkStatus = 'running' | 'paused' | 'stopped' | 'completed'

/** Which actions are meant; what is absent means any. */
export interface TargetFilter {
  readonly type?: string
  readonly name?: string
  readonly errorType?: string
  readonly tag?: string
  readonly execution?: string
  /** When it died, or was due: from this instant … */
  readonly since?: number
  /** … and before this one. */
  readonly until?: number
  readonly ids?: readonly string[]
}

export interface Bulk {
  readonly kind: BulkKind
  readonly status: BulkStatus
  readonly filter: TargetFilter
  /** One group of dead letters: a fingerprint. */
  readonly group?: string
  readonly ratePerSecond: number
  /** So many failures in a row stop it. */
  readonly stopAfterFailures?: number
  /** Each as a new action with a key of its own, instead of another attempt of the same. */
  readonly asNew?: true
  /** Laid over each config, as RFC 7396 says; implies `asNew`. */
  readonly patch?: JsonObject
  readonly by?: string
  /** What the actions are told they were cancelled for, or why the whole was paused or stopped. */
  readonly reason?: string
  /** Counted when it began. */
  readonly total: number
  readonly sent: number
  readonly succeeded: number
  readonly failed: number
  /** Were no longer what they had been when their turn came. */
  readonly skipped: number
  /** Failures in a row, up to now. */
  readonly row: number
  /** Where the search for the next ones goes on; null: nothing is left to send. */
  readonly cursor: string | null
  readonly finishedAt?: number
}

/** What a filter can look at. */
export interface Target {
  readonly id: string
  readonly type: string
  readonly name: string
  readonly tags: readonly string[]
  readonly execution: string | null
  readonly errorType: string | undefined
  readonly at: number
}

export const START = ''
export const MAX_RATE = 10_000
export const DEFAULT_RATE = 100
/** Sent in one commit at most. */
const MAX_STEP = 100

export const matches = (filter: TargetFilter, target: Target): boolean =>
  is(filter.type, target.type) &&
  is(filter.name, target.name) &&
  is(filter.errorType, target.errorType) &&
  is(filter.execution, target.execution) &&
  (filter.tag === undefined || target.tags.includes(filter.tag)) &&
  (filter.since === undefined || target.at >= filter.since) &&
  (filter.until === undefined || target.at < filter.until) &&
  (filter.ids === undefined || filter.ids.includes(target.id))

const is = (wanted: string | undefined, found: string | null | undefined): boolean =>
  wanted === undefined || wanted === found

/** How many go at once, and how long until the next: ten steps a second, so that no second sees more than the rate. */
export const paceOf = ({ ratePerSecond }: Bulk): { readonly step: number; readonly gapMs: number } => {
  const step = Math.min(MAX_STEP, Math.max(1, Math.floor(ratePerSecond / 10)))
  return { step, gapMs: Math.ceil((1000 * step) / ratePerSecond) }
}

export interface Progress {
  readonly sent?: number
  readonly skipped?: number
  readonly cursor?: string | null
  /** How those that were heard of came out, in the order in which they ended. */
  readonly outcomes?: readonly ('succeeded' | 'failed')[]
}

export const progress = (bulk: Bulk, made: Progress, now: number): Bulk => {
  const { outcomes = [], cursor = bulk.cursor } = made
  const failed = outcomes.filter((outcome) => outcome === 'failed').length
  const moved: Bulk = {
    ...bulk,
    cursor,
    sent: bulk.sent + (made.sent ?? 0),
    skipped: bulk.skipped + (made.skipped ?? 0),
    succeeded: bulk.succeeded + outcomes.length - failed,
    failed: bulk.failed + failed,
    row: rowOf(bulk.row, outcomes, bulk.stopAfterFailures),
  }
  return ending(moved, now)
}

/** Failures in a row; once there were too many, a success after them changes nothing. */
const rowOf = (before: number, outcomes: Progress['outcomes'] & object, most = Infinity): number => {
  let row = before
  for (const outcome of outcomes) {
    if (row >= most) break
    row = outcome === 'failed' ? row + 1 : 0
  }
  return row
}

const ending = (bulk: Bulk, now: number): Bulk => {
  if (bulk.status !== 'running') return bulk
  if (bulk.stopAfterFailures !== undefined && bulk.row >= bulk.stopAfterFailures)
    return { ...bulk, status: 'stopped', reason: `${bulk.row} failures in a row`, finishedAt: now }
  const isHeard = bulk.succeeded + bulk.failed === bulk.sent
  return bulk.cursor === null && isHeard ? { ...bulk, status: 'completed', finishedAt: now } : bulk
}

/** What a person asks; undefined when its status does not allow it. */
export const turn = (
  bulk: Bulk,
  to: 'paused' | 'running' | 'stopped',
  reason: string | undefined,
  now: number,
): Bulk | undefined => {
  const from: readonly BulkStatus[] =
    to === 'running' ? ['paused'] : to === 'paused' ? ['running'] : ['running', 'paused']
  if (!from.includes(bulk.status)) return undefined
  const { reason: before, ...rest } = bulk
  const told = bulk.kind === 'cancel' ? before : reason
  const turned: Bulk = {
    ...rest,
    ...(told !== undefined && { reason: told }),
    status: to,
    ...(to === 'stopped' && { finishedAt: now }),
  }
  // What was heard while it was paused may have been the last of it.
  return to === 'running' ? ending({ ...turned, row: 0 }, now) : turned
}
