// The stores every server test runs on: SQLite in a file, and a database of its own on the real PostgreSQL.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { createDatabase, releaseServer, useServer } from '../stores/postgres-server.ts'

export const STORES = ['SQLite', 'PostgreSQL'] as const
export type StoreName = (typeof STORES)[number]

/** The address of a new, empty store, gone when the file of tests is. */
export const newStore = async (name: StoreName): Promise<string> => {
  if (name === 'PostgreSQL') {
    afterAll(releaseServer)
    return createDatabase(await useServer())
  }
  const folder = mkdtempSync(join(tmpdir(), 'pawl-server-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  return `sqlite:${join(folder, 'pawl.db')}`
}
