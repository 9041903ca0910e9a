// Owns the rows of limits and their places over PostgreSQL. Whoever counts the places of a limit holds its lock until the
// transaction ends: what is counted is still so when it is written.

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
} from '../limits.ts'
import type { Connections } from './connections.ts'
import { type Patience, patiently } from './patience.ts'
import type { Statements } from './statements.ts'
import { repeatable } from './store.ts'

interface ReadRecord {
  readonly version: number | null
  readonly state: JsonObject | null
  readonly now: number
}

const plain = ({ namespace, tenant, key }: LimitRef): LimitRef => ({ namespace, tenant, key })

const readStates = async (sql: Statements, refs: readonly LimitRef[]) => {
  const { rows } = await sql.readLimits<ReadRecord>({
    namespaces: refs.map(({ namespace }) => namespace),
    tenants: refs.map(({ tenant }) => tenant),
    keys: refs.map(({ key }) => key),
  })
  const states = rows.map(({ version, state }, index) => ({
    ...plain(refs[index]!),
    version: version ?? 0,
    state: state ?? {},
  }))
  return { now: rows[0]?.now ?? 0, states }
}

/** In one breath: while places are counted nobody else can have one. */
const standing = async (sql: Statements, ref: LimitRef, now: number) => {
  const [, { rows: counted }, { rows: called }] = await Promise.all([
    sql.dropLostPlaces({ ...ref }),
    sql.countHeld<{ held: number }>({ ...ref }),
    sql.calledPlaces<{ action: string }>({ ...ref, called_after: now - CALL_MS }),
  ])
  return { held: counted[0]!.held, called: new Set(called.map(({ action }) => action)) }
}

const takePlaces = async (
  sql: Statements,
  ref: LimitRef,
  candidates: readonly Candidate[],
  max: number,
  now: number,
) => {
  const before = await standing(sql, ref, now)
  const taken = divide(candidates, before, max)
  const rows = candidates
    .filter(({ id, waits }) => waits || taken.has(id))
    .map((one) => ({ ...one, token: taken.has(one.id) ? one.token : null }))
  const [, line] = await Promise.all([
    sql.takePlaces({ ...ref, now, rows: JSON.stringify(rows) }),
    sql.countLine<{ waiting: number }>({ ...ref, limit: LINE_COUNTED }),
  ])
  return { taken: [...taken], held: before.held + taken.size, waiting: line.rows[0]!.waiting }
}

const callNext = async (
  sql: Statements,
  ref: LimitRef,
  max: number,
  now: number,
): Promise<readonly ActionRef[]> => {
  const { held, called } = await standing(sql, ref, now)
  const limit = max - held - called.size
  if (limit <= 0) return []
  return (await sql.callLine<ActionRef>({ ...ref, called_before: now - CALL_MS, limit, now })).rows
}

export const createLimits = (connections: Connections, patience: Patience): Limits => {
  const sql = repeatable(connections, patience)
  /** The only one that counts or changes the places of this limit. */
  const alone = <Value>(
    ref: LimitRef,
    given: number | undefined,
    work: (sql: Statements, now: number) => Promise<Value>,
  ): Promise<Value> =>
    patiently(patience, () =>
      connections.hasten(async (caller, entered) => {
        const name = JSON.stringify(['limit', ref.namespace, ref.tenant, ref.key])
        const [{ rows }] = await Promise.all([caller.sql.lockPlaces<{ now: number }>({ name }), entered])
        return work(caller.sql, given ?? rows[0]!.now)
      }),
    )
  return {
    read: async (refs, { now }) => {
      const found = await readStates(sql, refs)
      return { now: now ?? found.now, states: found.states }
    },
    swap: async ({ version, shut, idleAt, state, ...ref }) => {
      const kept = { ...plain(ref), shut, idle_at: idleAt, state: JSON.stringify(state) }
      const { count } = await (version === 0 ? sql.insertLimit(kept) : sql.swapLimit({ ...kept, version }))
      return count === 1
    },
    shut: async (limit, { now }) => (await sql.shutLimits<LimitState>({ now: now ?? null, limit })).rows,
    take: (ref, candidates, max, { now }) =>
      alone(ref, now, (inside, at) => takePlaces(inside, plain(ref), candidates, max, at)),
    release: (ref, held, max, { now }) =>
      alone(ref, now, async (inside, at) => {
        const [actions, tokens] = [held.map(({ id }) => id), held.map(({ token }) => token)]
        const leaving = inside.leavePlaces({ ...plain(ref), actions, tokens })
        const [called] = await Promise.all([callNext(inside, plain(ref), max, at), leaving])
        return called
      }),
    evict: (ref, keep) =>
      alone(ref, undefined, async (inside) => {
        const { rows } = await inside.evictLine<ActionRef>({ ...plain(ref), keep, limit: EVICTED_AT_ONCE })
        return rows
      }),
    line: async (ref, id) => {
      const asked = { ...plain(ref), action: id, limit: LINE_COUNTED }
      return (await sql.readLine<{ held: number; before: number }>(asked)).rows[0]!
    },
    sweep: async (before, limit) => {
      const swept = [await sql.sweepLimits({ before, limit }), await sql.sweepPlaces({ before, limit })]
      return swept.some(({ count }) => count === limit)
    },
  }
}
