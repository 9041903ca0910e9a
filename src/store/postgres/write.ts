// Owns the second half of a commit: what the draft came to, as one statement per table, pipelined, always in the same
// order. Each says how many rows it must change; when it changed fewer, something appeared between reading and writing
// that had no row to lock (a start, a key, an id), and the whole is done again from the reading.

import { storedPlan } from '../stored-plan.ts'
import { columnsOf } from './columns.ts'
import type { Count, DefinitionPause, Draft, GatheringRow, Parking } from './draft.ts'
import { Overtaken } from './faults.ts'
import { sql } from './generated/sql.ts'
import { nameOf } from './sheets.ts'
import { type Caller, invoke, type StatementName } from './statements.ts'
import type { ActionState, DedupState, InboxState } from './states.ts'
import { countingOf } from './tallies.ts'

interface Write {
  readonly name: StatementName
  readonly rows: readonly object[]
  /** How many rows it must change, where it does not see to that itself; undefined: as many as there are. */
  readonly exactly?: number
  /** What it is given, where that is not its rows. */
  readonly args?: () => Readonly<Record<string, string | number | null | readonly string[]>>
}

const present = <Value>(entry: readonly [string, Value | undefined]): readonly Value[] =>
  entry[1] === undefined ? [] : [entry[1]]

/** One order for all, so that two batches with the same keys do not wait for each other. */
const byKey = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => (a < b ? -1 : 1)

const doneRow = (row: ActionState) => ({ ...row, ...row.ended })

/** What of it the row itself does not say. */
const settledRow = (row: ActionState) => ({
  id: row.id,
  namespace: row.namespace,
  tenant: row.tenant,
  token: row.assumed!.token,
  nonce: row.assumed!.nonce,
  attempt: row.attempt,
  lost: row.lost,
  reaps: row.reaps,
  started_at: row.started_at,
  finished_at: row.finished_at,
  result: row.ended!.result,
})

const amendedRow = ({ id, created_at: createdAt, plan }: GatheringRow) => {
  const stored = storedPlan(plan, { id, createdAt })
  return { id, plan: stored, size: JSON.stringify(stored).length }
}

/** As it was born: members behind it may have asked something of it. */
const isPlain = ({ birth, status, hold, cancel_requested }: ActionState): boolean =>
  birth?.isPlain === true && status === 'queued' && hold === null && !cancel_requested

const byId = (a: ActionState, b: ActionState): number => (a.id < b.id ? -1 : 1)

/** Each where it belongs, in one look. */
const sortOut = (draft: Draft) => {
  const rows = (): ActionState[] => []
  const found = { kept: rows(), born: rows(), queued: rows(), gone: rows(), settled: rows(), done: rows() }
  for (const [, row] of draft.actions.changes()) {
    if (row === undefined) continue
    if (row.assumed !== undefined) found.settled.push(row)
    else if (row.birth !== undefined)
      found[row.ended !== undefined ? 'done' : isPlain(row) ? 'queued' : 'born'].push(row)
    else found[row.ended === undefined ? 'kept' : 'gone'].push(row)
  }
  return found
}

/** Looked at when the first of its leases runs out. */
const sheetOf = (claimed: readonly ActionState[]) => {
  const first = (of: (row: ActionState) => number | null): number | null =>
    claimed.reduce<number | null>((least, row) => {
      const one = of(row)
      return least === null || (one !== null && one < least) ? one : least
    }, null)
  return {
    sheet: nameOf(claimed),
    lease_until: first((row) => row.lease_until),
    lease_ms: first((row) => row.lease_ms ?? null),
    actions: claimed.map(({ id }) => id),
  }
}

const isClaimed = ({ status }: ActionState): boolean => status === 'running'

/** As it was born, again: of what `insertClaimed` does not take, a claim says the same of each. */
const isAsClaimed = (row: ActionState): boolean =>
  isClaimed(row) &&
  row.token === 1 &&
  row.attempt === 0 &&
  row.started_at === null &&
  row.hold === null &&
  !row.cancel_requested

/** Of one tenant, lane and kind, and without keys: as most that are asked for together. */
const areAlike = ([first, ...others]: readonly ActionState[]): boolean =>
  first !== undefined &&
  first.dedup_key === null &&
  others.every(
    (row) =>
      row.lane === first.lane &&
      row.tenant === first.tenant &&
      row.namespace === first.namespace &&
      row.marked === first.marked &&
      row.dedup_key === null,
  )

const queuedWrite = (queued: readonly ActionState[]): Write => ({
  name: areAlike(queued) ? 'insertAlike' : 'insertQueued',
  rows: queued,
})

/** All in one statement, so that ids that two batches insert are met in one order. */
const bornWrite = (born: readonly ActionState[]): Write => ({
  name: born.every(isAsClaimed) ? 'insertClaimed' : 'insertActions',
  rows: born,
})

const actionWrites = (draft: Draft): readonly Write[] => {
  // The ids of what is queued were drawn for it: nobody else waits for them, and they need no order.
  const { kept, gone, done, queued, ...some } = sortOut(draft)
  // Two batches that insert the same ids must meet them in the same order.
  const born = some.born.toSorted(byId)
  const claimed = born.filter(isClaimed)
  const settled = some.settled.toSorted(byId)
  const amended = draft.amended.changes().flatMap(present)
  return [
    { name: 'updateActions', rows: kept, exactly: kept.length },
    { name: 'amendActions', rows: amended.map(amendedRow), exactly: amended.length },
    { name: 'finishActions', rows: gone.map(doneRow), exactly: gone.length },
    { name: 'settleActions', rows: settled.map(settledRow) },
    queuedWrite(queued),
    bornWrite(born),
    { name: 'noteClaims', rows: claimed, args: () => sheetOf(claimed) },
    { name: 'insertDone', rows: done.map(doneRow) },
    { name: 'insertAttempts', rows: draft.attempts.list },
  ]
}

const executionWrites = (draft: Draft): readonly Write[] => {
  const changes = draft.executions.changes()
  const isNew = ([key]: (typeof changes)[number]) => draft.executions.was(key) === undefined
  const isMoved = ([, state]: (typeof changes)[number]) => state?.read_revision !== undefined
  const turnedRow = ([key, state]: (typeof changes)[number]) => ({
    ...state!,
    read_revision: draft.executions.was(key)?.revision ?? null,
  })
  const born = changes.filter(isNew).toSorted(([a], [b]) => (a < b ? -1 : 1))
  // Not always locked before: in the order of all.
  const moved = changes.filter((change) => !isNew(change) && isMoved(change)).toSorted(byKey)
  const turned = changes.filter((change) => !isNew(change) && !isMoved(change))
  return [
    { name: 'insertExecutions', rows: born.flatMap(present) },
    { name: 'updateExecutions', rows: moved.flatMap(present) },
    { name: 'restatusExecutions', rows: turned.map(turnedRow), exactly: turned.length },
  ]
}

const inboxRow = ({ birth, applied_at, ...row }: InboxState) => ({
  ...row,
  ...birth,
  applied_at: applied_at ?? null,
})

const eventWrites = (draft: Draft): readonly Write[] => {
  const inbox = draft.inbox.changes().flatMap(present)
  const born = inbox.filter(({ birth }) => birth !== undefined)
  const applied = inbox.filter(({ birth }) => birth === undefined)
  const timers = draft.timers.changes()
  const armed = timers.flatMap(present).map(({ plan, ...row }) => ({ ...row, ...plan }))
  const gone = timers.flatMap(([key, state]) => (state === undefined ? [key] : []))
  const occurrences = draft.occurrences.changes().toSorted(byKey)
  const wasArmed = (key: string): boolean => draft.timers.was(key) !== undefined
  return [
    { name: 'insertInbox', rows: born.map(inboxRow) },
    { name: 'applyInbox', rows: applied.map(inboxRow) },
    { name: 'fireTimers', rows: gone.filter(wasArmed).map(timerOf) },
    { name: 'deleteTimers', rows: gone.filter((key) => !wasArmed(key)).map(timerOf) },
    { name: 'upsertTimers', rows: armed },
    { name: 'putOccurrences', rows: occurrences.flatMap(present) },
    { name: 'insertEvents', rows: draft.events.list },
  ]
}

const timerOf = (text: string) => {
  const [namespace, tenant, execution, key] = text.split('\u0000')
  return { namespace, tenant, execution, key }
}

const keyWrites = (draft: Draft): readonly Write[] => {
  const before = (key: string): DedupState | undefined => draft.dedup.was(key)
  const taken = draft.dedup
    .changes()
    .toSorted(byKey)
    .flatMap(([key, state]) =>
      state === undefined ? [] : [{ ...state, holder: before(key)?.action ?? null }],
    )
  const freed = draft.dedup
    .changes()
    .flatMap(([key, state]) => (state === undefined ? (before(key) ?? []) : []))
  const definitions = draft.definitions.changes().toSorted(byKey).flatMap(present)
  const added = definitions.flatMap((definition) => definition.added)
  const pauses = draft.pauses.changes().toSorted(byKey)
  // Resumed and paused again within the batch: the old row goes first, the new one says since when and why.
  const resumed = pauses.flatMap(([key]) => draft.pauses.was(key) ?? [])
  const paused = pauses.flatMap(present)
  return [
    { name: 'takeDedup', rows: taken, exactly: taken.length },
    { name: 'releaseDedup', rows: freed },
    { name: 'insertDefinitions', rows: added, exactly: added.length },
    { name: 'deletePauses', rows: resumed, exactly: resumed.length },
    { name: 'insertPauses', rows: paused, exactly: paused.length },
  ]
}

const parkingWrites = (draft: Draft): readonly Write[] => {
  const parking: readonly Parking[] = draft.parking.changes().flatMap(present)
  const held = draft.holding.changes().flatMap(present)
  return [
    { name: 'parkExecutionActions', rows: parking.filter(({ hold }) => hold !== undefined) },
    { name: 'unparkExecutionActions', rows: parking.filter(({ hold }) => hold === undefined) },
    { name: 'holdExecutionEvents', rows: held },
    { name: 'holdExecutionTimers', rows: held },
  ]
}

const triageWrites = (draft: Draft): readonly Write[] => {
  const sorted = <Value>(changes: readonly (readonly [string, Value | undefined])[]) =>
    changes.toSorted(([a], [b]) => (a < b ? -1 : 1))
  const bulks = sorted(draft.bulks.changes())
  const alerts = sorted(draft.alerts.changes())
  const rowOf = ([, state]: (typeof bulks)[number]) => {
    const { written, ...row } = state!
    return { ...row, ...written }
  }
  const begun = bulks.filter(([key]) => draft.bulks.was(key) === undefined)
  const moved = bulks.filter(([key]) => draft.bulks.was(key) !== undefined)
  const raised = alerts.filter(([key]) => draft.alerts.was(key) === undefined).flatMap(present)
  const changed = alerts.filter(([key]) => draft.alerts.was(key) !== undefined).flatMap(present)
  return [
    { name: 'insertBulks', rows: begun.map(rowOf), exactly: begun.length },
    { name: 'updateBulks', rows: moved.map(rowOf), exactly: moved.length },
    { name: 'insertBulkItems', rows: draft.bulkItems.list },
    { name: 'endBulkItems', rows: draft.heardItems.list, exactly: draft.heardItems.list.length },
    { name: 'insertAlerts', rows: raised, exactly: raised.length },
    { name: 'updateAlerts', rows: changed, exactly: changed.length },
  ]
}

/**
 * Few rows, and rarely: as JSON. Its JSON columns travel as text inside: read by json_to_recordset as what they are, a
 * \\u0000 or half a character anywhere in them would be refused.
 */
const asText = (row: object): object =>
  Object.fromEntries(
    Object.entries(row).map(([key, value]) => [
      key,
      typeof value === 'object' && value !== null ? JSON.stringify(value) : value,
    ]),
  )

const argumentsOf = ({ name, rows, args }: Write, { isOwn }: Caller) => {
  if (args !== undefined) return args()
  return (sql[name].params as readonly string[]).includes('rows')
    ? { rows: JSON.stringify(rows.map(asText)) }
    : columnsOf(name, rows, isOwn)
}

const send = async (caller: Caller, write: Write): Promise<void> => {
  const { name, rows, exactly } = write
  if (rows.length === 0) return
  const { count } = await invoke(caller.sql, name, argumentsOf(write, caller))
  if (exactly !== undefined && count !== exactly) throw new Overtaken(`${name}: ${count} of ${exactly}`)
}

export interface Encoded {
  readonly name: StatementName
  readonly args: Parameters<typeof invoke>[2]
}

/**
 * Of a draft that was not read: only statements that see to it themselves that they change what they must. `counts` are those that stand
 * on no receipt.
 */
export const encodeWrites = (
  caller: Caller,
  draft: Draft,
  counts: readonly Readonly<Count>[],
): readonly Encoded[] =>
  [...actionWrites(draft), ...executionWrites(draft), ...eventWrites(draft), countWrite(counts)]
    .filter(({ rows }) => rows.length > 0)
    .map((write) => ({ name: write.name, args: argumentsOf(write, caller) }))

/** Sends them all, and says when all are answered. Fails with the first failure: the others say that all is undone. */
export const sendWrites = (caller: Caller, writes: readonly Encoded[]) => {
  let failures = 0
  const sent = writes.map(({ name, args }) => invoke(caller.sql, name, args))
  for (const one of sent)
    one.catch(() => {
      failures += 1
    })
  const written = all(sent)
  written.catch(() => undefined)
  return { written, hasFailed: () => failures > 0 }
}

/** Every statement is answered before a failure is told: none of them may still be under way when the commit is undone. */
export const all = async (sent: readonly Promise<unknown>[]): Promise<void> => {
  const outcomes = await Promise.allSettled(sent)
  const failures = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
  // The first is the cause; the others say that the transaction is aborted.
  if (failures.length > 0) throw failures[0]
}

const sendAll = (caller: Caller, writes: readonly Write[]): Promise<void> =>
  all(writes.map((write) => send(caller, write)))

interface Tally {
  readonly status: string
  readonly count: number
}

/** Every execution of a definition, in one statement each for its rows. */
const turnDefinition = async (caller: Caller, draft: Draft, pause: DefinitionPause): Promise<void> => {
  const { namespace, tenant, definition, isPaused, at } = pause
  const of = { namespace, tenant, definition }
  const turned = isPaused
    ? await caller.sql.pauseDefinition<Tally>({ ...of, at })
    : await caller.sql.resumeDefinition<Tally>({ ...of, at })
  for (const { status, count } of turned.rows) {
    draft.count(pause, `executions.${status}`, at, isPaused ? -count : count)
    draft.count(pause, 'executions.paused', at, isPaused ? count : -count)
  }
  if (isPaused) await caller.sql.parkDefinitionActions({ ...of, hold: 'paused:definition' })
  else await caller.sql.unparkDefinitionActions(of)
  await caller.sql.holdDefinitionEvents(of)
  await caller.sql.holdDefinitionTimers(of)
}

const countWrite = (rows: readonly Readonly<Count>[]): Write => ({ name: countingOf(rows), rows })

export const writeDraft = async (caller: Caller, draft: Draft): Promise<void> => {
  const writes = [
    ...actionWrites(draft),
    ...executionWrites(draft),
    ...eventWrites(draft),
    ...keyWrites(draft),
    ...parkingWrites(draft),
    ...triageWrites(draft),
  ]
  if (draft.definitionPauses.list.length === 0)
    return sendAll(caller, [...writes, countWrite(draft.counted())])
  await sendAll(caller, writes)
  for (const pause of draft.definitionPauses.list) await turnDefinition(caller, draft, pause)
  await sendAll(caller, [countWrite(draft.counted())])
}
