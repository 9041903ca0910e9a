// Owns `in(client)`: the same commit inside a transaction that the caller began and will end, on the caller's own
// connection. A savepoint keeps a failure of ours from ending their transaction, and the notice is sent in it: it goes
// out when they commit.

import type { ClientBase } from 'pg'
import { PawlError } from '../../core/errors.ts'
import type { Member, TransactionalStore } from '../store.ts'
import { bisecting, type Committed, commitMembers } from './commit.ts'
import type { Entered } from './connections.ts'
import { faultOf, storeError } from './faults.ts'
import type { Lanes } from './lanes.ts'
import { type Caller, createCaller, invoke, statementsBy } from './statements.ts'
import type { Tallies } from './tallies.ts'
import { payloadOf } from './watch.ts'

const refuseClient = (message: string): PawlError =>
  new PawlError('invalid_option', message, {
    path: 'in(client)',
    expected: "a pg client on the store's own database, after its BEGIN",
  })

/** Older clients of pg cannot say whether a transaction is open; the savepoint then refuses in their place. */
type Guest = ClientBase & { readonly getTransactionStatus?: () => string | null }

/** One after the other: only a client set up for it may have several statements under way. */
const inTurn = (caller: Caller): Caller => {
  let last: Promise<unknown> = Promise.resolve()
  const after = <Value>(work: () => Promise<Value>): Promise<Value> => {
    const next = last.then(work, work)
    last = next.catch(() => undefined)
    return next
  }
  return {
    isOwn: caller.isOwn,
    sql: statementsBy((name, args) => after(() => invoke(caller.sql, name, args))),
    run: (text) => after(() => caller.run(text)),
    hurry: caller.hurry,
    leave: caller.leave,
    apart: (name, args) => after(() => caller.apart(name, args)),
  }
}

const MAX_RACES = 5

const attempt = async (caller: Caller, lanes: Lanes, batch: readonly Member[]): Promise<Committed> => {
  await caller.run('savepoint pawl')
  try {
    const entered = caller.sql.enter<Entered>().then(({ rows }) => rows[0]!)
    entered.catch(() => undefined)
    const done = await commitMembers(caller, entered, lanes, batch, true)
    await caller.run('release pawl')
    return done
  } catch (error) {
    await caller.run('rollback to pawl; release pawl').catch(() => undefined)
    throw error
  }
}

const commitOnce =
  (caller: Caller, lanes: Lanes) =>
  async (batch: readonly Member[]): Promise<Committed> => {
    for (let races = 0; ; races += 1)
      try {
        await lanes.intern(batch)
        return await attempt(caller, lanes, batch)
      } catch (error) {
        if (faultOf(error) !== 'again' || races >= MAX_RACES) throw error
      }
  }

export interface GuestParts {
  readonly id: string
  readonly lanes: Lanes
  readonly tallies: Pick<Tallies, 'wrote'>
}

export const createGuests = ({ id, lanes, tallies }: GuestParts): TransactionalStore<ClientBase>['in'] => {
  const known = new WeakSet<ClientBase>()

  const assertOwn = async (client: Guest, caller: Caller): Promise<void> => {
    const status = client.getTransactionStatus?.() ?? 'T'
    if (status !== 'T') throw refuseClient('the client has no open transaction, or one that failed')
    if (known.has(client)) return
    const { rows } = await caller.sql
      .readMeta<{ key: string; value: string }>()
      .catch(() => ({ rows: [] as never[] }))
    if (!rows.some(({ key, value }) => key === 'store_id' && value === id))
      throw refuseClient('the client is connected to another database')
    known.add(client)
  }
  return (client) => ({
    commit: async (batch) => {
      const caller = inTurn(createCaller(client))
      await assertOwn(client, caller)
      try {
        const { results, news } = await bisecting(commitOnce(caller, lanes))(batch)
        tallies.wrote(news)
        for (const one of news) await caller.sql.notify({ payload: payloadOf('', one) })
        return results
      } catch (error) {
        throw storeError(error)
      }
    },
  })
}
