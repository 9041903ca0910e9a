// Owns putting a mutant in place and taking it out again, in this process: the generated modules hold plain objects, which
// SQLite reads when a store is opened and PostgreSQL at each call. It also hears which statements are called, which tells
// what can judge a mutant.

import type { StoreName } from '../../scripts/build-sql.ts'
import * as postgres from '../../src/store/postgres/generated/sql.ts'
import * as sqlite from '../../src/store/sqlite/generated/sql.ts'
import type { Mutant, Statement } from './mutants.ts'

type Writable<Value> = { -readonly [Key in keyof Value]: Value[Key] }

interface Generated {
  readonly sql: Record<string, Writable<Statement>>
  readonly migrations: readonly { text: string }[]
}

const GENERATED = { sqlite, postgres } as unknown as Readonly<Record<StoreName, Generated>>

/** Returns how to take it out again. */
export const patch = (mutant: Mutant): (() => void) => {
  // Code was replaced before it was loaded.
  if (mutant.kind === 'code') return () => undefined
  const { sql, migrations } = GENERATED[mutant.store]
  if (mutant.kind === 'schema') {
    const migration = migrations[mutant.migration]!
    const { text } = migration
    migration.text = mutant.text
    return () => {
      migration.text = text
    }
  }
  const original = sql[mutant.statement]!
  sql[mutant.statement] = { ...mutant.changed }
  return () => {
    sql[mutant.statement] = original
  }
}

/** Runs the work and says which statements of a store it called: values are mapped to parameters at each call. */
export const heard = async (store: StoreName, work: () => Promise<void>): Promise<ReadonlySet<string>> => {
  const called = new Set<string>()
  const { sql } = GENERATED[store]
  const originals = Object.entries(sql)
  for (const [name, { text, params }] of originals) {
    const listening = [...params]
    listening.map = (each) => {
      called.add(name)
      return Array.prototype.map.call(params, each as never) as never
    }
    // So does who only writes a call down.
    listening.forEach = (each) => {
      called.add(name)
      params.forEach(each as never)
    }
    sql[name] = { text, params: listening }
  }
  try {
    await work()
  } finally {
    for (const [name, original] of originals) sql[name] = original
  }
  return called
}
