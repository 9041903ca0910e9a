// Random verbs against each store and against the model, a few lists; `npm run torture` tries many.

import { afterAll, expect, it } from 'vitest'
import { explorePostgres, exploreSqlite } from './explore.ts'
import { closePostgres } from './open-postgres.ts'

afterAll(closePostgres)

it('P1, P2: SQLite does what the model does, and a batch is as its members one by one', async () => {
  expect(await exploreSqlite(40)).toBeGreaterThan(0)
})

it('P1, P2: PostgreSQL does what the model does, and looks as SQLite does', async () => {
  expect(await explorePostgres(8)).toBeGreaterThan(0)
})
