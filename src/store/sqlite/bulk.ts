// Owns bulk operations over SQLite: reading them and their items, the right to work on one, and what a commit writes of
// it once its revision was checked.

import type { ActionStatus } from '../../core/action.ts'
import type { Bulk } from '../../core/bulk.ts'
import type { Cursors } from '../cursor.ts'
import { NEWEST, page } from '../page.ts'
import type { Member, Tenancy } from '../store.ts'
import type { BulkOutcome, BulkRow, Triage } from '../triage.ts'
import type { BulkChange, BulkItem } from '../triage-change.ts'
import type { Connection } from './connection.ts'
import { LostMember } from './lost.ts'
import { seal, sealOptional, unseal } from './sealed.ts'
import type { Work } from './work.ts'
import type { Writer } from './writer.ts'

interface BulkRecord extends Tenancy {
  readonly id: string
  readonly status: Bulk['status']
  readonly revision: number
  readonly created_at: number
  readonly updated_at: number
  readonly content: string
}

interface ItemRecord {
  readonly action: string
  readonly watched: string
  readonly status: BulkItem['status']
  readonly at: number
  readonly error: string | null
}

interface OutcomeRecord extends Omit<ItemRecord, 'status' | 'at'> {
  readonly status: ActionStatus | null
  readonly finished_at: number | null
}

const toBulk = (row: BulkRecord): BulkRow => ({
  namespace: row.namespace,
  tenant: row.tenant,
  id: row.id,
  revision: row.revision,
  bulk: unseal(row.content, `bulk operation ${row.id}`),
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

const errorOf = ({ error, action }: Pick<ItemRecord, 'error' | 'action'>): Pick<BulkItem, 'error'> =>
  error === null ? {} : { error: unseal(error, `the error of ${action}`) }

const toItem = (row: ItemRecord): BulkItem => ({
  action: row.action,
  watched: row.watched,
  status: row.status,
  at: row.at,
  ...errorOf(row),
})

const toOutcome = (row: OutcomeRecord): BulkOutcome => ({
  action: row.action,
  watched: row.watched,
  status: row.status ?? undefined,
  finishedAt: row.finished_at ?? undefined,
  ...errorOf(row),
})

type BulkReads = Pick<Triage, 'bulk' | 'bulks' | 'failures' | 'running' | 'take' | 'outcomes' | 'sent'>

export const createBulks = ({ sql }: Connection, writer: Writer, cursors: Cursors): BulkReads => ({
  bulk: ({ namespace, tenant }, id) =>
    writer.read(() => {
      const row = sql.findBulk.get<BulkRecord>({ namespace, tenant, id })
      return row && toBulk(row)
    }),
  bulks: ({ namespace, tenant }, request) =>
    page(cursors, ['bulks', namespace, tenant], request, {
      fetch: ({ at, id }, limit) =>
        writer.read(() => sql.listBulks.all<BulkRecord>({ namespace, tenant, at, id, limit })),
      read: toBulk,
      placeOf: (row) => ({ at: row.created_at, id: row.id }),
      nameOf: ({ id }) => id,
      start: NEWEST,
    }),
  failures: ({ namespace, tenant }, bulk, request) =>
    page(cursors, ['bulk failures', namespace, tenant, bulk], request, {
      fetch: ({ after }, limit) =>
        writer.read(() => sql.failedItems.all<ItemRecord>({ namespace, tenant, bulk, after, limit })),
      read: toItem,
      placeOf: (row) => ({ after: row.action }),
      nameOf: ({ action }) => action,
      start: { after: '' },
    }),
  running: (limit) => writer.read(() => sql.runningBulks.all<BulkRecord>({ limit }).map(toBulk)),
  take: ({ namespace, tenant }, id, holder, leaseMs, clocks) =>
    writer.run(1, () => {
      const now = clocks.lease ?? sql.clock.get<{ now: number }>()!.now
      return sql.takeBulk.run({ namespace, tenant, id, holder, until: now + leaseMs, now }) === 1
    }),
  outcomes: ({ namespace, tenant }, bulk, after, limit) =>
    writer.read(() =>
      sql.bulkOutcomes.all<OutcomeRecord>({ namespace, tenant, bulk, after, limit }).map(toOutcome),
    ),
  sent: ({ namespace, tenant }, bulk, actions) =>
    writer.read(() =>
      actions.filter((action) => sql.findBulkItem.get({ namespace, tenant, bulk, action }) !== undefined),
    ),
})

/** The revision it has; 0 when there is none of this tenant. */
export const bulkRevision = ({ sql }: Pick<Work, 'sql'>, of: Tenancy, id: string): number => {
  const { namespace, tenant } = of
  return sql.findBulk.get<BulkRecord>({ namespace, tenant, id })?.revision ?? 0
}

export const writeBulk = ({ sql }: Work, member: Member, change: BulkChange): void => {
  const { namespace, tenant, at } = member
  const { bulkId, bulk, expected, items, heard } = change
  const row = { namespace, tenant, id: bulkId, status: bulk.status, at, content: seal(bulk) }
  if (expected === 0) sql.insertBulk.run(row)
  else sql.updateBulk.run(row)
  for (const { error, ...item } of items)
    sql.insertBulkItem.run({ ...item, namespace, tenant, bulk: bulkId, error: sealOptional(error) })
  for (const { action, status, at: heardAt, error } of heard) {
    const end = { namespace, tenant, bulk: bulkId, action, status, at: heardAt, error: sealOptional(error) }
    if (sql.endBulkItem.run(end) === 0) throw new LostMember('conflict', bulkId)
  }
}
