// Owns `pawl.alerts`: what somebody should look at, and that somebody does.

import type { AlertType } from '../core/alert.ts'
import type { JsonObject } from '../core/json.ts'
import { alertWords } from '../engine/alerts.ts'
import type { Page, PageRequest } from '../store/reader.ts'
import type { Tenancy } from '../store/store.ts'
import type { AlertRow } from '../store/triage.ts'
import type { Parts } from './parts.ts'

/** F-092. */
export interface AlertView {
  readonly id: string
  readonly type: AlertType
  readonly severity: 'high'
  /** The fingerprint of its dead letters. */
  readonly cause: string
  /** How often its cause was met in its window. */
  readonly count: number
  readonly firstAt: string
  readonly lastAt: string
  readonly details: JsonObject
  readonly acknowledgedAt?: string
  readonly acknowledgedBy?: string
  readonly namespace: string
  readonly tenant: string
}

export interface AlertDesk {
  /** Newest first; `open`: only those nobody has acknowledged, or only those somebody has. */
  readonly list: (
    filter?: { readonly open?: boolean },
    page?: Partial<PageRequest>,
  ) => Promise<Page<AlertView>>
  readonly acknowledge: (id: string, by?: string) => Promise<AlertView>
}

const LIMIT = 50
const SOMEBODY = 'a person'

const alertView = (row: AlertRow): AlertView => {
  const { acknowledgedAt, acknowledgedBy } = row
  return {
    ...(alertWords(row) as unknown as AlertView),
    ...(acknowledgedAt !== undefined && { acknowledgedAt: new Date(acknowledgedAt).toISOString() }),
    ...(acknowledgedBy !== undefined && { acknowledgedBy }),
  }
}

export const createAlertDesk = ({ engine, opened }: Parts, of: Tenancy): AlertDesk => ({
  list: async (filter = {}, page = {}) => {
    const found = await opened.triage.alerts(of, filter, { limit: LIMIT, ...page })
    return { ...found, data: found.data.map(alertView) }
  },
  acknowledge: async (id, by = SOMEBODY) => alertView(await engine.triage.alerts.acknowledge(of, id, by)),
})
