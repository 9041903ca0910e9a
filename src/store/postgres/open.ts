// Owns opening a PostgreSQL store: can the server be trusted with what it is told, is the schema right, is there a pooler
// in between; then the pool and the ports over it. Everything that would differ from one run to the next is given
// in.

import type { Client, ClientBase, ClientConfig, PoolConfig } from 'pg'
import { PawlError } from '../../core/errors.ts'
import { createCursors } from '../cursor.ts'
import type { HealthStore } from '../health.ts'
import type { Inspector } from '../inspect.ts'
import { jitterOf } from '../jitter.ts'
import type { Keeper } from '../keeper.ts'
import type { Limits } from '../limits.ts'
import type { Occurrences } from '../occurrences.ts'
import type { Office } from '../office.ts'
import type { OutboxStore } from '../outbox.ts'
import type { Reader } from '../reader.ts'
import { newStoreId } from '../store-id.ts'
import type { Tasks } from '../tasks.ts'
import type { TemplateStore } from '../templates.ts'
import type { Timers } from '../timers.ts'
import type { Triage } from '../triage.ts'
import type { Vault } from '../vault.ts'
import type { Ways } from '../ways.ts'
import type { Workers } from '../workers.ts'
import type { MakeQuery } from './bundle.ts'
import { createConnections } from './connections.ts'
import { loadPg } from './driver.ts'
import { storeError } from './faults.ts'
import { migrations as ownMigrations } from './generated/sql.ts'
import { createHealthStore } from './health.ts'
import { createInspector } from './inspect.ts'
import { createKeeper } from './keeper.ts'
import { createLimits } from './limits.ts'
import { type Migration, migrateSchema } from './migrate.ts'
import { createOccurrences } from './occurrences.ts'
import { createOffice } from './office.ts'
import { createOutboxStore } from './outbox.ts'
import { preparePartitions } from './partitions.ts'
import { type Patience, patiently } from './patience.ts'
import { createReader } from './reader.ts'
import { type Caller, createCaller } from './statements.ts'
import { createStore, type PostgresStore, repeatable } from './store.ts'
import { createTasks } from './tasks.ts'
import { createTemplates } from './templates.ts'
import { createTriage } from './triage.ts'
import { createVault } from './vault.ts'
import { createWatch } from './watch.ts'
import { createWorkers } from './workers.ts'

export interface PostgresOptions {
  /** `postgres://user:password@host:port/database`. */
  readonly url?: string
  /** What pg's Pool takes, instead of a URL or beside it. */
  readonly pool?: PoolConfig
  /** A direct way to the server for LISTEN, where the URL leads to a pooler. */
  readonly listenUrl?: string
  /** At least 128 random bits as text, other ones with each call. */
  readonly random: () => string
  readonly timers: Timers
  /** Which way commits go while others are under way. Default: each over a connection of its own. */
  readonly ways?: Ways
  /** Bring an existing store of an older version up to date. A new store always is. */
  readonly migrate?: boolean
  /** How long a server that is away is waited for. Default 2,000. */
  readonly awayMs?: number
  /** A server with fsync off loses what it acknowledged: only for tests. */
  readonly acceptDataLoss?: boolean
  /** What someone should know and nothing fails for. */
  readonly onWarning?: (message: string) => void
  readonly migrations?: readonly Migration[]
}

export interface OpenPostgres {
  readonly store: PostgresStore
  readonly reader: Reader
  readonly keeper: Keeper
  readonly inspector: Inspector
  readonly vault: Vault
  readonly office: Office
  readonly workers: Workers
  readonly limits: Limits
  readonly tasks: Tasks
  readonly templates: TemplateStore
  readonly occurrences: Occurrences
  readonly outbox: OutboxStore
  readonly health: HealthStore
  readonly triage: Triage
  /** As the server says it: `18.4`. */
  readonly version: string
  /** A pooler is in between: nothing is prepared, and without `listenUrl` others are noticed by scans alone. */
  readonly isPooled: boolean
}

const DEFAULT_AWAY_MS = 2000
/** Two commits, claims, the heartbeat, scans and reads. */
const DEFAULT_MAX = 8
/**
 * A prepared statement keeps the plan it was given first. One made while a table was small reads all of it, and goes on
 * doing so while it grows, until statistics are gathered: 27 ms for 50 executions, where the key takes 0.4. By the index and
 * not by a bitmap of it, rows are also met, and locked, in the order of their keys.
 */
export const BY_INDEX =
  'set enable_seqscan = off; set enable_bitmapscan = off; set enable_mergejoin = off; set enable_hashjoin = off; ' +
  'set jit = off'
/**
 * One plan for all values, from the first call on. Left to itself the server plans a statement anew whenever few rows are
 * given, because it takes those it does not see for ten: half a millisecond for each claim of one lane, and as much as
 * writing it for a step by itself. None of the plans depends on what is given (plans.test.ts). Where nothing is prepared it changes nothing.
 */
export const PLANNED_ONCE = 'set plan_cache_mode = force_generic_plan'
/** A connection that says nothing for this long is given up. */
const SILENCE_MS = 60_000

interface Session {
  readonly pid: number
  readonly fsync: string
  readonly full_pages: string
  readonly synchronous: string
  readonly isolation: string
  readonly version: string
  readonly restricted: boolean
}

const configOf = ({ url, pool }: PostgresOptions): PoolConfig => ({
  ...(url !== undefined && { connectionString: url }),
  keepAlive: true,
  connectionTimeoutMillis: 5000,
  application_name: 'pawl',
  ...pool,
})

const assertSafe = (session: Session, { acceptDataLoss = false }: PostgresOptions): void => {
  if (session.restricted)
    throw new PawlError('store_schema', 'row-level security hides the tables from this user', {
      expected: 'a connection as the owner of the schema "pawl"',
    })
  const isSafe = session.fsync === 'on' && session.full_pages === 'on'
  if (!isSafe && !acceptDataLoss)
    throw new PawlError(
      'store_unsafe',
      'the server runs with fsync or full_page_writes off: it may lose commits',
      {
        expected: 'fsync = on and full_page_writes = on, or acceptDataLoss for a test',
      },
    )
}

/** The names and keys of a store are drawn once, by whoever makes it. */
const readIdentity = async (caller: Caller, random: () => string) => {
  const { now } = (await caller.sql.clock<{ now: number }>()).rows[0]!
  const drawn = { store_id: newStoreId(now, random()), cursor_key: random(), epoch: '1' }
  for (const [key, value] of Object.entries(drawn)) await caller.sql.insertMeta({ key, value })
  const { rows } = await caller.sql.readMeta<{ key: string; value: string }>()
  const meta = new Map(rows.map(({ key, value }) => [key, value]))
  await preparePartitions(caller, now)
  return { id: meta.get('store_id')!, cursorKey: meta.get('cursor_key')! }
}

/** On a connection of its own: what a pool must know before it can be made. */
const introduce = async (client: Client, options: PostgresOptions) => {
  const { random, migrate = false, migrations = ownMigrations, onWarning = () => undefined } = options
  client.on('error', () => undefined)
  await client.connect()
  try {
    const caller = createCaller(client)
    await migrateSchema(caller, { migrations, migrate, onWarning })
    const session = (await caller.sql.session<Session>()).rows[0]!
    assertSafe(session, options)
    const identity = await readIdentity(caller, random)
    // A pooler hands out numbers of its own: a connection that is not who it says it is, is not ours alone.
    const { processID } = client as unknown as { readonly processID: number }
    return { identity, session, isPooled: processID !== session.pid }
  } finally {
    await client.end().catch(() => undefined)
  }
}

/**
 * Read committed and durable, whatever the server's default. Behind a pooler a session is nobody's: there each transaction says for itself that it reads by index. What is written by
 * rows of JSON read whole tables until statistics were gathered: 5 to 18 ms each with 10,000 to 25,000 rows.
 */
export const beginOf = ({ synchronous }: Pick<Session, 'synchronous'>, isPooled: boolean): string =>
  [
    'begin isolation level read committed',
    ...(synchronous === 'off' ? ['set local synchronous_commit = on'] : []),
    ...(isPooled ? [BY_INDEX.replaceAll('set ', 'set local ')] : []),
  ].join('; ')

/** What is not begun is as what is, where the connection is ours and the server's default is read committed and durable. */
const transactionsOf = (session: Session, isPooled: boolean, { random, ways }: PostgresOptions) => {
  const isPlain = session.synchronous !== 'off' && session.isolation === 'read committed'
  return { begin: beginOf(session, isPooled), draw: isPooled || !isPlain ? undefined : random, ways }
}

const poolConfigOf = (config: PoolConfig, isPooled: boolean): PoolConfig =>
  ({
    max: DEFAULT_MAX,
    query_timeout: SILENCE_MS,
    ...config,
    pipeline: true,
    ...(!isPooled && { onConnect: (client: ClientBase) => client.query(`${BY_INDEX}; ${PLANNED_ONCE}`) }),
  }) as PoolConfig

export const openPostgres = async (options: PostgresOptions): Promise<OpenPostgres> => {
  const { random, timers, awayMs = DEFAULT_AWAY_MS, onWarning = () => undefined, listenUrl } = options
  const { Client, Pool, Query } = await loadPg()
  const config = configOf(options)
  const jitter = jitterOf(random)
  const patience: Patience = { timers, jitter, awayMs }
  const { identity, session, isPooled } = await patiently(patience, () =>
    introduce(new Client(config as ClientConfig), options),
  ).catch((error) => {
    throw storeError(error)
  })
  const pool = new Pool(poolConfigOf(config, isPooled))
  const connections = createConnections({
    pool,
    timers,
    Query: isPooled ? undefined : (Query as unknown as MakeQuery),
    ...transactionsOf(session, isPooled, options),
  })
  const listener = listenUrl === undefined ? config : { ...config, connectionString: listenUrl }
  const isDeaf = isPooled && listenUrl === undefined
  if (isDeaf)
    onWarning('a pooler is in between: other processes are noticed by scans, give listenUrl to hear them')
  const watch = createWatch({
    connect: isDeaf ? undefined : () => new Client({ ...listener, keepAlive: true } as ClientConfig),
    sql: connections.sql,
    timers,
    jitter,
    origin: random().replaceAll(/\W/g, '').slice(0, 32),
    onWarning,
  })
  const cursors = createCursors(identity.cursorKey)
  return {
    store: createStore({ connections, id: identity.id, patience, watch, onWarning, isOrdered: !isPooled }),
    reader: createReader(connections, patience, cursors),
    keeper: createKeeper({ connections, patience, random }),
    inspector: createInspector(connections, patience),
    vault: createVault(connections, patience),
    office: createOffice(connections, patience, cursors),
    workers: createWorkers(repeatable(connections, patience)),
    limits: createLimits(connections, patience),
    templates: createTemplates(connections, patience),
    tasks: createTasks(connections, patience, cursors),
    occurrences: createOccurrences(repeatable(connections, patience), cursors),
    outbox: createOutboxStore(repeatable(connections, patience), cursors),
    health: createHealthStore(repeatable(connections, patience)),
    triage: createTriage(connections, patience, cursors),
    version: session.version,
    isPooled,
  }
}
