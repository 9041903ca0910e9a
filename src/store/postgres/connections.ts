// Owns the pool: how a statement or a transaction gets a connection, and what becomes of it when that connection dies.
// C1  No error of a connection, idle or in use, reaches the process as an unhandled event.
// C2  A transaction never goes on over another connection. When the answer to COMMIT is lost, the server is asked by the
//     transaction's number what became of it; only what is known to be undone may be done again. After a crash the numbers
//     of transactions that were not on disk are given to others: a server that was restarted is not believed. What is sent in
//     one piece has no number, and signs a receipt (receipts.ts).

import type { ClientBase, Pool, PoolClient } from 'pg'
import { PawlError } from '../../core/errors.ts'
import type { Timers } from '../timers.ts'
import type { Ways } from '../ways.ts'
import type { MakeQuery } from './bundle.ts'
import { faultOf, Overtaken } from './faults.ts'
import { createPosting, type Post } from './posting.ts'
import { createReceipts, type Receipts } from './receipts.ts'
import {
  type Caller,
  createCaller,
  createOwnCaller,
  invoke,
  type Statements,
  statementsBy,
} from './statements.ts'

/** What a transaction knows about itself. */
export interface Entered {
  readonly clock: number
  readonly epoch: string
  readonly xid: string
  readonly timeline: string
  readonly pid: number
}

/** And of the server it runs on. */
interface Begun extends Entered {
  readonly life: string
}

/** Work that was sent and may not have been answered yet. */
export interface Flown<Value> {
  readonly value: Value
  /**
   * COMMIT goes behind it at once. So whatever must not be committed is refused by the server: a statement that fails makes a
   * ROLLBACK of the COMMIT behind it.
   */
  readonly written: Promise<unknown>
}

type Flight<Value> = (caller: Caller, entered: Promise<Entered>) => Promise<Flown<Value>>

export interface Connections {
  /** One statement by itself. */
  readonly sql: Statements
  readonly transact: <Value>(work: (caller: Caller, entered: Entered) => Promise<Value>) => Promise<Value>
  /** The same, and `work` begins at once: it may read and lock, and write only when it was answered that it has entered. */
  readonly hasten: <Value>(
    work: (caller: Caller, entered: Promise<Entered>) => Promise<Value>,
  ) => Promise<Value>
  /** The same, and it need not wait for what it has sent. */
  readonly fly: <Value>(work: Flight<Value>) => Promise<Value>
  /** In one piece, which the server commits with its last word: one message, one answer. What cannot go so, flies. */
  readonly post: <Value>(
    post: Pick<Post<Value>, 'members' | 'send'> & { readonly work: Flight<Value> },
  ) => Promise<Value>
  /** What is sent in one piece goes over a connection of its own from now on. */
  readonly keepApart: () => void
  /** The same, and those that are asked one after the other follow each other on one connection, each by itself. */
  readonly inTurn: Statements
  /** A connection for a while, outside of any transaction. */
  readonly alone: <Value>(work: (caller: Caller) => Promise<Value>) => Promise<Value>
  /** Several statements on one snapshot, which write nothing. */
  readonly observe: <Value>(work: (caller: Caller) => Promise<Value>) => Promise<Value>
  readonly close: () => Promise<void>
}

export interface ConnectionOptions {
  readonly pool: Pool
  readonly timers: Timers
  /** Of the driver, where connections are ours alone: statements are prepared on them, and travel together. */
  readonly Query?: MakeQuery | undefined
  /** How a transaction begins: read committed, and durable whatever the server's default is. */
  readonly begin: string
  /** Names that nobody else has, where a transaction without a beginning is like one that is begun. */
  readonly draw?: (() => string) | undefined
  /** Where what is sent in one piece goes. Without it, none follows another on its connection. */
  readonly ways?: Ways | undefined
}

const SNAPSHOT = 'begin isolation level repeatable read read only'
/** Waits between two questions about a lost commit: about ten seconds in all. */
const ASKING = [20, 50, 100, 200, 400, 800, 1600, 3000, 4000]
/** After this many, the server has not noticed that nobody is there: its end is asked for. */
const PATIENT = 4

/** As the server last said it: no transaction is open. */
const IDLE = 'I'
const statusOf = (client: PoolClient): string | null =>
  (client as PoolClient & { readonly getTransactionStatus: () => string | null }).getTransactionStatus()

const ignore = (): void => undefined
const DONE = Promise.resolve()

const closed = (): PawlError => new PawlError('store_closed', 'the PostgreSQL store was closed')

const unknown = (error: unknown): PawlError =>
  new PawlError(
    'store_unavailable',
    'the connection was lost while a change was being committed, and the server cannot say what became of it',
    { outcome: 'unknown' },
    error,
  )

export const isUnknown = (error: unknown): boolean =>
  error instanceof PawlError && error.details['outcome'] === 'unknown'

/** True: committed, false: undone, undefined: nobody can say. Fails while it is under way, or nobody answers. */
type Ask = () => Promise<boolean | undefined>

/** Asks the server what became of a transaction of that process. True: committed; throws when that cannot be known. */
const createInquiry =
  (sql: Statements, timers: Timers) =>
  async (ask: Ask, pid: number, lost: unknown): Promise<boolean> => {
    for (const [index, ms] of ASKING.entries()) {
      const answer = await ask().catch(() => 'under way' as const)
      if (answer === undefined) break
      if (answer !== 'under way') return answer
      if (index === PATIENT) await sql.endBackend({ pid }).catch(ignore)
      await timers.sleep(ms)
    }
    throw unknown(lost)
  }

const OUTCOMES: Readonly<Record<string, boolean>> = { committed: true, aborted: false }

/** By the number of the transaction, while the server is the same. */
const askByNumber =
  (sql: Statements, { xid, timeline, life }: Begun): Ask =>
  async () => {
    const { rows } = await sql.transactionStatus<{ status: string | null; timeline: string }>({ xid, life })
    const { status, timeline: now } = rows[0]!
    if (status === null || now !== timeline) return undefined
    if (OUTCOMES[status] === undefined) throw new Error(`the transaction is ${status}`)
    return OUTCOMES[status]
  }

type Borrow = <Value>(work: (client: PoolClient) => Promise<Value>) => Promise<Value>

const borrowFrom =
  (pool: Pool): Borrow =>
  async (work) => {
    const client = await pool.connect()
    try {
      const value = await work(client)
      client.release()
      return value
    } catch (error) {
      // A connection in the middle of something is nobody's: a new one is cheap, a poisoned one is not.
      client.release(statusOf(client) !== IDLE || faultOf(error) === 'lost')
      throw error
    }
  }

/** Made once for a connection: there is one function for each of well over a hundred statements. */
const rememberCallers = (Query: MakeQuery | undefined): ((client: PoolClient) => Caller) => {
  const create = (client: PoolClient): Caller =>
    Query === undefined ? createCaller(client) : createOwnCaller(client, Query)
  const callers = new WeakMap<PoolClient, Caller>()
  return (client) => {
    const caller = callers.get(client) ?? create(client)
    callers.set(client, caller)
    return caller
  }
}

/** Asked once for a connection: it does not outlive the server it was made to. */
const rememberLives = (): ((caller: Caller) => Promise<string>) => {
  const lives = new WeakMap<Caller, string>()
  return async (caller) => {
    const known = lives.get(caller)
    if (known !== undefined) return known
    const { rows } = await caller.sql.serverLife<{ life: string }>()
    lives.set(caller, rows[0]!.life)
    return rows[0]!.life
  }
}

/** Begins a transaction, and says what it knows about itself. */
const entering = (begin: string): ((caller: Caller) => Promise<Begun>) => {
  const lifeOf = rememberLives()
  return async (caller) => {
    const [, { rows }, life] = await Promise.all([
      caller.run(begin),
      caller.sql.enter<Entered>(),
      lifeOf(caller),
    ])
    return { ...rows[0]!, life }
  }
}

type Inquiry = ReturnType<typeof createInquiry>

const commitBy =
  (sql: Statements, wasCommitted: Inquiry) =>
  async (caller: Caller, entered: Begun): Promise<void> => {
    try {
      const command = await caller.run('commit')
      if (command !== 'COMMIT') throw new Overtaken('the server undid the transaction')
    } catch (error) {
      if (faultOf(error) !== 'lost') throw error
      if (!(await wasCommitted(askByNumber(sql, entered), entered.pid, error))) throw error
    }
  }

/** One snapshot, begun with its first question. */
const observing =
  (alone: Connections['alone']): Connections['observe'] =>
  (work) =>
    alone(async (caller) => {
      const begun = caller.run(SNAPSHOT)
      begun.catch(ignore)
      try {
        const value = await work(caller)
        await begun
        await caller.run('commit')
        return value
      } catch (error) {
        // Work that asks nothing may throw before it has begun: only then can be seen what the connection is in.
        await begun.catch(ignore)
        throw error
      }
    })

/** One connection for all who ask while somebody does: the server goes from one to the next without waiting for us. */
const sharing = (alone: Connections['alone']): Connections['alone'] => {
  const lend = () => {
    const caller = Promise.withResolvers<Caller>()
    const over = Promise.withResolvers<void>()
    // Where no connection could be had, nobody waits for its end.
    over.promise.catch(ignore)
    alone((own) => {
      caller.resolve(own)
      return over.promise
    }).catch(caller.reject)
    return { caller: caller.promise, over, users: 0, failure: undefined as unknown }
  }
  let lent: ReturnType<typeof lend> | undefined
  return async (work) => {
    lent ??= lend()
    const mine = lent
    mine.users += 1
    try {
      return await work(await mine.caller)
    } catch (error) {
      mine.failure ??= error
      throw error
    } finally {
      mine.users -= 1
      // After a failure nobody else gets it.
      if (lent === mine && (mine.users === 0 || mine.failure !== undefined)) lent = undefined
      if (mine.users === 0 && mine.failure === undefined) mine.over.resolve()
      else if (mine.users === 0) mine.over.reject(mine.failure)
    }
  }
}

type FlyOver = <Value>(caller: Caller, work: Flight<Value>, opens?: Receipts) => Promise<Value>

/** A transaction: begun, worked in, committed. `opens`: and the connection has a receipt from then on. */
const flying =
  (enter: ReturnType<typeof entering>, commit: ReturnType<typeof commitBy>): FlyOver =>
  async (caller, work, opens) => {
    const entered = enter(caller)
    entered.catch(ignore)
    const opened = opens?.open(caller)
    try {
      const { value, written } = await work(caller, entered)
      written.catch(ignore)
      // By its number it can be asked about: before that is known, nothing is committed.
      const begun = await entered
      const [writes, end] = await Promise.allSettled([written, commit(caller, begun)])
      // What failed first is the cause; that the server undid the whole follows from it.
      if (end.status === 'rejected')
        throw writes.status === 'rejected' && faultOf(end.reason) === 'again' ? writes.reason : end.reason
      await opened?.().catch(ignore)
      return value
    } catch (error) {
      await caller.run('rollback').catch(ignore)
      throw error
    }
  }

export const createConnections = (options: ConnectionOptions): Connections => {
  const { pool, timers, Query, begin, draw, ways } = options
  let isClosed = false
  pool.on('error', ignore)
  pool.on('connect', (client: ClientBase) => client.on('error', ignore))
  const lend = borrowFrom(pool)
  const callerOf = rememberCallers(Query)
  const alone: Connections['alone'] = async (work) => {
    if (isClosed) throw closed()
    return lend((client) => work(callerOf(client)))
  }
  const sql = statementsBy((name, args) => alone((caller) => invoke(caller.sql, name, args)))
  const shared = Query === undefined ? alone : sharing(alone)
  const inTurn = statementsBy((name, args) => shared((caller) => caller.apart(name, args)))
  const inquire = createInquiry(sql, timers)
  const flyOver = flying(entering(begin), commitBy(sql, inquire))
  const fly: Connections['fly'] = (work) => alone((caller) => flyOver(caller, work))
  const posting = createPosting({
    alone,
    inquire,
    receipts: draw && createReceipts(sql, draw),
    ways,
    isClosed: () => isClosed,
  })
  const post: Connections['post'] = ({ members, send, work }) =>
    posting.post({ members, send, fly: (caller, opens) => flyOver(caller, work, opens) })
  const hasten: Connections['hasten'] = (work) =>
    fly(async (caller, entered) => ({ value: await work(caller, entered), written: DONE }))
  const transact: Connections['transact'] = (work) =>
    hasten(async (caller, entered) => work(caller, await entered))
  const close = async (): Promise<void> => {
    if (isClosed) return
    isClosed = true
    await pool.end()
  }
  const { keepApart } = posting
  return { sql, inTurn, transact, hasten, fly, post, keepApart, alone, observe: observing(alone), close }
}
