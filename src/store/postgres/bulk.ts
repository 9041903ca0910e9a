// Owns bulk operations over PostgreSQL: reading them and their items, the right to work on one, and what a commit writes of
// it once its revision was checked.

import type { ActionStatus } from '../../core/action.ts'
import type { ActionError } from '../../core/action-error.ts'
import type { Bulk } from '../../core/bulk.ts'
import type { Cursors } from '../cursor.ts'
import { NEWEST, page } from '../page.ts'
import type { Member, Tenancy } from '../store.ts'
import type { BulkOutcome, BulkRow, Triage } from '../triage.ts'
import type { BulkChange, BulkItem } from '../triage-change.ts'
import { type Draft, keyOf } from './draft.ts'
import { shaped } from './shape.ts'
import type { Statements } from './statements.ts'

interface BulkRecord extends Tenancy {
  readonly id: string
  readonly revision: number
  readonly created_at: number
  readonly updated_at: number
  readonly content: Bulk
}

interface ItemRecord {
  readonly action: string
  readonly watched: string
  readonly status: BulkItem['status']
  readonly at: number
  readonly error: ActionError | null
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
  bulk: shaped(row.content, `bulk operation ${row.id}`, ['kind', 'status']),
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

const toItem = ({ action, watched, status, at, error }: ItemRecord): BulkItem => ({
  action,
  watched,
  status,
  at,
  ...(error !== null && { error }),
})

const toOutcome = ({ action, watched, status, finished_at, error }: OutcomeRecord): BulkOutcome => ({
  action,
  watched,
  status: status ?? undefined,
  finishedAt: finished_at ?? undefined,
  ...(error !== null && { error }),
})

type BulkReads = Pick<Triage, 'bulk' | 'bulks' | 'failures' | 'running' | 'take' | 'outcomes' | 'sent'>

export const createBulks = (sql: Statements, cursors: Cursors): BulkReads => ({
  bulk: async ({ namespace, tenant }, id) => {
    const [row] = (await sql.findBulk<BulkRecord>({ namespace, tenant, id })).rows
    return row && toBulk(row)
  },
  bulks: ({ namespace, tenant }, request) =>
    page(cursors, ['bulks', namespace, tenant], request, {
      fetch: async ({ at, id }, limit) =>
        (await sql.listBulks<BulkRecord>({ namespace, tenant, at, id, limit })).rows,
      read: toBulk,
      placeOf: (row) => ({ at: row.created_at, id: row.id }),
      nameOf: ({ id }) => id,
      start: NEWEST,
    }),
  failures: ({ namespace, tenant }, bulk, request) =>
    page(cursors, ['bulk failures', namespace, tenant, bulk], request, {
      fetch: async ({ after }, limit) =>
        (await sql.failedItems<ItemRecord>({ namespace, tenant, bulk, after, limit })).rows,
      read: toItem,
      placeOf: (row) => ({ after: row.action }),
      nameOf: ({ action }) => action,
      start: { after: '' },
    }),
  running: async (limit) => (await sql.runningBulks<BulkRecord>({ limit })).rows.map(toBulk),
  take: async ({ namespace, tenant }, id, holder, leaseMs, { lease = null as number | null }) =>
    (await sql.takeBulk({ namespace, tenant, id, holder, lease_ms: leaseMs, lease })).count === 1,
  outcomes: async ({ namespace, tenant }, bulk, after, limit) =>
    (await sql.bulkOutcomes<OutcomeRecord>({ namespace, tenant, bulk, after, limit })).rows.map(toOutcome),
  sent: async ({ namespace, tenant }, bulk, actions) =>
    (await sql.findBulkItems<{ action: string }>({ namespace, tenant, bulk, actions })).rows.map(
      ({ action }) => action,
    ),
})

/** The revision it has; 0 when there is none of this tenant. */
const bulkRevision = ({ bulks }: Draft, { namespace, tenant }: Tenancy, id: string): number =>
  bulks.get(keyOf(namespace, tenant, id))?.revision ?? 0

const itemKey = ({ namespace, tenant }: Tenancy, bulk: string, action: string): string =>
  keyOf(namespace, tenant, bulk, action)

/** On the revision it was decided on, and what is heard of was sent and not heard of before. */
export const bulkAllows = (draft: Draft, of: Tenancy, change: BulkChange): boolean => {
  const { bulkId, expected, items, heard } = change
  const sent = new Set(items.filter(({ status }) => status === 'sent').map(({ action }) => action))
  const isSent = ({ action }: BulkItem): boolean =>
    sent.has(action) || draft.sent.get(itemKey(of, bulkId, action)) !== undefined
  const isOnce = new Set(heard.map(({ action }) => action)).size === heard.length
  return bulkRevision(draft, of, bulkId) === expected && isOnce && heard.every(isSent)
}

export const writeBulk = (draft: Draft, member: Member, change: BulkChange): void => {
  const { namespace, tenant, at } = member
  const { bulkId, bulk, expected, items, heard } = change
  const key = keyOf(namespace, tenant, bulkId)
  draft.bulks.set(key, {
    namespace,
    tenant,
    id: bulkId,
    revision: expected + 1,
    created_at: draft.bulks.get(key)?.created_at ?? at,
    written: { status: bulk.status, updated_at: at, content: bulk },
  })
  for (const item of items) {
    draft.bulkItems.add({ error: null, ...item, namespace, tenant, bulk: bulkId })
    if (item.status === 'sent') draft.sent.set(itemKey(member, bulkId, item.action), true)
  }
  for (const { action, status, at: heardAt, error = null } of heard) {
    draft.heardItems.add({ namespace, tenant, bulk: bulkId, action, status, at: heardAt, error })
    draft.sent.set(itemKey(member, bulkId, action), undefined)
  }
}
