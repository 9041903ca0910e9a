import { afterAll, it } from 'vitest'
import { closePostgres, openEmptied } from '../stores/open-postgres.ts'
import { openSqliteFile, openSqliteMemory } from '../stores/open-sqlite.ts'
import { checkCheckpoints } from './checkpoints.ts'

afterAll(closePostgres)

it.each([
  ['SQLite in memory', openSqliteMemory, false],
  ['SQLite in a file', openSqliteFile, false],
  ['PostgreSQL', openEmptied, true],
] as const)('checkpoints on %s cover what verify computes again', async (_, open, isShared) => {
  const stand = await open()
  await checkCheckpoints(stand, isShared).finally(stand.close)
})
