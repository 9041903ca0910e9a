// Random verbs against each store and against the model: the same answers, the same rows; and every column of every row
// the same on both stores, whether members came one by one or in batches.

import fc from 'fast-check'
import { afterAll, expect, it } from 'vitest'
import { closePostgres, openEmptied } from './open-postgres.ts'
import { openSqliteMemory, type Stand } from './open-sqlite.ts'
import { drive, verbs } from './verbs.ts'

type Verbs = Parameters<typeof drive>[1]

const batches = fc.constantFrom(1, 3, 10, 100)
let done = 0

afterAll(async () => {
  console.log(`${done} random verbs`)
  await closePostgres()
})

const driven = async (open: () => Promise<Stand>, list: Verbs, batch: number): Promise<string> => {
  const stand = await open()
  try {
    done += list.length
    return await drive(stand, list, batch)
  } finally {
    await stand.close()
  }
}

it('P1, P2: SQLite does what the model does, and a batch is as its members one by one', async () => {
  const alike = async (list: Verbs, batch: number): Promise<void> => {
    const oneByOne = await driven(openSqliteMemory, list, 1)
    expect(await driven(openSqliteMemory, list, batch)).toBe(oneByOne)
  }
  await fc.assert(fc.asyncProperty(verbs, batches, alike), { numRuns: 40 })
})

it('P1, P2: PostgreSQL does what the model does, and looks as SQLite does', async () => {
  const alike = async (list: Verbs, batch: number): Promise<void> => {
    const oneByOne = await driven(openSqliteMemory, list, 1)
    expect(await driven(openEmptied, list, batch)).toBe(oneByOne)
  }
  await fc.assert(fc.asyncProperty(verbs, batches, alike), { numRuns: 8 })
})
