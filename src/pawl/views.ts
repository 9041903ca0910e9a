// Owns what people and programs are shown of actions and executions (API.md): the words of the wire, instants as RFC 3339
// text, and never a secret, because a stored config has references only.

import { type ActionStatus, type ShownStatus, shownStatus } from '../core/action.ts'
import type { ActionError } from '../core/action-error.ts'
import type { ExecutionStatus, Kind } from '../core/execution.ts'
import type { Json, JsonObject } from '../core/json.ts'
import { idempotencyKey } from '../core/keys.ts'
import type { ActionRow, AttemptRow } from '../store/reader.ts'
import type { StoredExecution } from '../store/store.ts'
import type { RunnerRules } from './runner-rules.ts'

export interface AttemptView {
  readonly number: number
  readonly startedAt: string
  readonly endedAt?: string
  readonly outcome: AttemptRow['outcome']
  readonly error?: ActionError
  readonly worker: string
}

export interface ActionView {
  readonly id: string
  readonly name: string
  readonly type: string
  readonly status: ActionStatus
  readonly shown: ShownStatus
  readonly executionId?: string
  readonly source: ActionRow['source']
  readonly config: Json
  readonly dueAt: string
  readonly priority: number
  readonly attempt: number
  readonly maxAttempts: number
  readonly idempotencyKey: string
  readonly stepKey: string
  readonly result?: Json
  readonly error?: ActionError
  readonly createdAt: string
  readonly startedAt?: string
  readonly finishedAt?: string
  readonly archivedAt?: string
  readonly attempts: readonly AttemptView[]
  readonly tags: readonly string[]
  readonly metadata: JsonObject
  readonly summary?: string
  readonly dedupKey?: string
  readonly hold?: string
  /** Of one that succeeded, where its runner is known here and says what it costs. */
  readonly costEstimate?: number
  readonly namespace: string
  readonly tenant: string
}

export interface ExecutionView {
  readonly id: string
  readonly kind: Kind
  readonly definition: string
  readonly version: string
  readonly status: ExecutionStatus
  readonly state: string | null
  readonly variables: JsonObject
  readonly createdAt: string
  readonly updatedAt: string
  /** When it goes on by itself; only where one execution is asked for. */
  readonly nextAt?: string
  readonly error?: { readonly code: string; readonly message: string }
  readonly namespace: string
  readonly tenant: string
}

const instant = (at: number): string => new Date(at).toISOString()

const attemptView = ({ startedAt, endedAt, ...rest }: AttemptRow): AttemptView => ({
  ...rest,
  startedAt: instant(startedAt),
  endedAt: instant(endedAt),
})

/** A first success has no row of its own: the action says all there is. */
const attemptsOf = (row: ActionRow, attempts: readonly AttemptRow[]): readonly AttemptView[] => {
  const shown = attempts.map(attemptView)
  const isQuietSuccess =
    row.status === 'succeeded' && attempts.every(({ outcome }) => outcome !== 'succeeded')
  if (!isQuietSuccess) return shown
  const { attempt: number, startedAt = row.createdAt, finishedAt = startedAt, worker = '' } = row
  return [
    ...shown,
    { number, startedAt: instant(startedAt), endedAt: instant(finishedAt), outcome: 'succeeded', worker },
  ]
}

interface Shown {
  readonly storeId: string
  readonly now: number
  readonly costOf?: RunnerRules['costOf']
}

const costIn = (row: ActionRow, costOf: RunnerRules['costOf'] | undefined): number | undefined => {
  const { status, result, plan, startedAt = 0, finishedAt = startedAt } = row
  if (status !== 'succeeded' || result === undefined) return undefined
  return costOf?.(plan.type, { config: plan.config, result, durationMs: finishedAt - startedAt })
}

export const actionView = (
  row: ActionRow,
  attempts: readonly AttemptRow[],
  { storeId, now, costOf }: Shown,
): ActionView => {
  const { id, plan, status, execution, source, namespace, tenant } = row
  const costEstimate = costIn(row, costOf)
  const { name, type, config, priority, stepKey, retryPolicy, tags, metadata, summary, dedup } = plan
  return {
    id,
    name,
    type,
    status,
    shown: shownStatus(row, now),
    ...(execution !== null && { executionId: execution }),
    source,
    config,
    dueAt: instant(row.dueAt),
    priority,
    attempt: row.attempt,
    maxAttempts: retryPolicy.maxAttempts,
    idempotencyKey: idempotencyKey({ storeId, namespace, tenant }, stepKey),
    stepKey,
    ...(row.result !== undefined && { result: row.result }),
    ...(row.error !== undefined && { error: row.error }),
    createdAt: instant(row.createdAt),
    ...(row.startedAt !== undefined && { startedAt: instant(row.startedAt) }),
    ...(row.finishedAt !== undefined && { finishedAt: instant(row.finishedAt) }),
    ...(row.archivedAt !== undefined && { archivedAt: instant(row.archivedAt) }),
    attempts: attemptsOf(row, attempts),
    tags,
    metadata,
    ...(summary !== undefined && { summary }),
    ...(dedup !== undefined && { dedupKey: dedup.key }),
    ...(row.hold !== undefined && { hold: row.hold }),
    ...(costEstimate !== undefined && { costEstimate }),
    namespace,
    tenant,
  }
}

export const executionView = ({ execution, createdAt, updatedAt }: StoredExecution): ExecutionView => {
  const { id, kind, definition, definitionHash, status, state, variables, error, namespace, tenant } =
    execution
  return {
    id,
    kind,
    definition,
    version: definitionHash,
    status,
    state,
    variables,
    createdAt: instant(createdAt),
    updatedAt: instant(updatedAt),
    ...(error && { error }),
    namespace,
    tenant,
  }
}
