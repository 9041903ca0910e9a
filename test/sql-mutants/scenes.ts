// Owns the scenes in which the bugs of peers showed themselves (RELIABILITY.md §5), each played on our own code: whoever
// brings the bug back is seen here. A scene throws when what happens is what happened to them.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { z } from 'zod'
import type { StoreName } from '../../scripts/build-sql.ts'
import { type Clock, realClock, realTimers } from '../../src/engine/clock.ts'
import { assertId } from '../../src/engine/ids.ts'
import { createLog } from '../../src/engine/log.ts'
import { createReaper } from '../../src/engine/reaper.ts'
import { createSettling } from '../../src/engine/settlement.ts'
import { Pawl, runner } from '../../src/index.ts'
import { openPostgres } from '../../src/store/postgres/open.ts'
import type { Member, Store } from '../../src/store/store.ts'
import { claimAll } from '../../src/testing/store-conformance/bed.ts'
import { sound } from '../../src/testing/store-conformance/check.ts'
import { action, LEASE_MS, NOW, OF } from '../../src/testing/store-conformance/members.ts'
import { openSqliteMemory } from '../stores/open-sqlite.ts'
import { createDatabase, useServer } from '../stores/postgres-server.ts'
import { randomText, realTimers as storeTimers } from '../stores/real-timers.ts'

export interface Scene {
  readonly name: string
  /** Whose mutants it may kill. */
  readonly store: StoreName
  readonly play: () => Promise<void>
}

const onStore = async (play: (store: Store) => Promise<void>): Promise<void> => {
  const { store, close } = await openSqliteMemory()
  try {
    await play(store)
  } finally {
    await close()
  }
}

const commit = async (store: Store, member: Partial<Member>) => {
  const [result] = await store.commit([{ ...OF, at: NOW, lease: NOW, ...member }])
  return result!
}

const clockAt = (now: number): Clock => ({
  ...realClock,
  now: () => now,
  clocks: () => ({ now, lease: now }),
})

/** The lease ran out when it was read, and was extended before it was written. */
const reapedTooLate = (): Promise<void> =>
  onStore(async (store) => {
    await commit(store, { enqueue: [action('act_1')] })
    const claims = sound(await claimAll(store))
    const clock = clockAt(NOW + LEASE_MS + 1)
    const settling = createSettling({
      move: () => Promise.reject(new Error('no execution')),
      commit: (member) => commit(store, member),
      clock,
    })
    const slow: Pick<Store, 'reap'> = {
      reap: async (limit, clocks) => {
        const expired = await store.reap(limit, clocks)
        await store.extend(claims, LEASE_MS, clocks)
        return expired
      },
    }
    const log = createLog(() => undefined)
    const reap = createReaper({ store: slow, settling, clock, log, worker: 'w2' })
    assert.equal(await reap(10), 0, 'a claim was reaped though its holder had extended it')
    assert.deepEqual((await store.extend(claims, LEASE_MS, clock.clocks())).lost, [])
  })

const kind = (type: string) => runner({ type, config: z.object({}), execute: () => null })

/** Half of a fleet does not know a type yet: whatever of it is due waits for the other half, untouched. */
const unknownType = async (): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), 'pawl-scene-'))
  const open = (...runners: readonly ReturnType<typeof kind>[]) =>
    Pawl.open({
      store: `sqlite:${join(folder, 'pawl.db')}`,
      runners,
      clock: 'virtual:2026-01-05T09:00:00.000Z',
      secrets: { env: {} },
      log: () => undefined,
    })
  const [ours, theirs] = [kind('ours'), kind('theirs')]
  const whole = await open(ours, theirs)
  const { id } = await whole.dispatch(theirs({}), { delay: '1s' })
  await whole.close()
  const half = await open(ours)
  try {
    await half.dispatch(ours({}), { delay: '1s' })
    await half.advance({ by: '1m' })
    const { status, attempt } = (await half.actions.get(id))!
    assert.deepEqual({ status, attempt }, { status: 'queued', attempt: 0 })
  } finally {
    await half.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

const WAIT = 'setTimeout'

/** Node fires a timeout of more than 2^31 - 1 milliseconds at once. Nothing is waited for: what is asked of Node is seen. */
const longWait = async (): Promise<void> => {
  const real: unknown = Reflect.get(globalThis, WAIT)
  const waits: number[] = []
  const stub = (_: () => void, ms: number) => {
    waits.push(ms)
    return { unref: () => undefined }
  }
  Reflect.set(globalThis, WAIT, stub)
  try {
    realTimers.after(30 * 86_400_000, () => undefined)
    void realTimers.sleep(30 * 86_400_000)
  } finally {
    Reflect.set(globalThis, WAIT, real)
  }
  assert.equal(waits.length, 2)
  for (const ms of waits) assert.ok(ms < 2 ** 31, `a wait of ${ms} ms ends at once`)
}

const emptyId = async (): Promise<void> => {
  for (const id of ['', ' ', 'a ', '\u0000', 7]) assert.throws(() => assertId(id, 'id'), /cannot be an id/)
  assertId('order 1', 'id')
}

/** The server ends every connection: the process lives, and the store goes on over new ones. */
const endedConnections = async (): Promise<void> => {
  const url = await createDatabase(await useServer())
  const { store } = await openPostgres({ url, random: randomText, timers: storeTimers })
  const thrown: unknown[] = []
  const onThrown = (error: unknown): void => void thrown.push(error)
  process.on('uncaughtException', onThrown)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await Promise.all([commit(store, { enqueue: [action('act_1')] }), store.heads({ now: NOW })])
    await client.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    )
    assert.equal((await store.heads({ now: NOW })).length, 1)
    assert.equal((await commit(store, { enqueue: [action('act_2')] })).status, 'ok')
    await realTimers.turn()
  } finally {
    await client.end()
    await store.close()
    process.off('uncaughtException', onThrown)
  }
  assert.deepEqual(thrown, [])
}

/** A bundle of statements: it has the name and text of the one that is answered next. */
interface Bundle {
  readonly text: string
  readonly handleError: (error: Error) => void
  handleReadyForQuery: () => void
}

const isClaim = ({ text }: Bundle): boolean => text.includes('with found as')
const isCommit = ({ text }: Bundle): boolean => text === 'commit'

/** The server has done it, and its answer never comes: what was taken or written is found again, and nothing of others. */
const lostAnswer = async (): Promise<void> => {
  const url = await createDatabase(await useServer())
  const { store } = await openPostgres({ url, random: randomText, timers: storeTimers })
  const real = pg.Client.prototype.query as (this: pg.Client, asked: unknown, ...rest: unknown[]) => unknown
  const losses = [isClaim, isCommit]
  const losing = function (this: pg.Client, asked: Bundle, ...rest: unknown[]): unknown {
    if (losses[0]?.(asked) === true) {
      losses.shift()
      asked.handleReadyForQuery = () => asked.handleError(new Error('Connection terminated unexpectedly'))
    }
    return real.call(this, asked, ...rest)
  }
  try {
    await commit(store, { enqueue: [action('act_1'), action('act_2')] })
    await claimAll(store, 'nonce of another')
    await commit(store, { enqueue: [action('act_3')] })
    const heads = await store.heads({ now: NOW })
    const shares = heads.map(({ lane }) => ({ lane, n: 9 }))
    Object.assign(pg.Client.prototype, { query: losing })
    const request = { shares, batch: 9, worker: 'w', nonce: 'n', leaseMs: LEASE_MS, byteBudget: 10 ** 6 }
    const claimed = sound(await store.claim({ ...request, now: NOW, lease: NOW }))
    assert.deepEqual(
      claimed.map(({ id }) => id),
      ['act_3'],
    )
    assert.equal((await commit(store, { enqueue: [action('act_4')] })).status, 'ok')
    assert.equal(losses.length, 0)
  } finally {
    Object.assign(pg.Client.prototype, { query: real })
    await store.close()
  }
}

export const SCENES: readonly Scene[] = [
  { name: 'B2: extended between the reaper’s look and its word', store: 'sqlite', play: reapedTooLate },
  { name: 'B3: a type that only others know', store: 'sqlite', play: unknownType },
  { name: 'B17: an empty id', store: 'sqlite', play: emptyId },
  { name: 'B22: a wait of thirty days', store: 'sqlite', play: longWait },
  { name: 'B27: all connections end', store: 'postgres', play: endedConnections },
  { name: 'B27: the answers to a claim and to a commit are lost', store: 'postgres', play: lostAnswer },
]
