// Owns opening a SQLite store: is the file ours and sound, is its schema right, then one connection, one writer, and the
// ports over them. Everything that would differ from one run to the next is given in.

import { closeSync, openSync, readSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
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
import { type Backfill, createBackfill, NO_BACKFILL } from './backfill.ts'
import { startBackfiller } from './backfiller.ts'
import { type Ballast, createBallast } from './ballast.ts'
import { type Begun, createBegun } from './begun.ts'
import type { Connection } from './connection.ts'
import { loadSqlite } from './driver.ts'
import { storeError } from './faults.ts'
import { createFlush, type Flush, NO_FLUSH } from './flush.ts'
import { migrations as ownMigrations } from './generated/sql.ts'
import { createHealthStore } from './health.ts'
import { createInspector } from './inspect.ts'
import { assertDatabase, assertOurs, checkIntegrity, type Integrity } from './integrity.ts'
import { createKeeper } from './keeper.ts'
import { createLimits } from './limits.ts'
import { assertSchema, type Migration, migrateSchema } from './migrate.ts'
import { createOccurrences } from './occurrences.ts'
import { createOffice } from './office.ts'
import { createOutboxStore } from './outbox.ts'
import { createPatience } from './patience.ts'
import { createReader } from './reader.ts'
import { makeRoom, type RoomParts } from './room.ts'
import { BY_THREAD, createScribe, NO_SCRIBE, type Scribe, type Scribing } from './scribe.ts'
import { inSnapshot } from './snapshot.ts'
import { prepareStatements } from './statements.ts'
import { createStore, type SqliteStore } from './store.ts'
import { createTasks } from './tasks.ts'
import { createTemplates } from './templates.ts'
import { createTriage } from './triage.ts'
import { tune } from './tuning.ts'
import { createVault } from './vault.ts'
import { openWal } from './wal.ts'
import { createWatch } from './watch.ts'
import { createWorkers } from './workers.ts'
import { createWriter, type Writer } from './writer.ts'

export interface SqliteOptions {
  /** A path, or `:memory:`. */
  readonly file: string
  /** At least 128 random bits as text, other ones with each call. */
  readonly random: () => string
  readonly timers: Timers
  /** Milliseconds of a clock that never goes back, by which the disk is measured. Without it the event loop never waits for the disk. */
  readonly monotonic?: () => number
  /** Which way commits go while one waits for the disk. Without them the next one waits until that is answered. */
  readonly ways?: Ways
  /** Bring an existing store of an older version up to date. A new store always is. */
  readonly migrate?: boolean
  /** How thoroughly the file is checked. Default: `full` up to 256 MiB, then `quick`, which leaves indexes out. */
  readonly integrity?: Integrity
  /** How often other processes' commits are looked for. Default 25. */
  readonly pollMs?: number
  /** How long to wait for a file that others keep locked. Default 30,000. */
  readonly busyMs?: number
  /** Room kept for a full disk. Default 8 MiB; 0 keeps none. */
  readonly reserveBytes?: number
  /** A quota: the file may not grow beyond it. Default: the disk. */
  readonly maxBytes?: number
  /** What someone should know and nothing fails for. */
  readonly onWarning?: (message: string) => void
  readonly migrations?: readonly Migration[]
  /** Who writes beside the event loop, and what. Default: a thread, what is large. */
  readonly scribing?: Scribing
}

export interface OpenSqlite {
  readonly store: SqliteStore
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
  /** The store's own connection: for `in(client)` on a memory store, which nobody else can connect to. */
  readonly connection: DatabaseSync
}

const DEFAULT_POLL_MS = 25
const DEFAULT_BUSY_MS = 30_000
const DEFAULT_RESERVE = 8 * 1024 * 1024
/** Looks at the file between two looks for room on a full disk. */
const LOOKS_PER_ROOM_CHECK = 200

const firstBytes = (file: string): string => {
  try {
    const handle = openSync(file, 'r')
    const bytes = Buffer.alloc(16)
    const length = readSync(handle, bytes, 0, 16, 0)
    closeSync(handle)
    return bytes.toString('latin1', 0, length)
  } catch {
    return ''
  }
}

const configure = (db: DatabaseSync): void => {
  // Only heard by an empty file: pruned pages can go back to the disk.
  db.exec('pragma auto_vacuum = incremental; pragma busy_timeout = 0')
  const mode = db.prepare('pragma journal_mode = wal').get()!['journal_mode']
  if (mode !== 'wal' && mode !== 'memory') throw new Error('it cannot be put into WAL mode here')
  tune(db)
}

/** The names and keys of a store are drawn once, by whoever makes it. */
const readIdentity = ({ sql }: Connection, random: () => string) => {
  const { now } = sql.clock.get<{ now: number }>()!
  sql.insertMeta.run({ key: 'store_id', value: newStoreId(now, random()) })
  sql.insertMeta.run({ key: 'cursor_key', value: random() })
  sql.insertMeta.run({ key: 'epoch', value: '1' })
  const meta = new Map(
    sql.readMeta.all<{ key: string; value: string }>().map(({ key, value }) => [key, value]),
  )
  return { id: meta.get('store_id')!, cursorKey: meta.get('cursor_key')!, wasFull: meta.get('full') === '1' }
}

const prepareFile = async (
  Database: typeof DatabaseSync,
  db: DatabaseSync,
  writer: Writer,
  options: SqliteOptions,
): Promise<void> => {
  const { file, migrate = false, migrations = ownMigrations, onWarning = () => undefined } = options
  await writer.glance(() => {
    inSnapshot(db, () => assertOurs(db, file))
    configure(db)
    checkIntegrity(db, file, options.integrity)
  })
  await writer.run(1, () => migrateSchema(db, { file, migrations, migrate, onWarning }))
  await writer.glance(() => inSnapshot(db, () => assertSchema(db, Database, { file, migrations })))
}

/** Looks for room on a full disk, with every so many looks at the file. */
const createRecovery = (parts: RoomParts): (() => void) => {
  let looks = 0
  return () => {
    looks += 1
    if (parts.ballast.isFull() && looks % LOOKS_PER_ROOM_CHECK === 0) void makeRoom(parts)
  }
}

const openScribe = (db: DatabaseSync, doubt: Flush['doubt'], options: SqliteOptions): Scribe => {
  const file = db.location()
  // A quota is kept by the connection that writes: another one knows nothing of it.
  if (file === null || options.maxBytes !== undefined) return NO_SCRIBE
  const { onWarning = () => undefined } = options
  return createScribe(file, { ...(options.scribing ?? BY_THREAD), onWarning, onLost: doubt })
}

const openBackfill = (db: DatabaseSync, disk: Flush, options: SqliteOptions): Backfill =>
  createBackfill(db, {
    start: startBackfiller,
    onWarning: options.onWarning ?? (() => undefined),
    onLost: disk.doubt,
  })

export const openSqlite = async (options: SqliteOptions): Promise<OpenSqlite> => {
  const { file, random, timers } = options
  if (file !== ':memory:') assertDatabase(file, firstBytes(file))
  const { DatabaseSync: Database } = await loadSqlite()
  const db = openDatabase(Database, file)
  const connection: Connection = { db, sql: prepareStatements(db), file }
  let ballast: Ballast | undefined
  const scribe = openScribe(db, (error) => disk.doubt(error), options)
  const patience = createPatience(db, {
    timers,
    jitter: jitterOf(random),
    relieve: () => ballast?.relieve() ?? false,
    partner: scribe,
    busyMs: options.busyMs ?? DEFAULT_BUSY_MS,
  })
  // Where there is no disk nothing goes beside a wait for it.
  const ways = file === ':memory:' ? undefined : options.ways
  const disk = file === ':memory:' ? NO_FLUSH : createFlush(db, file, openWal(db, options.monotonic))
  const backfill = file === ':memory:' ? NO_BACKFILL : openBackfill(db, disk, options)
  const begun = createBegun(connection, random)
  const isBeside = (): boolean => ways?.now() === 'beside'
  const writer = createWriter({ connection, patience, disk, backfill, scribe, begun, isBeside })
  try {
    await prepareFile(Database, db, writer, options)
    const identity = await writer.run(1, () => readIdentity(connection, random))
    // Only a store that is up to date has a place for them.
    if ((options.migrations?.length ?? Number.POSITIVE_INFINITY) >= ownMigrations.length) begun.open()
    const { reserveBytes = DEFAULT_RESERVE, maxBytes } = options
    const reserve = { reserveBytes, ...(maxBytes !== undefined && { maxBytes }) }
    ballast = createBallast(connection, reserve, identity.wasFull)
    return assemble({ connection, writer, disk, backfill, scribe, begun, ballast, ways, identity, options })
  } catch (error) {
    await writer.close()
    await scribe.close()
    await backfill.close()
    await disk.close()
    db.close()
    throw error
  }
}

interface Assembly {
  readonly connection: Connection
  readonly writer: Writer
  readonly disk: Flush
  readonly backfill: Backfill
  readonly scribe: Scribe
  readonly begun: Begun
  readonly ballast: Ballast
  readonly ways: Ways | undefined
  readonly identity: ReturnType<typeof readIdentity>
  readonly options: SqliteOptions
}

const assemble = (parts: Assembly): OpenSqlite => {
  const { connection, writer, disk, scribe, ballast, identity, options } = parts
  const { file, random, timers, pollMs = DEFAULT_POLL_MS, onWarning = () => undefined } = options
  if (ballast.isFull()) onWarning(`there is no room to keep a reserve for ${file}: new work is refused`)
  const watch = createWatch(connection, {
    timers,
    pollMs,
    partner: scribe,
    onError: (error) => onWarning(`${file}: ${String(error)}`),
    onLook: createRecovery({ connection, writer, ballast }),
  })
  const cursors = createCursors(identity.cursorKey)
  return {
    store: createStore({ ...parts, id: identity.id, watch, onWarning }),
    reader: createReader({ connection, writer, disk, cursors }),
    keeper: createKeeper({ connection, writer, ballast, timers, random }),
    inspector: createInspector(connection, writer, timers),
    vault: createVault(connection, writer),
    office: createOffice(connection, writer, cursors),
    workers: createWorkers(connection, writer),
    limits: createLimits(connection, writer),
    templates: createTemplates(connection, writer),
    tasks: createTasks(connection, writer, cursors),
    occurrences: createOccurrences(connection, writer, cursors),
    outbox: createOutboxStore(connection, writer, cursors),
    health: createHealthStore(connection, writer),
    triage: createTriage(connection, writer, cursors),
    connection: connection.db,
  }
}

const openDatabase = (Database: typeof DatabaseSync, file: string): DatabaseSync => {
  try {
    return new Database(file)
  } catch (error) {
    throw storeError(error, file)
  }
}
