// Owns the way from inspected rows to the port, where both stores write them alike: flags are 0 and 1 on one and
// booleans on the other, and a column that cannot be read stands for itself.

import type { ActionPlan, ActionStatus } from '../core/action.ts'
import type { Bulk } from '../core/bulk.ts'
import type { Execution, ExecutionStatus, Kind } from '../core/execution.ts'
import type { Chained } from '../core/history.ts'
import type { JsonObject } from '../core/json.ts'
import type { Fate } from '../core/triggers/occurrences.ts'
import type {
  ActionFacts,
  AlertFacts,
  AuditFacts,
  BulkFacts,
  Coverage,
  ExecutionFile,
  HeadRow,
  InboxEntry,
  LimitFacts,
  OccurrenceFacts,
  OutboxFacts,
  OwnedRow,
  Position,
  StepRow,
  TimerEntry,
  ToldRow,
} from './inspect.ts'
import type { OccurrenceDetails } from './occurrences.ts'
import type { ExecutionRef, Tenancy } from './store.ts'
import { readOr } from './unreadable.ts'

type Flag = number | boolean

/** What a plan is read from. */
export interface PlannedRow {
  readonly id: string
  readonly created_at: number
  readonly plan: unknown
}

export interface StepRecord<Plan> extends PlannedRow {
  readonly status: ActionStatus
  readonly token: number
  readonly finished_at: number | null
  readonly plan: Plan
}

export const toStep = (row: StepRecord<unknown>, planOf: () => ActionPlan): StepRow => ({
  id: row.id,
  status: row.status,
  token: row.token,
  finishedAt: row.finished_at,
  ...readOr(
    () => {
      const { stepKey, status } = planOf()
      return { stepKey, isBornDead: status === 'dead' }
    },
    () => ({}),
  ),
})

export interface InboxEntryRecord {
  readonly event_id: string
  readonly definition: string
  readonly held: Flag
  readonly applied_at: number | null
  readonly has_event: Flag
}

export const toInboxEntry = (row: InboxEntryRecord): InboxEntry => ({
  eventId: row.event_id,
  definition: row.definition,
  isHeld: Boolean(row.held),
  appliedAt: row.applied_at,
  hasEvent: Boolean(row.has_event),
})

export interface TimerEntryRecord {
  readonly key: string
  readonly held: Flag
}

export const toTimerEntry = ({ key, held }: TimerEntryRecord): TimerEntry => ({ key, isHeld: Boolean(held) })

export interface InspectedExecution extends Tenancy {
  readonly id: string
  readonly kind: Kind
  readonly definition: string
  readonly status: ExecutionStatus
  readonly paused_from: ExecutionStatus | null
  readonly state: string | null
  readonly chain_number: number
  readonly chain_hash: string
  readonly created_at: number
  readonly error: unknown
  readonly paused_itself: Flag
  readonly first_number: number | null
  /** Of a store whose tables do not say themselves what a column may hold. */
  readonly unfit?: string | null
}

type Parts = Pick<ExecutionFile, 'lines' | 'steps' | 'inbox' | 'timers' | 'isCut'>

export const toFile = (
  row: InspectedExecution,
  snapshotOf: () => Pick<Execution, 'visits' | 'pending'>,
  parts: Parts,
): ExecutionFile => ({
  namespace: row.namespace,
  tenant: row.tenant,
  id: row.id,
  kind: row.kind,
  definition: row.definition,
  status: row.status,
  pausedFrom: row.paused_from,
  state: row.state,
  chain: { number: row.chain_number, hash: row.chain_hash },
  createdAt: row.created_at,
  hasError: row.error !== null,
  isPausedItself: Boolean(row.paused_itself),
  snapshot: readOr(snapshotOf, (unreadable) => ({ unreadable })),
  firstNumber: row.first_number,
  unfit: row.unfit ?? null,
  ...parts,
})

export interface FactsRecord extends Tenancy, PlannedRow {
  readonly status: ActionStatus
  readonly lane: number
  readonly lane_namespace: string | null
  readonly lane_tenant: string
  readonly lane_type: string
  readonly lane_priority: number
  readonly execution: string | null
  readonly execution_status: ExecutionStatus | null
  readonly attempt: number
  readonly lost: number
  readonly reaps: number
  readonly token: number
  readonly nonce?: string | null
  readonly lease_until?: number | null
  readonly fingerprint: string | null
  readonly started_at: number | null
  readonly finished_at: number | null
  readonly archived_at: number | null
  readonly error: unknown
  readonly result: unknown
  readonly twins: number
  readonly tries: number
  readonly last_try: number | null
  readonly foreign_tries: number
  /** As of an execution. */
  readonly unfit?: string | null
}

export const toFacts = (row: FactsRecord, isLive: boolean, planOf: () => ActionPlan): ActionFacts => ({
  namespace: row.namespace,
  tenant: row.tenant,
  id: row.id,
  isLive,
  status: row.status,
  lane: row.lane,
  laneRow:
    row.lane_namespace === null
      ? null
      : {
          namespace: row.lane_namespace,
          tenant: row.lane_tenant,
          type: row.lane_type,
          priority: row.lane_priority,
        },
  execution: row.execution,
  executionStatus: row.execution_status,
  attempt: row.attempt,
  lost: row.lost,
  reaps: row.reaps,
  token: row.token,
  nonce: row.nonce ?? null,
  leaseUntil: row.lease_until ?? null,
  fingerprint: row.fingerprint,
  startedAt: row.started_at,
  finishedAt: row.finished_at,
  archivedAt: row.archived_at,
  hasError: row.error !== null,
  hasResult: row.result !== null,
  plan: readOr(planOf, (unreadable) => ({ unreadable })),
  twins: row.twins,
  tries: row.tries,
  lastTry: row.last_try,
  foreignTries: row.foreign_tries,
  unfit: row.unfit ?? null,
})

export interface OwnedRecord extends Tenancy {
  readonly owner: string | null
  readonly name: string | number
  readonly owned: Flag
}

export const toOwned = ({ namespace, tenant, owner, name, owned }: OwnedRecord, at: Position): OwnedRow => ({
  namespace,
  tenant,
  at,
  owner,
  name: String(name),
  isOwned: Boolean(owned),
})

export type BulkFactsRecord = Omit<BulkFacts, 'bulk'>

export const toBulkFacts = (
  { namespace, tenant, id, status, items, succeeded, failed }: BulkFactsRecord,
  read: () => Bulk,
): BulkFacts => ({
  ...{ namespace, tenant, id, status, items, succeeded, failed },
  bulk: readOr(read, (unreadable) => ({ unreadable })),
})

export interface AlertFactsRecord extends ExecutionRef {
  readonly first_at: number
  readonly last_at: number
  readonly acknowledged_at: number | null
  readonly acknowledged_by: string | null
}

export const toAlertFacts = (row: AlertFactsRecord, read: () => JsonObject): AlertFacts => ({
  ...{ namespace: row.namespace, tenant: row.tenant, id: row.id },
  ...{ firstAt: row.first_at, lastAt: row.last_at },
  ...{ acknowledgedAt: row.acknowledged_at, acknowledgedBy: row.acknowledged_by },
  details: readOr(read, (unreadable) => ({ unreadable })),
})

export interface OutboxFactsRecord extends ExecutionRef {
  readonly at: number
  readonly action: string | null
  readonly owned: Flag
}

export const toOutboxFacts = (row: OutboxFactsRecord, read: () => JsonObject): OutboxFacts => ({
  ...{ namespace: row.namespace, tenant: row.tenant, id: row.id, at: row.at, action: row.action },
  isOwned: Boolean(row.owned),
  entry: readOr(read, (unreadable) => ({ unreadable })),
})

export interface LimitFactsRecord extends Tenancy {
  readonly key: string
  readonly shut: Flag
}

export const toLimitFacts = (row: LimitFactsRecord, read: () => JsonObject): LimitFacts => ({
  ...{ namespace: row.namespace, tenant: row.tenant, key: row.key },
  isShut: Boolean(row.shut),
  state: readOr(read, (unreadable) => ({ unreadable })),
})

export interface CoverageRecord {
  readonly seq: number | null
  readonly place: number | null
  readonly newest: number | null
  readonly rebased: Flag
}

export const toCoverage = ({ seq, place, newest, rebased }: CoverageRecord): Coverage => ({
  oldest: seq === null || place === null ? null : { seq, place },
  newest,
  isRebased: Boolean(rebased),
})

export interface HeadAtRecord extends ExecutionRef {
  readonly number_then: number | null
  readonly hash_then: string | null
  readonly first_number: number | null
  readonly chain_number: number
  readonly chain_hash: string
}

/** The newest event of then; where all are purged, what the execution itself says. */
export const toHeadRow = (row: HeadAtRecord): HeadRow => {
  const { namespace, tenant, id, number_then, hash_then, first_number, chain_number, chain_hash } = row
  const isPurged = first_number === null && chain_number > 0
  const purged = isPurged ? { number: chain_number, hash: chain_hash } : null
  return {
    namespace,
    tenant,
    id,
    link: number_then === null ? purged : { number: number_then, hash: hash_then! },
    isLost: number_then === null && first_number !== null && first_number > 1,
  }
}

/** The parts of a position that are text; the beginning is before every text. */
export const textsOf = (after: Position, count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => String(after[index] ?? ''))

/** The one number of a position. */
export const numberOf = (after: Position): number => Number(after[0] ?? 0)

export interface OccurrenceRecord extends Tenancy {
  readonly recurrence: string
  readonly at: number
  readonly fate: Fate
  readonly told_at: number
  readonly owned: Flag
  readonly acted: Flag
}

export const toOccurrence = (row: OccurrenceRecord, detailsOf: () => OccurrenceDetails): OccurrenceFacts => ({
  namespace: row.namespace,
  tenant: row.tenant,
  recurrence: row.recurrence,
  at: row.at,
  fate: row.fate,
  toldAt: row.told_at,
  details: readOr(detailsOf, (unreadable) => ({ unreadable })),
  isOwned: Boolean(row.owned),
  hasAction: Boolean(row.acted),
})

export const toToldRow = ({
  at,
  fate,
  told_at,
}: Pick<OccurrenceRecord, 'at' | 'fate' | 'told_at'>): ToldRow => ({
  at,
  fate,
  toldAt: told_at,
})

export interface AuditFactsRecord extends Tenancy {
  readonly number: number
  readonly hash_before: string | null
}

export const toAuditFacts = (row: AuditFactsRecord, entryOf: () => Chained): AuditFacts => ({
  namespace: row.namespace,
  tenant: row.tenant,
  number: row.number,
  entry: readOr(entryOf, (unreadable) => ({ unreadable })),
  hashBefore: row.hash_before,
})
