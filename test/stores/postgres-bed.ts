// What the tests of the PostgreSQL store stand on: a database of its own for each test, on the server of the run, and
// real time, because the other side of the connection has its own.

import { afterAll, onTestFinished, vi } from 'vitest'
import { type OpenPostgres, openPostgres, type PostgresOptions } from '../../src/store/postgres/open.ts'
import type { ClaimedAction, Member, Result } from '../../src/store/store.ts'
import { sound } from '../../src/testing/store-conformance/check.ts'
import { NOW, OF } from '../sqlite/members.ts'
import { createDatabase, releaseServer, useServer } from './postgres-server.ts'
import { randomText, realTimers } from './real-timers.ts'

export interface Bed extends OpenPostgres {
  readonly url: string
  readonly warnings: string[]
  /** A batch of one. */
  readonly commit: (member: Partial<Member>) => Promise<Result>
}

afterAll(releaseServer)

/** With a `url` another store on the same database, without one a new database. */
export const open = async (options: Partial<PostgresOptions> = {}): Promise<Bed> => {
  const warnings: string[] = []
  const url = options.url ?? (await createDatabase(await useServer()))
  const opened = await openPostgres({
    random: randomText,
    timers: realTimers,
    onWarning: (message) => warnings.push(message),
    ...options,
    url,
  })
  onTestFinished(() => opened.store.close().catch(() => undefined))
  const commit = async (member: Partial<Member>): Promise<Result> =>
    (await opened.store.commit([{ ...OF, at: NOW, ...member }]))[0]!
  return { ...opened, url, warnings, commit }
}

/** Everything due, claimed by one worker. */
/** The feed lags the oldest open transaction of the server, also one of another suite: waits until it is past now. */
export const caughtUp = async ({ store, reader }: Bed): Promise<void> => {
  const of = { ...OF, tenant: `marker-${randomText()}` }
  await store.commit([{ ...of, at: NOW, record: [{ type: 'marker', at: NOW, data: {} }] }])
  await vi.waitUntil(async () => (await reader.feed(of, undefined, 1)).length > 0, {
    timeout: 60_000,
    interval: 20,
  })
}

export const claimAll = async (
  { store }: OpenPostgres,
  nonce = 'nonce',
  clocks: { now?: number; lease?: number } = { now: NOW, lease: NOW },
): Promise<readonly ClaimedAction[]> => {
  const heads = await store.heads(clocks)
  const shares = heads.filter((head) => !head.paused).map(({ lane }) => ({ lane, n: 1000 }))
  const request = { shares, batch: 1000, worker: 'w1', nonce, leaseMs: 30_000, byteBudget: 4_000_000 }
  return sound(await store.claim({ ...request, ...clocks }))
}
