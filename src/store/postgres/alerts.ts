// Owns alerts over PostgreSQL: reading them, and what a commit writes of one once its row was checked.

import type { Cursors } from '../cursor.ts'
import { NEWEST, page } from '../page.ts'
import type { Member, Tenancy } from '../store.ts'
import type { AlertRow, Triage } from '../triage.ts'
import type { AlertChange } from '../triage-change.ts'
import { type Draft, keyOf } from './draft.ts'
import { shaped } from './shape.ts'
import type { Statements } from './statements.ts'
import type { AlertState } from './states.ts'

const toAlert = (row: AlertState): AlertRow => ({
  namespace: row.namespace,
  tenant: row.tenant,
  id: row.id,
  type: row.type as AlertRow['type'],
  severity: row.severity as AlertRow['severity'],
  cause: row.cause,
  count: row.count,
  firstAt: row.first_at,
  lastAt: row.last_at,
  details: shaped(row.details, `alert ${row.id}`),
  ...(row.acknowledged_at !== null && { acknowledgedAt: row.acknowledged_at }),
  ...(row.acknowledged_by !== null && { acknowledgedBy: row.acknowledged_by }),
})

type AlertReads = Pick<Triage, 'alert' | 'alerts' | 'untold'>

export const createAlerts = (sql: Statements, cursors: Cursors): AlertReads => ({
  alert: async ({ namespace, tenant }, id) => {
    const [row] = (await sql.findAlert<AlertState>({ namespace, tenant, id })).rows
    return row && toAlert(row)
  },
  alerts: ({ namespace, tenant }, filter, request) => {
    const open = filter.open === undefined ? undefined : Number(filter.open)
    return page(cursors, ['alerts', namespace, tenant, { ...filter }], request, {
      fetch: async (place, limit) => {
        const wanted = { namespace, tenant, ...place, limit }
        return open === undefined
          ? (await sql.listAlerts<AlertState>(wanted)).rows
          : (await sql.alertsOfState<AlertState>({ ...wanted, open })).rows
      },
      read: toAlert,
      placeOf: (row) => ({ at: row.first_at, id: row.id }),
      nameOf: ({ id }) => id,
      start: NEWEST,
    })
  },
  untold: async (limit) => (await sql.untoldAlerts<AlertState>({ limit })).rows.map(toAlert),
})

/** May it be told of, or acknowledged: once each. */
export const alertAllows = (
  { alerts }: Draft,
  { namespace, tenant }: Tenancy,
  change: Exclude<AlertChange, { readonly kind: 'alert_raise' }>,
): boolean => {
  const row = alerts.get(keyOf(namespace, tenant, change.alertId))
  if (row === undefined) return false
  return (change.kind === 'alert_tell' ? row.told_at : row.acknowledged_at) === null
}

const raise = (
  { alerts }: Draft,
  { namespace, tenant, at }: Member,
  alert: Extract<AlertChange, { readonly kind: 'alert_raise' }>['alert'],
): void => {
  const key = keyOf(namespace, tenant, alert.id)
  const before = alerts.get(key)
  const { details } = alert
  const first = { told_at: null, acknowledged_at: null, acknowledged_by: null, count: 1, first_at: at }
  alerts.set(
    key,
    before === undefined
      ? { namespace, tenant, ...alert, ...first, last_at: at }
      : { ...before, details, count: before.count + 1, last_at: Math.max(before.last_at, at) },
  )
}

export const writeAlert = (draft: Draft, member: Member, change: AlertChange): void => {
  if (change.kind === 'alert_raise') {
    raise(draft, member, change.alert)
    return
  }
  const { namespace, tenant, at } = member
  const key = keyOf(namespace, tenant, change.alertId)
  const row = draft.alerts.get(key)!
  draft.alerts.set(
    key,
    change.kind === 'alert_tell'
      ? { ...row, told_at: at }
      : { ...row, acknowledged_at: at, acknowledged_by: change.by },
  )
}
