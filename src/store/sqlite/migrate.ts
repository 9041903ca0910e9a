// Owns bringing a file to the schema of this version: numbered migrations, applied in order, each written into a ledger
// with its checksum. The caller holds the write lock, so that of two that open a store at once one migrates and the
// other finds it done.

import type { DatabaseSync } from 'node:sqlite'
import { PawlError } from '../../core/errors.ts'
import { APPLICATION_ID } from './integrity.ts'
import { firstDifference, isEmpty } from './schema.ts'
import { prepareStatements, type Statements } from './statements.ts'

export interface Migration {
  readonly number: number
  readonly name: string
  readonly breaking: boolean
  readonly checksum: string
  readonly text: string
}

interface Entry {
  readonly number: number
  readonly name: string
  readonly checksum: string
  readonly breaking: number
}

export interface MigrateOptions {
  readonly file: string
  readonly migrations: readonly Migration[]
  /** May an existing store be brought up to date? A new one always is. */
  readonly migrate: boolean
  readonly onWarning: (message: string) => void
}

const refuse = (file: string, why: string, expected: string): PawlError =>
  new PawlError('store_schema', `${file} ${why}`, { expected })

const ledgerOf = (db: DatabaseSync, sql: Statements): readonly Entry[] =>
  isEmpty(db) ? [] : sql.readMigrations.all<Entry>()

const isSame = (entry: Entry, migration: Migration): boolean =>
  entry.name === migration.name &&
  entry.checksum === migration.checksum &&
  (entry.breaking === 1) === migration.breaking

/** What the ledger has that this version does not know, after what both know was compared. */
const unknownEntries = (ledger: readonly Entry[], { file, migrations }: MigrateOptions): readonly Entry[] => {
  const known = new Map(migrations.map((migration) => [migration.number, migration]))
  for (const entry of ledger) {
    const migration = known.get(entry.number)
    if (migration !== undefined && !isSame(entry, migration))
      throw refuse(
        file,
        `was migrated by another ${entry.name} than this version has (migration ${entry.number})`,
        'the version of Pawl that made the file, or a backup made by this one',
      )
  }
  return ledger.filter(({ number }) => !known.has(number))
}

const apply = (db: DatabaseSync, sql: Statements, migration: Migration): void => {
  const { number, name, checksum, breaking } = migration
  db.exec(migration.text)
  const at = sql.clock.get<{ now: number }>()!.now
  sql.insertMigration.run({ number, name, checksum, breaking: breaking ? 1 : 0, at })
}

/** Inside BEGIN IMMEDIATE. Throws before it has changed anything when the file cannot be used as it is. */
export const migrateSchema = (db: DatabaseSync, options: MigrateOptions): void => {
  const { file, migrations, onWarning } = options
  const sql = prepareStatements(db)
  const ledger = ledgerOf(db, sql)
  const unknown = unknownEntries(ledger, options)
  const breaking = unknown.find((entry) => entry.breaking === 1)
  if (breaking !== undefined)
    throw refuse(
      file,
      `was migrated by a newer Pawl (${breaking.name}), which this one cannot work with`,
      'a newer Pawl',
    )
  if (unknown.length > 0) onWarning(`${file} was migrated by a newer Pawl; this one can still work with it`)
  const missing = migrations.filter(({ number }) => !ledger.some((entry) => entry.number === number))
  if (missing.length === 0) return
  if (ledger.length > 0 && !options.migrate)
    throw refuse(
      file,
      `has an older schema: ${missing.map(({ name }) => name).join(', ')} to apply`,
      `npx pawl migrate --store sqlite:${file}, or migrate: true for Pawl.open`,
    )
  for (const migration of missing) apply(db, sql, migration)
  db.exec(`pragma application_id = ${APPLICATION_ID}`)
}

/** Every table and index must be as the migrations make it. */
export const assertSchema = (
  db: DatabaseSync,
  Database: typeof DatabaseSync,
  { file, migrations }: Pick<MigrateOptions, 'file' | 'migrations'>,
): void => {
  if (ledgerOf(db, prepareStatements(db)).length > migrations.length) return
  const name = firstDifference(db, Database, migrations)
  if (name !== undefined)
    throw new PawlError('store_corrupt', `${file} is damaged: ${name} is not as Pawl made it`, {
      expected: 'the tables as the migrations made them; restore the last backup',
    })
}
