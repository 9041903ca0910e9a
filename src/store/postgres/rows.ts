// Owns the mapping between rows and the port: snake_case on one side, camelCase on the other. JSON columns arrive read.

import type { ActionPlan, ActionStatus, AttemptOutcome } from '../../core/action.ts'
import type { ActionError } from '../../core/action-error.ts'
import type { Event } from '../../core/event.ts'
import type { Execution, ExecutionStatus, Kind } from '../../core/execution.ts'
import type { Json, JsonObject } from '../../core/json.ts'
import type { ActionRow, AttemptRow, DeadGroup, HistoryRow, StoredDefinition } from '../reader.ts'
import type {
  DueTimer,
  InboxEvent,
  NewAction,
  StoredExecution,
  Tenancy,
  UnreadableEvent,
  UnreadableTimer,
} from '../store.ts'
import { planOfStored, type StoredPlan } from '../stored-plan.ts'
import { orphaned, readOr } from '../unreadable.ts'
import { damaged, shaped } from './shape.ts'

export interface PlannedRecord extends Tenancy {
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
  readonly plan: StoredPlan
}

/** A live row, or one of the history: there the columns of a claim are missing. */
export interface ActionRecord extends PlannedRecord {
  readonly status: ActionStatus
  readonly worker: string | null
  readonly lease_until?: number | null
  readonly hold?: string | null
  readonly cancel_requested?: boolean
  readonly fingerprint: string | null
  readonly started_at: number | null
  readonly finished_at: number | null
  readonly archived_at: number | null
  readonly error: ActionError | null
  /** JSON text: null is a result too. */
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
  readonly error: Execution['error'] | null
  readonly visits: Execution['visits']
  readonly pending: Execution['pending']
  readonly variables: JsonObject
}

export const PLAN = ['type'] as const

export const planOf = ({
  plan,
  id,
  created_at: createdAt,
}: Pick<PlannedRecord, 'plan' | 'id' | 'created_at'>): ActionPlan =>
  planOfStored(shaped(plan, `the plan of ${id}`, PLAN), { id, createdAt })

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
  ...(row.error !== null && { error: shaped(row.error, `the error of ${row.id}`, ['type', 'message']) }),
  ...(row.result !== null && { result: JSON.parse(row.result) as Json }),
  ...present({ worker: row.worker, hold: row.hold, fingerprint: row.fingerprint }),
  ...present({
    startedAt: row.started_at,
    finishedAt: row.finished_at,
    archivedAt: row.archived_at,
    leaseUntil: row.lease_until,
  }),
  status: row.status,
  cancelRequested: row.cancel_requested === true,
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
  readonly error: ActionError | null
}

export const toAttempt = (row: AttemptRecord): AttemptRow => ({
  number: row.number,
  outcome: row.outcome,
  startedAt: row.started_at,
  endedAt: row.ended_at,
  worker: row.worker,
  ...(row.error !== null && { error: row.error }),
})

const stateOf = ({ id, variables, visits, pending }: ExecutionRecord) => {
  const what = (column: string): string => `${column} of execution ${id}`
  const { timers, actions } = shaped(pending, what('the pending steps'))
  if (!Array.isArray(timers) || !Array.isArray(actions)) throw damaged(what('the pending steps'))
  return {
    variables: shaped(variables, what('the variables')),
    visits: shaped(visits, what('the visits')),
    pending,
  }
}

export const toExecution = (row: ExecutionRecord): StoredExecution => ({
  execution: {
    id: row.id,
    namespace: row.namespace,
    tenant: row.tenant,
    kind: row.kind,
    definition: row.definition,
    definitionHash: row.definition_hash,
    status: row.status,
    state: row.state,
    ...stateOf(row),
    ...(row.error && { error: row.error }),
  },
  revision: row.revision,
  chain: { number: row.chain_number, hash: row.chain_hash },
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

export interface EventRecord {
  readonly execution: string | null
  readonly number: number | null
  readonly type: string
  readonly at: number
  readonly prev_hash: string | null
  readonly hash: string | null
  readonly data: JsonObject
}

export const eventData = ({ data, type }: EventRecord): JsonObject => shaped(data, `an event ${type}`)

export const toHistory = (row: EventRecord): HistoryRow => ({
  execution: row.execution!,
  number: row.number!,
  type: row.type,
  at: row.at,
  data: eventData(row),
  prevHash: row.prev_hash!,
  hash: row.hash!,
})

const eventOf = (event: Event, what: string): Event => shaped(event, what, ['id', 'type'])

export interface TimerRecord extends Tenancy {
  readonly execution: string
  readonly key: string
  readonly due_at: number
  readonly event: Event
  /** Told of those that are due; null: its execution is gone. */
  readonly owned?: 1 | null
}

export const toTimer = (row: TimerRecord): DueTimer | UnreadableTimer => {
  const { namespace, tenant, execution, key } = row
  const of = { namespace, tenant, execution }
  return readOr(
    () => {
      if (row.owned === null) throw orphaned(`timer ${key}`, execution)
      return { ...of, timer: { key, dueAt: row.due_at, event: eventOf(row.event, `timer ${key}`) } }
    },
    (unreadable) => ({ ...of, key, unreadable }),
  )
}

export interface InboxRecord extends Tenancy {
  readonly seq: number
  readonly execution: string
  readonly event_id: string
  readonly definition: string
  readonly event: Event
}

export const toInboxEvent = (row: InboxRecord): InboxEvent | UnreadableEvent => {
  const { seq, namespace, tenant, execution, definition } = row
  const of = { seq, namespace, tenant, execution, definition }
  return readOr(
    () => ({ ...of, event: eventOf(row.event, `event ${row.event_id} for ${execution}`) }),
    (unreadable) => ({ ...of, eventId: row.event_id, unreadable }),
  )
}

export interface DefinitionRecord {
  readonly kind: Kind
  readonly id: string
  readonly version: number
  readonly hash: string
  readonly created_at: number
  readonly content: JsonObject
}

export const toDefinition = ({ created_at, ...row }: DefinitionRecord): StoredDefinition => ({
  ...row,
  createdAt: created_at,
})
