// The race in small; `npm run torture` runs it in full.

import { afterAll, expect, it } from 'vitest'
import { releaseServer } from './postgres-server.ts'
import { racePostgres, raceSqlite } from './race-stores.ts'

const ACTIONS = 2000

afterAll(releaseServer)

const exact = {
  actions: ACTIONS,
  inserted: ACTIONS,
  duplicates: ACTIONS,
  claimed: ACTIONS,
  settled: ACTIONS,
  fenced: ACTIONS,
  counted: ACTIONS,
  others: 0,
  errors: [],
  isHeld: true,
}

it('P2, P3: eight SQLite stores settle each action once, the loser of each offer is told', async () => {
  expect(await raceSqlite(ACTIONS)).toEqual(exact)
})

it('P2, P3: eight PostgreSQL stores settle each action once, without a deadlock', async () => {
  expect(await racePostgres(ACTIONS)).toEqual({ ...exact, deadlocks: 0 })
})
