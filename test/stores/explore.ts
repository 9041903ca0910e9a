// Random lists of verbs against the model and against two stores: the same answers, the same rows, and every column of
// every row the same, whether members came one by one or in batches.

import fc from 'fast-check'
import { same } from '../../src/testing/store-conformance/check.ts'
import { closePostgres, openEmptied } from './open-postgres.ts'
import { openSqliteMemory, type Stand } from './open-sqlite.ts'
import { drive, verbs } from './verbs.ts'

type Open = () => Promise<Stand>

const driven = async (open: Open, list: Parameters<typeof drive>[1], batch: number): Promise<string> => {
  const stand = await open()
  try {
    return await drive(stand, list, batch)
  } finally {
    await stand.close()
  }
}

/** How many verbs it took; throws the smallest list that tells them apart. */
const explore = async (open: Open, numRuns: number): Promise<number> => {
  let done = 0
  const alike = async (list: Parameters<typeof drive>[1], batch: number): Promise<void> => {
    const oneByOne = await driven(openSqliteMemory, list, 1)
    same(await driven(open, list, batch), oneByOne, 'what the store looks like')
    done += list.length
  }
  await fc.assert(fc.asyncProperty(verbs, fc.constantFrom(1, 3, 10, 100), alike), { numRuns })
  return done
}

export const exploreSqlite = (lists: number): Promise<number> => explore(openSqliteMemory, lists)
export const explorePostgres = (lists: number): Promise<number> => explore(openEmptied, lists)

/** fast-check keeps what really differed in the cause. */
const told = (error: unknown): string =>
  error instanceof Error && error.cause !== undefined
    ? `${error.message}\n${String(error.cause)}`
    : String(error)

/** Both, for `npm run torture`: the server is gone when it returns. */
export const exploreStores = async (lists: number) => {
  const summary = { lists, sqlite: 0, postgres: 0, failure: '' }
  try {
    summary.sqlite = await exploreSqlite(lists)
    summary.postgres = await explorePostgres(lists)
  } catch (error) {
    summary.failure = told(error)
  } finally {
    await closePostgres()
  }
  return { isHeld: summary.failure === '', summary }
}
