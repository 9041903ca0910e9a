// Owns alerts over SQLite: reading them, and what a commit writes of one once its row was checked.

import type { JsonObject } from '../../core/json.ts'
import type { Cursors } from '../cursor.ts'
import { NEWEST, page } from '../page.ts'
import type { Member, Tenancy } from '../store.ts'
import type { AlertRow, Triage } from '../triage.ts'
import type { AlertChange } from '../triage-change.ts'
import type { Connection } from './connection.ts'
import { seal, unseal } from './sealed.ts'
import type { Work } from './work.ts'
import type { Writer } from './writer.ts'

interface AlertRecord extends Tenancy {
  readonly id: string
  readonly type: AlertRow['type']
  readonly severity: AlertRow['severity']
  readonly cause: string
  readonly count: number
  readonly first_at: number
  readonly last_at: number
  readonly told_at: number | null
  readonly acknowledged_at: number | null
  readonly acknowledged_by: string | null
  readonly details: string
}

const toAlert = (row: AlertRecord): AlertRow => ({
  namespace: row.namespace,
  tenant: row.tenant,
  id: row.id,
  type: row.type,
  severity: row.severity,
  cause: row.cause,
  count: row.count,
  firstAt: row.first_at,
  lastAt: row.last_at,
  details: unseal<JsonObject>(row.details, `alert ${row.id}`),
  ...(row.acknowledged_at !== null && { acknowledgedAt: row.acknowledged_at }),
  ...(row.acknowledged_by !== null && { acknowledgedBy: row.acknowledged_by }),
})

type AlertReads = Pick<Triage, 'alert' | 'alerts' | 'untold'>

export const createAlerts = ({ sql }: Connection, writer: Writer, cursors: Cursors): AlertReads => ({
  alert: ({ namespace, tenant }, id) =>
    writer.read(() => {
      const row = sql.findAlert.get<AlertRecord>({ namespace, tenant, id })
      return row && toAlert(row)
    }),
  alerts: ({ namespace, tenant }, filter, request) => {
    const open = filter.open === undefined ? undefined : Number(filter.open)
    return page(cursors, ['alerts', namespace, tenant, { ...filter }], request, {
      fetch: (place, limit) => {
        const wanted = { namespace, tenant, ...place, limit }
        return writer.read(() =>
          open === undefined
            ? sql.listAlerts.all<AlertRecord>(wanted)
            : sql.alertsOfState.all<AlertRecord>({ ...wanted, open }),
        )
      },
      read: toAlert,
      placeOf: (row) => ({ at: row.first_at, id: row.id }),
      nameOf: ({ id }) => id,
      start: NEWEST,
    })
  },
  untold: (limit) => writer.read(() => sql.untoldAlerts.all<AlertRecord>({ limit }).map(toAlert)),
})

/** May it be told of, or acknowledged: once each. */
export const alertAllows = (
  { sql }: Pick<Work, 'sql'>,
  { namespace, tenant }: Tenancy,
  change: Exclude<AlertChange, { readonly kind: 'alert_raise' }>,
): boolean => {
  const row = sql.findAlert.get<AlertRecord>({ namespace, tenant, id: change.alertId })
  if (row === undefined) return false
  return (change.kind === 'alert_tell' ? row.told_at : row.acknowledged_at) === null
}

export const writeAlert = ({ sql }: Work, member: Member, change: AlertChange): void => {
  const { namespace, tenant, at } = member
  switch (change.kind) {
    case 'alert_raise': {
      const { id, type, severity, cause, details } = change.alert
      sql.raiseAlert.run({ namespace, tenant, id, type, severity, cause, at, details: seal(details) })
      break
    }
    case 'alert_tell':
      sql.tellAlert.run({ namespace, tenant, id: change.alertId, at })
      break
    case 'alert_acknowledge':
      sql.acknowledgeAlert.run({ namespace, tenant, id: change.alertId, at, by: change.by })
  }
}
