// The race on each store: eight SQLite stores on one file, eight PostgreSQL stores on one database, which also says how
// many deadlocks it had to break.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { openPostgres } from '../../src/store/postgres/open.ts'
import { openSqlite } from '../../src/store/sqlite/open.ts'
import type { Store } from '../../src/store/store.ts'
import type { Ports } from '../../src/testing/store-conformance/bed.ts'
import { createDatabase, releaseServer, useServer } from './postgres-server.ts'
import { type RaceSummary, race } from './race.ts'
import { randomText, realTimers } from './real-timers.ts'

const CONNECTIONS = 8
const given = { random: randomText, timers: realTimers }

const raceEight = async (open: () => Promise<Ports>, actions: number): Promise<RaceSummary> => {
  const ports: Ports[] = []
  for (let n = 0; n < CONNECTIONS; n++) ports.push(await open())
  try {
    return await race(ports, actions)
  } finally {
    for (const { store } of ports) await store.close()
  }
}

export const raceSqlite = async (actions: number): Promise<RaceSummary> => {
  const folder = mkdtempSync(join(tmpdir(), 'pawl-race-'))
  const file = join(folder, 'pawl.db')
  try {
    return await raceEight(() => openSqlite({ ...given, file, reserveBytes: 0 }), actions)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const deadlocksOf = async (url: string): Promise<number> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query(
    'select deadlocks::int as n from pg_stat_database where datname = current_database()',
  )
  await client.end()
  return rows[0].n
}

export const racePostgres = async (
  actions: number,
): Promise<RaceSummary & { readonly deadlocks: number }> => {
  const url = await createDatabase(await useServer())
  const pool = { max: 3 }
  const summary = await raceEight(() => openPostgres({ ...given, url, pool }), actions)
  const deadlocks = await deadlocksOf(url)
  return { ...summary, deadlocks, isHeld: summary.isHeld && deadlocks === 0 }
}

const DUELISTS = 4

/** Four stores on a database of their own; says how many deadlocks the server had to break meanwhile. */
export const openDuelists = async (work: (stores: readonly Store[]) => Promise<void>): Promise<number> => {
  const url = await createDatabase(await useServer())
  const stores: Store[] = []
  try {
    for (let n = 0; n < DUELISTS; n++)
      stores.push((await openPostgres({ ...given, url, pool: { max: 3 } })).store)
    await work(stores)
  } finally {
    for (const store of stores) await store.close()
  }
  return deadlocksOf(url)
}

/** Both, for `npm run torture`: the server is gone when it returns. */
export const raceStores = async (actions: number) => {
  const sqlite = await raceSqlite(actions)
  const postgres = await racePostgres(actions).finally(releaseServer)
  return { isHeld: sqlite.isHeld && postgres.isHeld, summary: { sqlite, postgres } }
}
