// Owns the reading of rows under a claim. A worker reads two hundred of them at a time and thousands in a second: what a claim
// returns is read by the place of its columns, what most rows say of themselves is not said, and what is made of it is written
// out. By names, and put together from parts, the same took three times as long.

import type { ActionPlan } from '../../core/action.ts'
import type { ClaimedAction, UnreadableAction } from '../store.ts'
import { planOfStored } from '../stored-plan.ts'
import type { Reading } from './bundle.ts'
import { PLAN, type PlannedRecord } from './rows.ts'
import { damaged, isShaped } from './shape.ts'

interface Held {
  readonly token: number
  readonly lease_until: number
  readonly cancel_requested: boolean
}

/** What is null where it is as usual: of the queue's own door, never tried, not asked to stop, made when it was due. */
type Usual = 'source_kind' | 'source_id' | 'attempt' | 'lost' | 'reaps' | 'cancel_requested' | 'created_at'

type Whole = PlannedRecord & Held

export type ClaimRecord = Omit<Whole, Usual> & { readonly [Name in Usual]: Whole[Name] | null }

/** One that was claimed just now. Its nonce is known to whoever claimed it. */
export type FreshRecord = ClaimRecord & { readonly size: number }

const numberOr = (text: string | null | undefined): number | null =>
  text === null || text === undefined ? null : Number(text)

/** The columns of claimActions and claimedActions, and the row they make. */
export const FRESH: Reading = {
  columns: [
    'id',
    'namespace',
    'tenant',
    'lane',
    'execution',
    'source_kind',
    'source_id',
    'due_at',
    'attempt',
    'lost',
    'reaps',
    'token',
    'lease_until',
    'size',
    'cancel_requested',
    'created_at',
    'plan',
  ],
  read: (fields): FreshRecord => ({
    id: fields[0]!,
    namespace: fields[1]!,
    tenant: fields[2]!,
    lane: Number(fields[3]),
    execution: fields[4]!,
    source_kind: fields[5] as FreshRecord['source_kind'],
    source_id: fields[6]!,
    due_at: Number(fields[7]),
    attempt: numberOr(fields[8]),
    lost: numberOr(fields[9]),
    reaps: numberOr(fields[10]),
    token: Number(fields[11]),
    lease_until: Number(fields[12]),
    size: Number(fields[13]),
    cancel_requested: fields[14] === null ? null : fields[14] === 't',
    created_at: numberOr(fields[15]),
    plan: JSON.parse(fields[16]!),
  }),
}

const claimOf = <Plan extends ActionPlan | undefined>(row: ClaimRecord, nonce: string, plan: Plan) => ({
  id: row.id,
  namespace: row.namespace,
  tenant: row.tenant,
  lane: Math.abs(row.lane),
  plan,
  source: { kind: row.source_kind ?? ('direct' as const), id: row.source_id ?? row.id },
  token: row.token,
  nonce,
  execution: row.execution,
  dueAt: row.due_at,
  createdAt: row.created_at ?? row.due_at,
  attempt: row.attempt ?? 0,
  lost: row.lost ?? 0,
  reaps: row.reaps ?? 0,
  cancelRequested: row.cancel_requested ?? false,
  leaseUntil: row.lease_until,
})

export const toClaimed = (row: ClaimRecord, nonce: string): ClaimedAction | UnreadableAction => {
  const { id, plan } = row
  if (isShaped(plan, PLAN)) {
    const createdAt = row.created_at ?? row.due_at
    return claimOf(row, nonce, planOfStored(plan, { id, createdAt }))
  }
  const { plan: _, ...claim } = claimOf(row, nonce, undefined)
  return { ...claim, unreadable: damaged(`the plan of ${id}`) }
}
