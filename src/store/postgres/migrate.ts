// Owns bringing a database to the schema of this version: numbered migrations, applied in order and in one transaction,
// each written into a ledger with its checksum. An advisory lock lets one migrate, and the others find it done.

import { PawlError } from '../../core/errors.ts'
import type { Caller } from './statements.ts'

export interface Migration {
  readonly number: number
  readonly name: string
  readonly breaking: boolean
  readonly checksum: string
  readonly text: string
}

type Entry = Omit<Migration, 'text'>

export interface MigrateOptions {
  readonly migrations: readonly Migration[]
  /** May an existing store be brought up to date? A new one always is. */
  readonly migrate: boolean
  readonly onWarning: (message: string) => void
}

interface State {
  readonly known: boolean
  readonly occupied: boolean
  readonly now: number
}

const refuse = (why: string, expected: string): PawlError =>
  new PawlError('store_schema', `the database ${why}`, { expected })

const foreign = (): PawlError =>
  new PawlError('store_foreign', 'the schema "pawl" of the database was not made by Pawl', {
    expected: 'a database without a schema of that name, or another database',
  })

const ledgerOf = async (caller: Caller): Promise<readonly Entry[]> => {
  const { rows } = await caller.sql.storeState<State>()
  const { known, occupied } = rows[0]!
  if (!known && occupied) throw foreign()
  return known ? (await caller.sql.readMigrations<Entry>()).rows : []
}

const isSame = (entry: Entry, { name, checksum, breaking }: Migration): boolean =>
  entry.name === name && entry.checksum === checksum && entry.breaking === breaking

/** What the ledger has that this version does not know, after what both know was compared. */
const unknownEntries = (ledger: readonly Entry[], migrations: readonly Migration[]): readonly Entry[] => {
  const known = new Map(migrations.map((migration) => [migration.number, migration]))
  for (const entry of ledger) {
    const migration = known.get(entry.number)
    if (migration !== undefined && !isSame(entry, migration))
      throw refuse(
        `was migrated by another ${entry.name} than this version has (migration ${entry.number})`,
        'the version of Pawl that made the store, or a backup made by this one',
      )
  }
  return ledger.filter(({ number }) => !known.has(number))
}

/** What is still to be applied. Throws when the store cannot be used as it is. */
const missingOf = (ledger: readonly Entry[], options: MigrateOptions): readonly Migration[] => {
  const { migrations, migrate, onWarning } = options
  const unknown = unknownEntries(ledger, migrations)
  const breaking = unknown.find((entry) => entry.breaking)
  if (breaking !== undefined)
    throw refuse(
      `was migrated by a newer Pawl (${breaking.name}), which this one cannot work with`,
      'a newer Pawl',
    )
  if (unknown.length > 0)
    onWarning('the database was migrated by a newer Pawl; this one can still work with it')
  const missing = migrations.filter(({ number }) => !ledger.some((entry) => entry.number === number))
  if (missing.length > 0 && ledger.length > 0 && !migrate)
    throw refuse(
      `has an older schema: ${missing.map(({ name }) => name).join(', ')} to apply`,
      'npx pawl migrate --store postgres://…, or migrate: true for Pawl.open',
    )
  return missing
}

/** Roles belong to the whole server, so that a migration cannot hold one: it is made where this user may. */
const grantReader = async (caller: Caller): Promise<void> => {
  const { rows } = await caller.sql.readerRole<{ present: boolean; allowed: boolean }>()
  const { present, allowed } = rows[0]!
  if (!present && !allowed) return
  // Another database of the server may be making it at this moment.
  if (!present)
    await caller.run(
      `do $$ begin create role pawl_reader nologin;
       exception when duplicate_object or unique_violation then null; end $$`,
    )
  await caller.run(
    `grant usage on schema pawl to pawl_reader;
     grant select on ${READABLE.map((table) => `pawl.${table}`).join(', ')} to pawl_reader`,
  )
}

/** Every table whose rows are some tenant's. */
const READABLE = [
  'lanes',
  'definitions',
  'executions',
  'actions',
  'actions_done',
  'attempts',
  'events',
  'inbox',
  'timers',
  'dedup',
  'pauses',
  'counters',
  'bulk_operations',
  'bulk_items',
  'alerts',
]

const apply = async (caller: Caller, migration: Migration): Promise<void> => {
  const { number, name, checksum, breaking } = migration
  await caller.run(migration.text)
  const at = (await caller.sql.storeState<State>()).rows[0]!.now
  await caller.sql.insertMigration({ number, name, checksum, breaking, at })
}

/** On a connection of its own, outside of any transaction. */
export const migrateSchema = async (caller: Caller, options: MigrateOptions): Promise<void> => {
  if (missingOf(await ledgerOf(caller), options).length === 0) return
  await caller.run('begin isolation level read committed')
  try {
    await caller.sql.lockMigrations()
    const missing = missingOf(await ledgerOf(caller), options)
    for (const migration of missing) await apply(caller, migration)
    if (missing.length > 0) await grantReader(caller)
    await caller.run('commit')
  } catch (error) {
    await caller.run('rollback').catch(() => undefined)
    throw error
  }
}
