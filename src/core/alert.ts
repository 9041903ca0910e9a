// Owns when a failure calls for a person and which alert it belongs to: one per cause and window, however often it
// happens. Who is told, and how, is the engine's.

import type { ActionError } from './action-error.ts'
import { base32, sha256 } from './hash.ts'
import { canonical, type JsonObject } from './json.ts'

/** F-092. */
export interface RaisedAlert {
  /** The same for every failure of one cause in one window. */
  readonly id: string
  readonly type: 'action_failed'
  readonly severity: 'high'
  /** The fingerprint its dead letters are grouped by. */
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

/** Undefined: nobody is to be woken. An alert that cannot be delivered raises none, or there would be no end. */
export const alertOf = (failed: FailedAction, at: number, windowMs: number): RaisedAlert | undefined => {
  const { namespace, tenant, id, name, type, priority, status, execution, attempt, error } = failed
  if (failed.isAlert || (type !== CRITICAL_TYPE && priority <= CRITICAL_ABOVE)) return undefined
  const window = Math.floor(at / windowMs)
  const place = canonical([namespace, tenant, failed.fingerprint, windowMs, window])
  return {
    id: `alr_${base32(sha256(place)).slice(0, 26)}`,
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
