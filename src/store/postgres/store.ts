// Owns the write port over PostgreSQL: each verb is one statement or one transaction. What a verb does is in the module
// of its name; what is wrong with a member is its result, what is wrong with the store is thrown.

import type { ClientBase } from 'pg'
import type { Member, Result, Store, TransactionalStore } from '../store.ts'
import { readOr } from '../unreadable.ts'
import { claimActions, extendLeases } from './claim.ts'
import { bisecting, commitMembers } from './commit.ts'
import type { Connections } from './connections.ts'
import { faultOf, Overtaken } from './faults.ts'
import { createFlights } from './flight.ts'
import { createGuests } from './guests.ts'
import { readHeads } from './heads.ts'
import { createLanes, type Lanes } from './lanes.ts'
import { createMarks } from './marks.ts'
import { type Patience, patiently } from './patience.ts'
import { createQueues } from './queues.ts'
import { type ExecutionRecord, toExecution } from './rows.ts'
import { createSheets, type Sheets } from './sheets.ts'
import { invoke, type Statements, statementsBy } from './statements.ts'
import { createTallies } from './tallies.ts'
import type { Watch } from './watch.ts'

export interface StoreParts {
  readonly connections: Connections
  readonly id: string
  readonly patience: Patience
  readonly watch: Watch
  /** Plans are kept by key (open.ts): what is met without being locked first is met in the order of all. */
  readonly isOrdered: boolean
  /** A row was set aside because it cannot be read. */
  readonly onWarning: (message: string) => void
}

export type PostgresStore = Store & TransactionalStore<ClientBase>

/** One that decides in the process while the other waits for the server. */
const FLIGHTS = 2

/** Statements that may be repeated: they read, or do the same again. */
export const repeatable = ({ sql }: Connections, patience: Patience): Statements =>
  statementsBy((name, args) => patiently(patience, () => invoke(sql, name, args)))

/** What the members that were written let go of. */
const endClaims = (sheets: Sheets, batch: readonly Member[], results: readonly Result[]): void => {
  for (const [index, { settle = [], control = [] }] of batch.entries()) {
    if (results[index]!.status !== 'ok') continue
    for (const { claim } of settle) sheets.end(claim.id)
    for (const one of control) if (one.kind === 'hold') sheets.end(one.claim.id)
  }
}

const resumes = ({ control = [] }: Member): boolean => control.some(({ kind }) => kind === 'resume')

/** One batch in one transaction: written without being read where its members are sure, or locked and looked at. */
const committing = ({ connections, patience, isOrdered }: StoreParts, lanes: Lanes) => {
  const flights = createFlights(lanes)

  const commitRead = (batch: readonly Member[], isThorough: boolean) =>
    connections.hasten((caller, entered) => commitMembers(caller, entered, lanes, batch, isThorough))
  const commitSure = async (batch: readonly Member[]) => {
    try {
      return await connections.post({
        members: batch.length,
        send: (caller, signing) => flights.post(caller, signing, batch),
        work: async (caller, entered) => {
          const flown = await flights.fly(caller, entered, batch)
          if (flown !== undefined) return flown
          return {
            value: await commitMembers(caller, entered, lanes, batch, false),
            written: Promise.resolve(),
          }
        },
      })
    } catch (error) {
      const fault = faultOf(error)
      if (fault === 'again' || fault === 'member') flights.failed()
      // Whose fault it is, is found when all is looked at.
      throw fault === 'member' ? new Overtaken('a flight was refused') : error
    }
  }
  return (batch: readonly Member[]) =>
    patiently(patience, async (races) => {
      await lanes.intern(batch)
      const isThorough = races > 0 || !isOrdered
      return !isThorough && flights.dares(batch) ? commitSure(batch) : commitRead(batch, isThorough)
    })
}

export const createStore = (parts: StoreParts): PostgresStore => {
  const { connections, id, patience, watch, onWarning } = parts
  const sql = repeatable(connections, patience)
  const lanes = createLanes(sql)
  const marks = createMarks()
  const sheets = createSheets((over) => connections.sql.forgetClaims({ over }))
  const claiming = { sql: connections.inTurn, patience, marks, sheets }
  const tallies = createTallies((limit) => connections.sql.foldTallies({ limit }))
  const guests = createGuests({ id, lanes, tallies })
  const commitOnce = committing(parts, lanes)
  const commit: Store['commit'] = async (batch) => {
    if (batch.length === 0) return []
    const { results, news } = await bisecting(commitOnce)(batch)
    if (batch.some(resumes)) marks.forget()
    for (const { claims } of news) sheets.begin(claims)
    endClaims(sheets, batch, results)
    watch.tell(news)
    tallies.wrote(news)
    return results
  }
  return {
    id,
    flights: () => FLIGHTS,
    claims: FLIGHTS,
    commit,
    claim: (request) => claimActions(claiming, request),
    extend: async (claims, leaseMs, clocks) =>
      claims.length === 0 ? { lost: [], cancelled: [] } : extendLeases(sql, claims, leaseMs, clocks),
    ...createQueues(sql, onWarning),
    load: (refs) => load(sql, refs),
    heads: ({ now }) => patiently(patience, () => connections.alone((caller) => readHeads(caller.sql, now))),
    wake: watch.listen,
    close: async () => {
      await watch.close()
      await tallies.close()
      await connections.close()
    },
    in: (client) => {
      connections.keepApart()
      return guests(client)
    },
  }
}

const load = async (sql: Statements, refs: Parameters<Store['load']>[0]): ReturnType<Store['load']> => {
  const { rows } = await sql.readExecutions<ExecutionRecord & { waiting: boolean }>({
    namespaces: refs.map(({ namespace }) => namespace),
    tenants: refs.map(({ tenant }) => tenant),
    ids: refs.map((ref) => ref.id),
  })
  return rows.map((row) =>
    readOr(
      () => ({ ...toExecution(row), waiting: row.waiting }),
      (unreadable) => ({
        ref: { namespace: row.namespace, tenant: row.tenant, id: row.id },
        unreadable,
      }),
    ),
  )
}
