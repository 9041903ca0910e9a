// Owns what each control needs to be true before it may be done: the status of the row it names, within the member's
// tenant. What it then does is in control.ts and pause.ts.

import { mayBeDone, type OnAction } from '../control-needs.ts'
import type { Control, PauseScope, Tenancy } from '../store.ts'
import { alertAllows } from './alerts.ts'
import { bulkRevision } from './bulk.ts'
import { type FenceRecord, fenced } from './fence.ts'
import type { Statements } from './statements.ts'

export interface Target {
  readonly status: 'ok' | 'fenced' | 'conflict'
  readonly subject: string
  /** The row a control of an action works on. */
  readonly row?: FenceRecord
}

const checkAction = (sql: Statements, of: Tenancy, control: OnAction): Target => {
  const { id } = control
  const row = sql.findFence.get<FenceRecord>({ id })
  const fits =
    row !== undefined &&
    row.namespace === of.namespace &&
    row.tenant === of.tenant &&
    mayBeDone(control, row.status)
  return fits ? { status: 'ok', subject: id, row } : { status: 'conflict', subject: id }
}

const GOING_ON = ['active', 'waiting', 'paused']

type Pausing = Extract<Control, { readonly kind: 'pause' | 'resume' }>

const checkPause = (sql: Statements, of: Tenancy, { kind, scope, value }: Pausing): Target => {
  const { namespace, tenant } = of
  const paused = (by: PauseScope, what: string): boolean =>
    sql.findPause.get({ namespace, tenant, scope: by, value: what }) !== undefined
  const isPaused = paused(scope, value)
  const status = (holds: boolean): Target => ({ status: holds ? 'ok' : 'conflict', subject: value })
  if (scope !== 'execution') return status(isPaused === (kind === 'resume'))
  const row = sql.findExecution.get<{ status: string; definition: string }>({ namespace, tenant, id: value })
  if (row === undefined) return status(false)
  if (kind === 'pause') return status(!isPaused && GOING_ON.includes(row.status))
  // One that only its definition stops has no pause of its own to end; one that stopped by itself has no pause at all.
  return status(row.status === 'paused' && (isPaused || !paused('definition', row.definition)))
}

export const checkControl = (sql: Statements, of: Tenancy, control: Control): Target => {
  switch (control.kind) {
    case 'hold': {
      const row = fenced(sql, of, control.claim, undefined)
      const subject = control.claim.id
      return row === undefined ? { status: 'fenced', subject } : { status: 'ok', subject, row }
    }
    case 'pause':
    case 'resume':
      return checkPause(sql, of, control)
    case 'define':
      return { status: 'ok', subject: control.definition.id }
    case 'bulk': {
      const isSame = bulkRevision({ sql }, of, control.bulkId) === control.expected
      return { status: isSame ? 'ok' : 'conflict', subject: control.bulkId }
    }
    case 'alert_raise':
      return { status: 'ok', subject: control.alert.id }
    case 'alert_tell':
    case 'alert_acknowledge':
      return { status: alertAllows({ sql }, of, control) ? 'ok' : 'conflict', subject: control.alertId }
    default:
      return checkAction(sql, of, control)
  }
}
