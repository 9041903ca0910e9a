// Owns the question whether a mutant is SQL at all: one that the database refuses to read or to make proves nothing about
// the tests, whoever notices it. Asked of the database itself.

import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { openPostgres } from '../../src/store/postgres/open.ts'
import { migrations } from '../../src/store/sqlite/generated/sql.ts'
import { createDatabase, useServer } from '../stores/postgres-server.ts'
import { randomText, realTimers } from '../stores/real-timers.ts'
import type { Mutant, SqlMutant } from './mutants.ts'

const refusedBySqlite = (mutant: SqlMutant): string | undefined => {
  const db = new DatabaseSync(':memory:')
  try {
    for (const [at, { text }] of migrations.entries())
      db.exec(mutant.kind === 'schema' && mutant.migration === at ? mutant.text : text)
    if (mutant.kind === 'statement') db.prepare(mutant.changed.text)
    return undefined
  } catch (error) {
    return String(error)
  } finally {
    db.close()
  }
}

let scratch: Promise<pg.Client> | undefined

const openScratch = async (): Promise<pg.Client> => {
  const url = await createDatabase(await useServer())
  const { store } = await openPostgres({ url, random: randomText, timers: realTimers })
  await store.close()
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return client
}

const refusedByPostgres = async (mutant: SqlMutant): Promise<string | undefined> => {
  if (mutant.kind === 'schema') return undefined
  scratch ??= openScratch()
  const client = await scratch
  try {
    await client.query(`prepare mutant as ${mutant.changed.text}`)
    await client.query('deallocate mutant')
    return undefined
  } catch (error) {
    return String(error)
  }
}

/** Why the database does not take it. */
export const refusal = async (mutant: Mutant): Promise<string | undefined> => {
  if (mutant.kind === 'code') return undefined
  return mutant.store === 'sqlite' ? refusedBySqlite(mutant) : refusedByPostgres(mutant)
}
