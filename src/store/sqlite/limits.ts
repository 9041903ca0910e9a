// Owns the rows of limits and their places over SQLite. One writer at a time: what is counted is still so when it is
// written.

import type { JsonObject } from '../../core/json.ts'
import {
  type ActionRef,
  CALL_MS,
  type Candidate,
  divide,
  EVICTED_AT_ONCE,
  LINE_COUNTED,
  type LimitRef,
  type LimitState,
  type Limits,
  type NewLimitState,
} from '../limits.ts'
import type { Connection } from './connection.ts'
import { seal, unseal } from './sealed.ts'
import type { Statements } from './statements.ts'
import type { Writer } from './writer.ts'

interface LimitRecord extends LimitRef {
  readonly version: number
  readonly state: string
}

const stateOf = (text: string, key: string): JsonObject => unseal<JsonObject>(text, `limit ${key}`)

const toState = ({ namespace, tenant, key, version, state }: LimitRecord): LimitState => ({
  namespace,
  tenant,
  key,
  version,
  state: stateOf(state, key),
})

const readState = (sql: Statements, ref: LimitRef): LimitState => {
  const { namespace, tenant, key } = ref
  const row = sql.readLimit.get<{ version: number; state: string }>({ namespace, tenant, key })
  return row === undefined
    ? { namespace, tenant, key, version: 0, state: {} }
    : { namespace, tenant, key, version: row.version, state: stateOf(row.state, key) }
}

const swapState = (sql: Statements, next: NewLimitState): boolean => {
  const { namespace, tenant, key, version, idleAt } = next
  const kept = { namespace, tenant, key, shut: Number(next.shut), idle_at: idleAt, state: seal(next.state) }
  return (version === 0 ? sql.insertLimit.run(kept) : sql.swapLimit.run({ ...kept, version })) === 1
}

const heldAt = (sql: Statements, ref: LimitRef): number =>
  sql.countHeld.get<{ held: number }>({ ...ref })!.held

const calledAt = (sql: Statements, ref: LimitRef, now: number): ReadonlySet<string> => {
  const rows = sql.calledPlaces.all<{ action: string }>({ ...ref, called_after: now - CALL_MS })
  return new Set(rows.map(({ action }) => action))
}

const placeOf = (ref: LimitRef, { id, namespace, tenant, since }: Candidate, now: number) => ({
  ...ref,
  action: id,
  owner_namespace: namespace,
  owner_tenant: tenant,
  since,
  touched_at: now,
})

const takePlaces = (
  sql: Statements,
  ref: LimitRef,
  candidates: readonly Candidate[],
  max: number,
  now: number,
) => {
  sql.dropLostPlaces.run({ ...ref })
  const held = heldAt(sql, ref)
  const taken = divide(candidates, { held, called: calledAt(sql, ref, now) }, max)
  for (const candidate of candidates) {
    const place = placeOf(ref, candidate, now)
    if (taken.has(candidate.id)) sql.takePlace.run({ ...place, token: candidate.token })
    else if (candidate.waits) sql.joinLine.run(place)
  }
  const { waiting } = sql.countLine.get<{ waiting: number }>({ ...ref, limit: LINE_COUNTED })!
  return { taken: [...taken], held: held + taken.size, waiting }
}

const callNext = (sql: Statements, ref: LimitRef, max: number, now: number): readonly ActionRef[] => {
  sql.dropLostPlaces.run({ ...ref })
  const free = max - heldAt(sql, ref) - calledAt(sql, ref, now).size
  if (free <= 0) return []
  return sql.callLine.all<ActionRef>({ ...ref, called_before: now - CALL_MS, limit: free, now })
}

/** About what a candidate costs: a probe and a row. */
const PER_CANDIDATE = 2

export const createLimits = ({ sql }: Connection, writer: Writer): Limits => {
  const clock = (): number => sql.clock.get<{ now: number }>()!.now
  const plain = ({ namespace, tenant, key }: LimitRef): LimitRef => ({ namespace, tenant, key })
  return {
    read: (refs, { now }) =>
      writer.read(() => ({ now: now ?? clock(), states: refs.map((ref) => readState(sql, ref)) })),
    // A slot does not wait for the disk: what is forgotten with the power is a moment of a rate.
    swap: (next) => writer.runSoon(1, () => swapState(sql, next)),
    shut: (limit, { now }) =>
      writer.read(() => sql.shutLimits.all<LimitRecord>({ now: now ?? clock(), limit }).map(toState)),
    // Neither a place nor a call waits for the disk: who holds one, or was called, ends with the power as well.
    take: (ref, candidates, max, { now }) =>
      writer.runSoon(2 + PER_CANDIDATE * candidates.length, () =>
        takePlaces(sql, plain(ref), candidates, max, now ?? clock()),
      ),
    release: (ref, held, max, { now }) =>
      writer.runSoon(2 + held.length, () => {
        for (const { id, token } of held) sql.leavePlace.run({ ...plain(ref), action: id, token })
        return callNext(sql, plain(ref), max, now ?? clock())
      }),
    evict: (ref, keep) =>
      writer.run(EVICTED_AT_ONCE, () =>
        sql.evictLine.all<ActionRef>({ ...plain(ref), keep, limit: EVICTED_AT_ONCE }),
      ),
    line: (ref, id) =>
      writer.read(() => ({
        held: heldAt(sql, plain(ref)),
        before: sql.countBefore.get<{ before: number }>({ ...plain(ref), action: id, limit: LINE_COUNTED })!
          .before,
      })),
    sweep: (before, limit) =>
      writer.run(2 * limit, () => {
        const removed = [sql.sweepLimits.run({ before, limit }), sql.sweepPlaces.run({ before, limit })]
        return removed.some((count) => count === limit)
      }),
  }
}
