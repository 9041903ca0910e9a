// What the process tests stand on: for each test a store of its own, SQLite in a file or a database of the real
// PostgreSQL, a receiver, and children that end with the test. The test itself looks on through a Pawl that knows no
// definition, runs nothing and works at nothing.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { afterAll, expect, onTestFailed, onTestFinished, vi } from 'vitest'
import { chainStart, firstBroken } from '../../src/core/history.ts'
import { Pawl } from '../../src/index.ts'
import { type OpenedStore, openStore } from '../../src/pawl/open-store.ts'
import type { HistoryRow } from '../../src/store/reader.ts'
import { createDatabase, releaseServer, useServer } from '../stores/postgres-server.ts'
import { type Child, startChild } from './child.ts'
import type { Part } from './part.ts'
import { openReceiver, type Receiver } from './receiver.ts'

export type StoreName = 'SQLite' | 'PostgreSQL'
export const STORES: readonly StoreName[] = ['SQLite', 'PostgreSQL']

export const OF = { namespace: 'default', tenant: 'default' }

export interface Bed {
  readonly store: StoreName
  readonly pawl: Pawl
  /** What the facade does not show: leases, reaps, workers. */
  readonly reader: OpenedStore['reader']
  readonly receiver: Receiver
  readonly child: (part?: Omit<Part, 'store'>) => Promise<Child>
  /** As if whoever holds a lease had been silent for longer than that. */
  readonly expire: () => Promise<void>
  /** The whole history of an execution, its chain found whole. */
  readonly history: (execution: string) => Promise<readonly HistoryRow[]>
  /** The one line of a test: its figures. */
  readonly report: (line: string) => void
}

afterAll(releaseServer)

const urlOf = async (store: StoreName): Promise<string> => {
  if (store === 'PostgreSQL') return createDatabase(await useServer())
  const folder = mkdtempSync(join(tmpdir(), 'pawl-processes-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return `sqlite:${join(folder, 'pawl.db')}`
}

const EXPIRE = `update actions set lease_until = 1 where status = 'running'`

const expire = async (url: string): Promise<void> => {
  if (url.startsWith('sqlite:')) {
    const file = new DatabaseSync(url.slice('sqlite:'.length), { timeout: 60_000 })
    file.exec(EXPIRE)
    return file.close()
  }
  const client = new pg.Client({ connectionString: url, options: '-c search_path=pawl' })
  await client.connect()
  await client.query(EXPIRE)
  await client.end()
}

export const makeBed = async (store: StoreName): Promise<Bed> => {
  const url = await urlOf(store)
  const pawl = await Pawl.open({ store: url })
  const { reader, store: port } = await openStore(url, { onWarning: () => undefined })
  const receiver = await openReceiver()
  const children: Child[] = []
  onTestFailed(() => console.error(children.map(({ pid, log }) => `── ${pid}\n${log()}`).join('\n')))
  onTestFinished(async () => {
    for (const child of children) await child.end('SIGKILL')
    await receiver.close()
    await port.close()
    await pawl.close()
  })
  return {
    store,
    pawl,
    reader,
    receiver,
    child: async (part = {}) => {
      const child = await startChild({ ...part, store: url })
      children.push(child)
      return child
    },
    expire: () => expire(url),
    history: async (execution) => {
      const { data, next } = await reader.history(OF, execution, { limit: 250 })
      expect(next).toBeUndefined()
      expect(firstBroken(chainStart(OF.namespace, OF.tenant, execution), data)).toBeUndefined()
      return data
    },
    report: (line) => console.log(`${store}: ${line}`),
  }
}

/** Looks again and again until it holds. The limit is only against waiting for ever. */
export const until = <T>(look: () => T | Promise<T>, limitMs = 100_000): Promise<T> =>
  vi.waitFor(look, { timeout: limitMs, interval: 20 })

/** How often an execution went from one state to another. */
export const transitionsTo = (history: readonly HistoryRow[], state: string): number =>
  history.filter(({ data }) => data['to'] === state).length
