// Owns the write port over PostgreSQL: each verb is one statement or one transaction. What a verb does is in the module
// of its name; what is wrong with a member is its result, what is wrong with the store is thrown.

import type { ClientBase } from 'pg'
import type { Member, Store, TransactionalStore } from '../store.ts'
import { claimActions, extendLeases } from './claim.ts'
import { bisecting, commitMembers } from './commit.ts'
import type { Connections } from './connections.ts'
import { createGuests } from './guests.ts'
import { readHeads } from './heads.ts'
import { createLanes } from './lanes.ts'
import { type Patience, patiently } from './patience.ts'
import {
  type ClaimRecord,
  type ExecutionRecord,
  type InboxRecord,
  type TimerRecord,
  toClaimed,
  toExecution,
  toInboxEvent,
  toTimer,
} from './rows.ts'
import { invoke, type Statements, statementsBy } from './statements.ts'
import type { Watch } from './watch.ts'

export interface StoreParts {
  readonly connections: Connections
  readonly id: string
  readonly patience: Patience
  readonly watch: Watch
}

export type PostgresStore = Store & TransactionalStore<ClientBase>

/** Statements that may be repeated: they read, or do the same again. */
export const repeatable = ({ sql }: Connections, patience: Patience): Statements =>
  statementsBy((name, args) => patiently(patience, () => invoke(sql, name, args)))

export const createStore = ({ connections, id, patience, watch }: StoreParts): PostgresStore => {
  const sql = repeatable(connections, patience)
  const lanes = createLanes(sql)

  const commitOnce = (batch: readonly Member[]) =>
    patiently(patience, async (races) => {
      await lanes.intern(batch)
      return connections.transact((caller, entered) =>
        commitMembers(caller, entered, lanes, batch, races > 0),
      )
    })
  const commit: Store['commit'] = async (batch) => {
    if (batch.length === 0) return []
    const { results, news } = await bisecting(commitOnce)(batch)
    watch.tell(news)
    return results
  }
  const load: Store['load'] = async (refs) => {
    const { rows } = await sql.readExecutions<ExecutionRecord>({
      namespaces: refs.map(({ namespace }) => namespace),
      tenants: refs.map(({ tenant }) => tenant),
      ids: refs.map((ref) => ref.id),
    })
    return rows.map(toExecution)
  }
  const inbox: Store['inbox'] = async (definitions, limit) =>
    (await sql.waitingEvents<InboxRecord>({ definitions, limit })).rows.map(toInboxEvent)
  return {
    id,
    commit,
    claim: (request) => claimActions(connections.sql, patience, request),
    extend: async (claims, leaseMs, clocks) =>
      claims.length === 0 ? { lost: [], cancelled: [] } : extendLeases(sql, claims, leaseMs, clocks),
    reap: async (limit, { lease = null }) =>
      (await sql.expiredLeases<ClaimRecord>({ lease, limit })).rows.map(toClaimed),
    dueTimers: async (limit, { now = null }) =>
      (await sql.dueTimers<TimerRecord>({ now, limit })).rows.map(toTimer),
    inbox,
    load,
    heads: ({ now }) => readHeads(sql, now),
    wake: watch.listen,
    close: async () => {
      await watch.close()
      await connections.close()
    },
    in: createGuests({ id, lanes }),
  }
}
