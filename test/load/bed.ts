// What a load test stands on: a store of its own, and a file that all its processes write down their starts in.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, onTestFinished, vi } from 'vitest'
import { createDatabase, releaseServer, useServer } from '../stores/postgres-server.ts'

export type StoreName = 'SQLite' | 'PostgreSQL'
export const STORES: readonly StoreName[] = ['SQLite', 'PostgreSQL']

afterAll(releaseServer)

export const groundOf = async (
  store: StoreName,
): Promise<{ readonly store: string; readonly log: string }> => {
  const folder = mkdtempSync(join(tmpdir(), 'pawl-load-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const log = join(folder, 'starts')
  writeFileSync(log, '')
  const url =
    store === 'SQLite' ? `sqlite:${join(folder, 'pawl.db')}` : await createDatabase(await useServer())
  return { store: url, log }
}

export const waitFor = async (isSo: () => Promise<boolean> | boolean): Promise<void> => {
  await vi.waitUntil(isSo, { timeout: 240_000, interval: 50 })
}
