// Owns what an error of PostgreSQL or of its connection means: whose fault it is and what can be done about it. A
// member's own fault concerns that member alone; everything else concerns the store.

import { PawlError } from '../../core/errors.ts'

export type Fault =
  /** Two transactions stood in each other's way, and this one was undone: begin again. */
  | 'again'
  /** No room. */
  | 'full'
  /** What was asked cannot be: a constraint, a value of the wrong kind, a thrown error of ours. */
  | 'member'
  /** The connection is gone, or this server cannot write: another one may. */
  | 'lost'
  /** A statement is wrong, or a right is missing. */
  | 'store'

/** Something appeared between reading and writing: someone was quicker, and nothing was written. */
export class Overtaken extends Error {}

/** Of rows that are taken for new: one that was there is a race that was lost, and found when it is looked for. */
const TAKEN_FOR_NEW: ReadonlySet<unknown> = new Set(['actions_pkey', 'executions_pkey', 'inbox_pkey'])
const UNIQUE_VIOLATION = '23505'

const BY_CODE: ReadonlyMap<string, Fault> = new Map([
  ['22012', 'again'], // division_by_zero: a statement that counts what it changed found fewer than it was given
  ['25006', 'lost'], // read_only_sql_transaction: a standby
  ['25P03', 'lost'], // idle_in_transaction_session_timeout
  ['40001', 'again'], // serialization_failure
  ['40P01', 'again'], // deadlock_detected
  ['53100', 'full'], // disk_full
  ['55P03', 'again'], // lock_not_available
  ['57014', 'again'], // query_canceled: a statement timeout
  ['57P01', 'lost'], // admin_shutdown: terminated
  ['57P02', 'lost'], // crash_shutdown
  ['57P03', 'lost'], // cannot_connect_now: starting or stopping
  ['57P05', 'lost'], // idle_session_timeout
])

const BY_CLASS: ReadonlyMap<string, Fault> = new Map([
  ['08', 'lost'], // connection_exception
  ['22', 'member'], // data_exception
  ['23', 'member'], // integrity_constraint_violation
  ['53', 'lost'], // insufficient_resources: too many connections, out of memory
  ['54', 'member'], // program_limit_exceeded: an index entry that is too large
])

/** What the driver and the socket say without a code of PostgreSQL. */
const CONNECTION =
  /^(ECONN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|ENOENT)|connection|not queryable|terminat|timeout|socket/i

const isDriver = (error: Error & { readonly code?: unknown }): boolean =>
  CONNECTION.test(String(error.code ?? '')) || CONNECTION.test(error.message)

export const faultOf = (error: unknown): Fault => {
  if (!(error instanceof Error)) return 'member'
  if (error instanceof PawlError) return error.code === 'store_unavailable' ? 'lost' : 'member'
  if (error instanceof Overtaken) return 'again'
  if (error instanceof AggregateError) return 'lost'
  const { code, severity, constraint } = error as {
    readonly code?: unknown
    readonly severity?: unknown
    readonly constraint?: unknown
  }
  if (code === UNIQUE_VIOLATION && TAKEN_FOR_NEW.has(constraint)) return 'again'
  if (typeof code === 'string' && typeof severity === 'string')
    return BY_CODE.get(code) ?? BY_CLASS.get(code.slice(0, 2)) ?? 'store'
  return isDriver(error) ? 'lost' : 'member'
}

const saying = (error: unknown): string =>
  error instanceof Error ? error.message || error.name : String(error)

/** The store's own fault, as its caller sees it. */
export const storeError = (error: unknown): PawlError => {
  if (error instanceof PawlError) return error
  switch (faultOf(error)) {
    case 'again':
      return new PawlError('store_busy', `the change was undone again and again: ${saying(error)}`, {}, error)
    case 'full':
      return new PawlError('store_full', 'there is no room for the database', FREE_SOME, error)
    default:
      return new PawlError('store_unavailable', `the database could not be used: ${saying(error)}`, {}, error)
  }
}

const FREE_SOME = {
  expected: "room on the server's disk: free some, or let retention remove what is past its time",
}

/** A member's own fault, as its result carries it. */
export const memberError = (error: unknown): PawlError =>
  error instanceof PawlError
    ? error
    : new PawlError(
        'commit_refused',
        `the database refused the change: ${saying(error)}`.slice(0, 300),
        {},
        error,
      )
