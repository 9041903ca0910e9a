// One list of cases on every store: the same number on each, none skipped.

import { afterAll, describe, expect, it } from 'vitest'
import { runCase } from '../../src/testing/store-conformance/case.ts'
import { CONFORMANCE } from '../../src/testing/store-conformance/suite.ts'
import { aboutServer, closePostgres, openEmptied } from './open-postgres.ts'
import { openSqliteDictated, openSqliteFile, openSqliteMemory, type Stand } from './open-sqlite.ts'

interface Tried {
  readonly open: () => Promise<Stand>
  readonly about: () => Promise<string>
}

const STORES: Readonly<Record<string, Tried>> = {
  'SQLite file': { open: openSqliteFile, about: async () => 'SQLite file' },
  'SQLite file, dictated': { open: openSqliteDictated, about: async () => 'SQLite file, dictated' },
  'SQLite memory': { open: openSqliteMemory, about: async () => 'SQLite memory' },
  PostgreSQL: { open: openEmptied, about: aboutServer },
}

afterAll(closePostgres)

describe.each(Object.entries(STORES))('%s', (_, { open, about }) => {
  let held = 0
  afterAll(async () => {
    if (held > 0) console.log(`${held} of ${CONFORMANCE.length} cases on ${await about()}`)
  })
  for (const one of CONFORMANCE)
    it(one.name, async () => {
      const stand = await open()
      try {
        await runCase(one, stand)
      } finally {
        await stand.close()
      }
      held += 1
    })
})

it('every case has a name of its own', () => {
  const names = CONFORMANCE.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
})
