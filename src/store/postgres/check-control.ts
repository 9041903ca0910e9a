// Owns what each control needs to be true before it may be done: the status of the row it names, within the member's
// tenant. What it then does is in control.ts and pause.ts.

import { mayBeDone, type OnAction } from '../control-needs.ts'
import type { Control, PauseScope, Tenancy } from '../store.ts'
import { alertAllows } from './alerts.ts'
import { bulkAllows } from './bulk.ts'
import { type Draft, keyOf } from './draft.ts'
import { fenced, findLive } from './fence.ts'
import type { ActionState } from './states.ts'

export interface Target {
  readonly status: 'ok' | 'fenced' | 'conflict'
  readonly subject: string
  /** The row a control of an action works on. */
  readonly row?: ActionState
}

const checkAction = (draft: Draft, of: Tenancy, control: OnAction): Target => {
  const { id } = control
  const row = findLive(draft, of, id)
  return row !== undefined && mayBeDone(control, row.status)
    ? { status: 'ok', subject: id, row }
    : { status: 'conflict', subject: id }
}

const GOING_ON = ['active', 'waiting', 'paused']

type Pausing = Extract<Control, { readonly kind: 'pause' | 'resume' }>

const checkPause = (draft: Draft, of: Tenancy, { kind, scope, value }: Pausing): Target => {
  const { namespace, tenant } = of
  const paused = (by: PauseScope, what: string): boolean =>
    draft.pauses.get(keyOf(namespace, tenant, by, what)) !== undefined
  const isPaused = paused(scope, value)
  const status = (holds: boolean): Target => ({ status: holds ? 'ok' : 'conflict', subject: value })
  if (scope !== 'execution') return status(isPaused === (kind === 'resume'))
  const row = draft.executions.get(keyOf(namespace, tenant, value))
  if (row === undefined) return status(false)
  if (kind === 'pause') return status(!isPaused && GOING_ON.includes(row.status))
  // One that only its definition stops has no pause of its own to end; one that stopped by itself has no pause at all.
  return status(row.status === 'paused' && (isPaused || !paused('definition', row.definition)))
}

export const checkControl = (draft: Draft, of: Tenancy, control: Control): Target => {
  switch (control.kind) {
    case 'hold': {
      const row = fenced(draft, of, control.claim, undefined)
      const subject = control.claim.id
      return row === undefined ? { status: 'fenced', subject } : { status: 'ok', subject, row }
    }
    case 'pause':
    case 'resume':
      return checkPause(draft, of, control)
    case 'define':
      return { status: 'ok', subject: control.definition.id }
    case 'bulk':
      return { status: bulkAllows(draft, of, control) ? 'ok' : 'conflict', subject: control.bulkId }
    case 'alert_raise':
      return { status: 'ok', subject: control.alert.id }
    case 'alert_tell':
    case 'alert_acknowledge':
      return { status: alertAllows(draft, of, control) ? 'ok' : 'conflict', subject: control.alertId }
    default:
      return checkAction(draft, of, control)
  }
}
