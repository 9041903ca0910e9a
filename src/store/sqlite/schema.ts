// Owns the shape of the file: reading it back as text, and saying where it differs from what the migrations make. Only
// our own tables and indexes count: the caller may keep others in the same file.

import type { DatabaseSync } from 'node:sqlite'

interface SchemaObject {
  readonly name: string
  readonly sql: string
}

const OBJECTS = `select name, sql from sqlite_schema where sql is not null and name not like 'sqlite%' order by rowid`

const objectsOf = (db: DatabaseSync): readonly SchemaObject[] =>
  db.prepare(OBJECTS).all() as unknown as readonly SchemaObject[]

/** The schema as text, in the order it was made: schema.sql. */
export const dumpSchema = (db: DatabaseSync): string =>
  objectsOf(db)
    .map(({ sql }) => `${sql};\n`)
    .join('\n')

export const isEmpty = (db: DatabaseSync): boolean => objectsOf(db).length === 0

interface Script {
  readonly text: string
}

const made = new WeakMap<readonly Script[], readonly SchemaObject[]>()

/** What the migrations make, seen once by making it: a process may open many files. */
export const madeBy = (
  Database: typeof DatabaseSync,
  migrations: readonly Script[],
): readonly SchemaObject[] => {
  const known = made.get(migrations)
  if (known !== undefined) return known
  const empty = new Database(':memory:')
  try {
    for (const { text } of migrations) empty.exec(text)
    const objects = objectsOf(empty)
    made.set(migrations, objects)
    return objects
  } finally {
    empty.close()
  }
}

/** The first table or index that the migrations make and that is missing or not the same, or undefined. */
export const firstDifference = (
  db: DatabaseSync,
  Database: typeof DatabaseSync,
  migrations: readonly Script[],
): string | undefined => {
  const found = new Map(objectsOf(db).map(({ name, sql }) => [name, sql]))
  return madeBy(Database, migrations).find(({ name, sql }) => found.get(name) !== sql)?.name
}

const SEAL = /seal text not null generated always as \((.*)\) stored/s

/** Per table with a seal: the query that finds a row whose short columns no longer agree with it. */
export const sealQueries = (db: DatabaseSync): readonly string[] =>
  objectsOf(db).flatMap(({ name, sql }) => {
    const expression = SEAL.exec(sql)?.[1]
    return expression === undefined
      ? []
      : [`select '${name}' as name from ${name} where seal is not (${expression}) limit 1`]
  })
