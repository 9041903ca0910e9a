// Owns the mapping between rows and the port: snake_case and sealed text on one side, camelCase and values on the
// other. Nothing else knows how a value is written down.

import type { ActionPlan, ActionStatus, AttemptOutcome } from '../../core/action.ts'
import type { ActionError } from '../../core/action-error.ts'
import type { Event } from '../../core/event.ts'
import type { Execution, ExecutionStatus, Kind } from '../../core/execution.ts'
import type { Json, JsonObject } from '../../core/json.ts'
import type { ActionRow, AttemptRow, DeadGroup, HistoryRow, StoredDefinition } from '../reader.ts'
import type {
  ClaimedAction,
  DueTimer,
  InboxEvent,
  NewAction,
  StoredExecution,
  Tenancy,
  UnreadableAction,
  UnreadableEvent,
  UnreadableTimer,
} from '../store.ts'
import { planOfStored, type StoredPlan } from '../stored-plan.ts'
import { orphaned, readOr } from '../unreadable.ts'
import { sealText, unseal } from './sealed.ts'

interface PlannedRecord extends Tenancy {
  readonly id: string
  readonly lane: number
  readonly execution: string | null
  readonly source_kind: NewAction['source']['kind']
  readonly source_id: string
  readonly due_at: number
  readonly attempt: number
  readonly lost: number
  readonly reaps: number
  readonly created_at: number
  readonly plan: string
}

/** A row that is claimed. */
export interface ClaimRecord extends PlannedRecord {
  readonly row: number
  readonly token: number
  readonly nonce: string
  readonly lease_until: number
  readonly cancel_requested: number
}

/** A live row, or one of the history: there the columns of a claim are missing. */
export interface ActionRecord extends PlannedRecord {
  readonly status: ActionStatus
  readonly worker: string | null
  readonly lease_until?: number | null
  readonly hold?: string | null
  readonly cancel_requested?: number
  readonly fingerprint: string | null
  readonly started_at: number | null
  readonly finished_at: number | null
  readonly archived_at: number | null
  readonly error: string | null
  readonly result: string | null
}

export interface ExecutionRecord extends Tenancy {
  readonly id: string
  readonly kind: Kind
  readonly definition: string
  readonly definition_hash: string
  readonly status: ExecutionStatus
  readonly state: string | null
  readonly revision: number
  readonly chain_number: number
  readonly chain_hash: string
  readonly created_at: number
  readonly updated_at: number
  readonly error: string | null
  readonly visits: string
  readonly pending: string
  readonly variables: string
}

type Planned = Pick<PlannedRecord, 'plan' | 'id' | 'created_at'>

export const planOf = ({ plan, id, created_at: createdAt }: Planned): ActionPlan =>
  planOfStored(unseal<StoredPlan>(plan, `the plan of ${id}`), { id, createdAt })

/** Its plan, or why that cannot be read. */
export const planOrWhy = (row: Planned): Pick<ClaimedAction, 'plan'> | Pick<UnreadableAction, 'unreadable'> =>
  readOr(
    () => ({ plan: planOf(row) }),
    (unreadable) => ({ unreadable }),
  )

const planned = (row: PlannedRecord) => ({
  id: row.id,
  namespace: row.namespace,
  tenant: row.tenant,
  execution: row.execution,
  source: { kind: row.source_kind, id: row.source_id },
  dueAt: row.due_at,
  attempt: row.attempt,
  lost: row.lost,
  reaps: row.reaps,
  createdAt: row.created_at,
})

export const toReaped = (row: ClaimRecord): ClaimedAction | UnreadableAction => ({
  ...planned(row),
  token: row.token,
  nonce: row.nonce,
  leaseUntil: row.lease_until,
  lane: Math.abs(row.lane),
  cancelRequested: row.cancel_requested === 1,
  ...planOrWhy(row),
})

const errorOf = (row: { readonly error: string | null }, what: string): { readonly error?: ActionError } =>
  row.error === null ? {} : { error: unseal(row.error, `the error of ${what}`) }

/** The members whose value is there. */
const present = <Key extends string, Value>(members: Readonly<Record<Key, Value | null | undefined>>) =>
  Object.fromEntries(
    Object.entries<Value | null | undefined>(members).filter(
      ([, value]) => value !== null && value !== undefined,
    ),
  ) as { readonly [Name in Key]?: Value }

export const toAction = (row: ActionRecord): ActionRow => ({
  ...planned(row),
  plan: planOf(row),
  ...errorOf(row, row.id),
  ...(row.result !== null && { result: unseal<Json>(row.result, `the result of ${row.id}`) }),
  ...present({ worker: row.worker, hold: row.hold, fingerprint: row.fingerprint }),
  ...present({
    startedAt: row.started_at,
    finishedAt: row.finished_at,
    archivedAt: row.archived_at,
    leaseUntil: row.lease_until,
  }),
  status: row.status,
  cancelRequested: row.cancel_requested === 1,
})

/** What the newest of a group of dead letters says for it. */
export const toNewest = (row: ActionRecord): Pick<DeadGroup, 'actionType' | 'errorType' | 'message'> => {
  const { error, plan } = toAction(row)
  return {
    actionType: plan.type,
    errorType: error?.type ?? 'unknown_error',
    message: error?.message ?? '',
  }
}

export interface AttemptRecord {
  readonly number: number
  readonly outcome: AttemptOutcome
  readonly started_at: number
  readonly ended_at: number
  readonly worker: string
  readonly error: string | null
}

export const toAttempt = (row: AttemptRecord): AttemptRow => ({
  number: row.number,
  outcome: row.outcome,
  startedAt: row.started_at,
  endedAt: row.ended_at,
  worker: row.worker,
  ...errorOf(row, `attempt ${row.number}`),
})

export const toExecution = (row: ExecutionRecord): StoredExecution => {
  const what = (column: string): string => `${column} of execution ${row.id}`
  const execution: Execution = {
    id: row.id,
    namespace: row.namespace,
    tenant: row.tenant,
    kind: row.kind,
    definition: row.definition,
    definitionHash: row.definition_hash,
    status: row.status,
    state: row.state,
    variables: unseal(row.variables, what('the variables')),
    visits: unseal(row.visits, what('the visits')),
    pending: unseal(row.pending, what('the pending steps')),
    ...(row.error !== null && { error: unseal(row.error, what('the error')) }),
  }
  return {
    execution,
    revision: row.revision,
    chain: { number: row.chain_number, hash: row.chain_hash },
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

/** The parts of an event's row that its checksum covers beside the data: the row never changes. */
export interface EventRecord {
  readonly execution: string | null
  readonly number: number | null
  readonly type: string
  readonly at: number
  readonly prev_hash: string | null
  readonly hash: string | null
  readonly data: string
}

/** A list of short values is canonical as JSON writes it. */
const boundOf = (row: Omit<EventRecord, 'data'>): string =>
  JSON.stringify([row.execution, row.number, row.type, row.at, row.prev_hash, row.hash])

/** `json` is the text of its data. */
export const sealEvent = (row: Omit<EventRecord, 'data'>, json: string): string =>
  sealText(json, boundOf(row))

export const eventData = (row: EventRecord): JsonObject => unseal(row.data, 'an event', boundOf(row))

export const toHistory = (row: EventRecord): HistoryRow => ({
  execution: row.execution!,
  number: row.number!,
  type: row.type,
  at: row.at,
  data: eventData(row),
  prevHash: row.prev_hash!,
  hash: row.hash!,
})

export interface TimerRecord extends Tenancy {
  readonly execution: string
  readonly key: string
  readonly due_at: number
  readonly event: string
  /** Told of those that are due; null: its execution is gone. */
  readonly owned?: 1 | null
}

export const toTimer = (row: TimerRecord): DueTimer | UnreadableTimer => {
  const { namespace, tenant, execution, key } = row
  const of = { namespace, tenant, execution }
  return readOr(
    () => {
      if (row.owned === null) throw orphaned(`timer ${key}`, execution)
      return { ...of, timer: { key, dueAt: row.due_at, event: unseal<Event>(row.event, `timer ${key}`) } }
    },
    (unreadable) => ({ ...of, key, unreadable }),
  )
}

export interface InboxRecord extends Tenancy {
  readonly seq: number
  readonly execution: string
  readonly event_id: string
  readonly definition: string
  readonly event: string
}

export const toInboxEvent = (row: InboxRecord): InboxEvent | UnreadableEvent => {
  const { seq, namespace, tenant, execution, definition } = row
  const of = { seq, namespace, tenant, execution, definition }
  return readOr(
    () => ({ ...of, event: unseal<Event>(row.event, `event ${row.event_id} for ${execution}`) }),
    (unreadable) => ({ ...of, eventId: row.event_id, unreadable }),
  )
}

export interface DefinitionRecord {
  readonly kind: Kind
  readonly id: string
  readonly version: number
  readonly hash: string
  readonly created_at: number
  readonly content: string
}

export const toDefinition = (row: DefinitionRecord): StoredDefinition => ({
  kind: row.kind,
  id: row.id,
  version: row.version,
  hash: row.hash,
  createdAt: row.created_at,
  content: unseal(row.content, `definition ${row.id}`),
})
