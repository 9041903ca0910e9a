// Owns the first half of a commit: lock and read what the batch needs, in one flight of pipelined statements. Locks come
// first and reads after them in statements of their own, because a statement sees the rows as of its start: what was
// waited for is seen by the next one.

import type { Kind } from '../../core/execution.ts'
import { isObject } from '../../core/json.ts'
import type { Tenancy } from '../store.ts'
import { planOfStored, type StoredPlan } from '../stored-plan.ts'
import { type GatheringRow, keyOf, type World } from './draft.ts'
import type { Needs } from './needs.ts'
import type { Answer, Caller } from './statements.ts'
import type {
  ActionState,
  AlertState,
  BulkState,
  DedupState,
  DefinitionState,
  ExecutionState,
  InboxState,
  PauseState,
  TimerState,
} from './states.ts'

interface LockedAction extends ActionState {
  readonly dedup_action: string | null
  readonly dedup_until: number | null
}

const NOTHING: Answer<never> = { rows: [], count: 0 }

/** Columns of a list of keys: what a statement with one array per part takes. */
const column = (keys: readonly (readonly string[])[], index: number): string[] =>
  keys.map((key) => key[index]!)

const tenants = (keys: readonly (readonly string[])[]) => ({
  namespaces: column(keys, 0),
  tenants: column(keys, 1),
})

interface Step {
  readonly id: string
  readonly step: string
}

type StepRecord = Tenancy & { readonly id: string; readonly execution: string; readonly plan: StoredPlan }
type GatheringRecord = Omit<GatheringRow, 'plan'> & { readonly plan: StoredPlan }

const toGathering = (row: GatheringRecord): GatheringRow => ({
  ...row,
  plan: planOfStored(row.plan, { id: row.id, createdAt: row.created_at }),
})

export interface Discovered {
  readonly steps: ReadonlyMap<string, readonly Step[]>
  /** More actions to lock. */
  readonly actions: readonly string[]
  /** Those of them that may take something in. */
  readonly gathering: readonly string[]
}

export const NOTHING_FOUND: Discovered = { steps: new Map(), actions: [], gathering: [] }

/** Rows that no member names by id, found before anything is locked, so that all are locked in one order. */
export const discover = async (caller: Caller, { left, turned, gathers }: Needs): Promise<Discovered> => {
  const [steps, live, held] = await Promise.all([
    left.length === 0
      ? NOTHING
      : caller.sql.cancellableActions<StepRecord>({
          ...tenants(left),
          executions: column(left, 2),
        }),
    turned.length === 0
      ? NOTHING
      : caller.sql.executionActions<{ readonly id: string }>({
          ...tenants(turned),
          executions: column(turned, 2),
        }),
    gathers.length === 0
      ? NOTHING
      : caller.sql.findDedup<DedupState>({ ...tenants(gathers), keys: column(gathers, 2) }),
  ])
  const byExecution = new Map<string, Step[]>()
  for (const { id, namespace, tenant, execution, plan } of steps.rows) {
    // Whose step it is cannot be known of a plan that is none: its claim will find it.
    if (!isObject(plan)) continue
    const key = keyOf(namespace, tenant, execution)
    byExecution.set(key, [...(byExecution.get(key) ?? []), { id, step: plan.stepKey ?? id }])
  }
  const gathering = held.rows.map(({ action }) => action)
  const actions = [...steps.rows, ...live.rows].map(({ id }) => id)
  return { steps: byExecution, actions: [...actions, ...gathering], gathering }
}

/** Advisory locks, then actions, then executions: the same order in every commit. */
const lock = (caller: Caller, needs: Needs, more: readonly string[]) => {
  const ids = more.length === 0 ? needs.actions : [...new Set([...needs.actions, ...more])]
  return Promise.all([
    ids.length === 0 ? NOTHING : caller.sql.lockActions<LockedAction>({ ids }),
    needs.executions.length === 0
      ? NOTHING
      : caller.sql.lockExecutions<ExecutionState>({
          ...tenants(needs.executions),
          ids: column(needs.executions, 2),
        }),
  ])
}

/** NUL cannot be sent; two keys that then look alike merely take turns. */
export const lockTurns = (caller: Caller, { turns }: Pick<Needs, 'turns'>) =>
  turns.size === 0
    ? NOTHING
    : caller.sql.lockDefinitions({
        keys: [...turns.keys()].map((key) => key.replaceAll('\u0000', '/')),
        alone: [...turns.values()],
      })

const readInbox = (caller: Caller, { inbox }: Needs) =>
  inbox.length === 0
    ? NOTHING
    : caller.sql.findInbox<InboxState>({
        ...tenants(inbox),
        executions: column(inbox, 2),
        events: column(inbox, 3),
      })

const readTimers = (caller: Caller, { timers }: Needs) =>
  timers.length === 0
    ? NOTHING
    : caller.sql.findTimers<TimerState>({
        ...tenants(timers),
        executions: column(timers, 2),
        keys: column(timers, 3),
      })

const readDedup = (caller: Caller, { dedup }: Needs) =>
  dedup.length === 0
    ? NOTHING
    : caller.sql.findDedup<DedupState>({ ...tenants(dedup), keys: column(dedup, 2) })

const readKnown = (caller: Caller, { newActions }: Needs) =>
  newActions.length === 0
    ? NOTHING
    : caller.sql.knownActions<{ readonly id: string }>({
        ...tenants(newActions),
        ids: column(newActions, 2),
      })

type Version = Tenancy & { kind: Kind; id: string; hash: string; version: number }

const readDefinitions = (caller: Caller, { definitions }: Needs) =>
  definitions.length === 0
    ? NOTHING
    : caller.sql.findDefinitions<Version>({
        ...tenants(definitions),
        kinds: column(definitions, 2),
        ids: column(definitions, 3),
      })

/** Keys of pauses. */
export const keyColumns = (pauses: Needs['pauses']) => ({
  ...tenants(pauses),
  scopes: column(pauses, 2),
  values: column(pauses, 3),
})

export const readPauses = (
  caller: Caller,
  { pauses, turned, isEager }: Pick<Needs, 'pauses' | 'turned' | 'isEager'>,
) =>
  Promise.all([
    pauses.length === 0 ? NOTHING : caller.sql.findPauses<PauseState>(keyColumns(pauses)),
    turned.length === 0
      ? NOTHING
      : caller.sql.pausedDefinitions<PauseState>({ ...tenants(turned), ids: column(turned, 2) }),
    isEager ? caller.sql.lanePauses<PauseState>() : NOTHING,
  ])

type SentItem = Tenancy & { readonly bulk: string; readonly action: string }

/** After actions and executions, in every commit. */
const lockTriage = (caller: Caller, { bulks, heard, alerts }: Needs) =>
  Promise.all([
    bulks.length === 0
      ? NOTHING
      : caller.sql.lockBulks<BulkState>({ ...tenants(bulks), ids: column(bulks, 2) }),
    alerts.length === 0
      ? NOTHING
      : caller.sql.lockAlerts<AlertState>({ ...tenants(alerts), ids: column(alerts, 2) }),
    heard.length === 0
      ? NOTHING
      : caller.sql.sentBulkItems<SentItem>({
          ...tenants(heard),
          bulks: column(heard, 2),
          actions: column(heard, 3),
        }),
  ])

const byKey = <Row>(rows: readonly Row[], key: (row: Row) => string): ReadonlyMap<string, Row> =>
  new Map(rows.map((row) => [key(row), row]))

const heldKeys = (actions: readonly LockedAction[], found: readonly DedupState[]) => {
  const behind = actions.flatMap(({ namespace, tenant, dedup_key, dedup_action, dedup_until }) =>
    dedup_key === null || dedup_action === null
      ? []
      : [{ namespace, tenant, key: dedup_key, action: dedup_action, until: dedup_until }],
  )
  return byKey([...behind, ...found], (row) => keyOf(row.namespace, row.tenant, row.key))
}

const definitionsOf = (rows: readonly Version[]): ReadonlyMap<string, DefinitionState> => {
  const groups = Map.groupBy(rows, (row) => keyOf(row.namespace, row.tenant, row.kind, row.id))
  return new Map(
    [...groups].map(([key, versions]) => {
      const { namespace, tenant, kind, id } = versions[0]!
      const known = new Map(versions.map(({ hash, version }) => [hash, version]))
      return [key, { namespace, tenant, kind, id, versions: known, added: [] }]
    }),
  )
}

/** Everything is sent at once and answered in order; on a caller's own client each waits for the one before. */
export const readWorld = async (
  caller: Caller,
  needs: Needs,
  { steps, actions: more, gathering }: Discovered,
): Promise<Omit<World, 'clock' | 'laneOf'>> => {
  const [
    ,
    [actions, executions],
    [bulks, alerts, sent],
    gathers,
    inbox,
    timers,
    dedup,
    known,
    definitions,
    pausing,
  ] = await Promise.all([
    lockTurns(caller, needs),
    lock(caller, needs, more),
    lockTriage(caller, needs),
    gathering.length === 0 ? NOTHING : caller.sql.readGathering<GatheringRecord>({ ids: gathering }),
    readInbox(caller, needs),
    readTimers(caller, needs),
    readDedup(caller, needs),
    readKnown(caller, needs),
    readDefinitions(caller, needs),
    readPauses(caller, needs),
  ])
  return {
    steps,
    actions: byKey(actions.rows, ({ id }) => id),
    sought: new Set(gathering),
    gathering: byKey(gathers.rows.map(toGathering), ({ id }) => id),
    executions: byKey(executions.rows, (row) => keyOf(row.namespace, row.tenant, row.id)),
    inbox: byKey(inbox.rows, (row) => keyOf(row.namespace, row.tenant, row.execution, row.event_id)),
    timers: byKey(timers.rows, (row) => keyOf(row.namespace, row.tenant, row.execution, row.key)),
    dedup: heldKeys(actions.rows, dedup.rows),
    known: new Set(known.rows.map(({ id }) => id)),
    definitions: definitionsOf(definitions.rows),
    pauses: byKey(
      pausing.flatMap<PauseState>(({ rows }) => rows),
      (row) => keyOf(row.namespace, row.tenant, row.scope, row.value),
    ),
    bulks: byKey(bulks.rows, (row) => keyOf(row.namespace, row.tenant, row.id)),
    sent: new Map(sent.rows.map((row) => [keyOf(row.namespace, row.tenant, row.bulk, row.action), true])),
    alerts: byKey(alerts.rows, (row) => keyOf(row.namespace, row.tenant, row.id)),
  }
}
