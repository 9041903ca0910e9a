// Owns when a failure calls for a person and which alert it belongs to: one per cause and window, however often it
// happens. Who is told, and how, is the engine's.

import type { ActionError } from './action-error.ts'
import { base32, sha256 } from './hash.ts'
import { canonical, type JsonObject } from './json.ts'

export type AlertType = 'action_failed' | 'recurrence_overdue'

/** F-092. */
export interface RaisedAlert {
  /** The same for every failure of one cause in one window. */
  readonly id: string
  readonly type: AlertType
  readonly severity: 'high'
  /** The fingerprint its dead letters are grouped by; of a recurrence, what befell it. */
  readonly cause: string
  readonly details: JsonObject
}

/** An action that will not be tried again without a person. */
export interface FailedAction {
  readonly namespace: string
  readonly tenant: string
  readonly id: string
  readonly name: string
  readonly type: string
  readonly priority: number
  readonly status: 'dead' | 'review'
  readonly execution: string | null
  readonly attempt: number
  readonly error: ActionError
  readonly fingerprint: string
  /** It is itself how somebody is told of an alert. */
  readonly isAlert: boolean
}

const CRITICAL_TYPE = 'blockchain_mint'
const CRITICAL_ABOVE = 90

/** One per cause and window. */
const alertId = (
  { namespace, tenant }: { readonly namespace: string; readonly tenant: string },
  cause: string,
  at: number,
  windowMs: number,
): string => {
  const place = canonical([namespace, tenant, cause, windowMs, Math.floor(at / windowMs)])
  return `alr_${base32(sha256(place)).slice(0, 26)}`
}

/** Undefined: nobody is to be woken. An alert that cannot be delivered raises none, or there would be no end. */
export const alertOf = (failed: FailedAction, at: number, windowMs: number): RaisedAlert | undefined => {
  const { id, name, type, priority, status, execution, attempt, error } = failed
  if (failed.isAlert || (type !== CRITICAL_TYPE && priority <= CRITICAL_ABOVE)) return undefined
  return {
    id: alertId(failed, failed.fingerprint, at, windowMs),
    type: 'action_failed',
    severity: 'high',
    cause: failed.fingerprint,
    details: {
      actionId: id,
      name,
      actionType: type,
      priority,
      status,
      attempt,
      ...(execution !== null && { executionId: execution }),
      error: {
        type: error.type,
        message: error.message,
        ...(error.code !== undefined && { code: error.code }),
      },
    },
  }
}

/** A recurrence whose next occurrence is long past, or whose timer is lost. */
export interface OverdueRecurrence {
  readonly namespace: string
  readonly tenant: string
  readonly id: string
  readonly nextAt: number | null
  readonly hasTimer: boolean
}

export const overdueAlert = (overdue: OverdueRecurrence, at: number, windowMs: number): RaisedAlert => {
  const { id, nextAt, hasTimer } = overdue
  const cause = `recurrence_overdue/${id}`
  const when = nextAt === null ? 'its end' : new Date(nextAt).toISOString()
  return {
    id: alertId(overdue, cause, at, windowMs),
    type: 'recurrence_overdue',
    severity: 'high',
    cause,
    details: {
      name: id,
      executionId: id,
      error: {
        type: 'overdue',
        message: hasTimer ? `nothing fired it at ${when}` : `no timer was armed for ${when}`,
      },
    },
  }
}
