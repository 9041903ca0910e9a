import { expect, it, onTestFinished } from 'vitest'
import { randomText, realTimers } from '../../test/stores/real-timers.ts'
import { type Bulk, START } from '../core/bulk.ts'
import { openSqlite } from '../store/sqlite/open.ts'
import type { NewAction } from '../store/store.ts'
import { createBulkWork } from './bulk-work.ts'
import { createExecutionCache } from './cache.ts'
import { type Clock, realClock } from './clock.ts'
import { createLog } from './log.ts'
import { realChance } from './random.ts'

const NOW = 1_800_000_000_000
const of = (tenant: string) => ({ namespace: 'default', tenant })

const dead = (id: string): NewAction => ({
  id,
  source: { kind: 'direct', id },
  fingerprint: 'f',
  plan: {
    name: 'mail',
    type: 'mail',
    stepKey: id,
    status: 'dead',
    error: { type: 'timeout', message: 'timed out', retryable: true },
    config: {},
    secrets: [],
    dueAt: NOW,
    priority: 50,
    retryPolicy: { maxAttempts: 1, backoffStrategy: 'fixed' },
    timeoutMs: 1000,
    delivery: 'at_least_once',
    cancelOnExit: false,
    tags: [],
    metadata: {},
  },
})

const bulk = (over: Partial<Bulk> = {}): Bulk => ({
  kind: 'replay',
  status: 'running',
  filter: {},
  ratePerSecond: 20,
  total: 0,
  sent: 0,
  succeeded: 0,
  failed: 0,
  skipped: 0,
  row: 0,
  cursor: START,
  ...over,
})

/** A store with dead letters, and processes whose clocks the case moves. */
const begin = async (letters: number, tenants = ['acme']) => {
  const opened = await openSqlite({ file: ':memory:', random: randomText, timers: realTimers })
  onTestFinished(opened.store.close)
  const { store, reader, triage } = opened
  const time = { ms: 0 }
  const clock: Clock = {
    ...realClock,
    now: () => NOW,
    clocks: () => ({ now: NOW, lease: NOW + time.ms }),
    monotonic: () => time.ms,
  }
  const commit = async (member: Parameters<typeof store.commit>[0][number]) =>
    (await store.commit([member]))[0]!
  for (const tenant of tenants) {
    const enqueue = Array.from({ length: letters }, (_, n) => dead(`${tenant}_${n + 100}`))
    await commit({ ...of(tenant), at: NOW, enqueue })
  }
  const work = (worker: string) =>
    createBulkWork({
      reader,
      triage,
      commit,
      clock,
      cache: createExecutionCache(),
      chance: realChance,
      runnerOf: () => undefined,
      log: createLog(() => undefined),
      worker,
      bulkLeaseMs: 1000,
    })
  const ask = (id: string, over?: Partial<Bulk>, tenant = 'acme') => {
    const control = [
      { kind: 'bulk', bulkId: id, expected: 0, bulk: bulk(over), items: [], heard: [] },
    ] as const
    return commit({ ...of(tenant), at: NOW, control })
  }
  const sent = async (id: string, tenant = 'acme') => (await triage.bulk(of(tenant), id))!.bulk.sent
  return { time, work, ask, sent, triage, commit }
}

it('F41: no faster than the rate, whatever it is asked', async () => {
  const { time, work, ask, sent } = await begin(40)
  await ask('blk_1')
  const { pass, untilNext } = work('w1')
  const seen: number[] = []
  for (time.ms = 0; time.ms < 1000; time.ms += 10) {
    await pass()
    seen.push(await sent('blk_1'))
  }
  expect(seen[0]).toBe(2)
  expect(seen.at(-1)).toBe(20)
  expect(untilNext()).toBeLessThanOrEqual(100)
})

it('F41: operations of one tenant send one after the other, those of two tenants side by side', async () => {
  const { time, work, ask, sent } = await begin(4, ['acme', 'umbrella'])
  await ask('blk_1')
  await ask('blk_2')
  await ask('blk_3', {}, 'umbrella')
  const { pass } = work('w1')
  await pass()
  expect([await sent('blk_1'), await sent('blk_2'), await sent('blk_3', 'umbrella')]).toEqual([2, 0, 2])
  for (let step = 0; step < 6; step++) {
    time.ms += 100
    await pass()
  }
  expect([await sent('blk_1'), await sent('blk_2')]).toEqual([4, 0])
})

it('one process at a time; another goes on behind it when its lease is over, and sends nothing twice', async () => {
  const { time, work, ask, sent } = await begin(6)
  await ask('blk_1')
  const [first, second] = [work('w1'), work('w2')]
  await first.pass()
  time.ms = 500
  await second.pass()
  expect(await sent('blk_1')).toBe(2)
  expect(second.untilNext()).toBeUndefined()
  time.ms = 1001
  await second.pass()
  expect(await sent('blk_1')).toBe(4)
  // The first was only slow: it finds that the operation is another's.
  await first.pass()
  expect(first.untilNext()).toBeUndefined()
  expect(await sent('blk_1')).toBe(4)
})

it('a process that leaves hands it on at once', async () => {
  const { work, ask, sent } = await begin(4)
  await ask('blk_1')
  const [first, second] = [work('w1'), work('w2')]
  await first.pass()
  await first.leave()
  await second.pass()
  expect(await sent('blk_1')).toBe(4)
})

it('while it only listens it looks a few times a second, not without end', async () => {
  const { time, work, ask } = await begin(1)
  await ask('blk_1')
  const { pass, untilNext } = work('w1')
  for (time.ms = 0; time.ms < 400; time.ms += 100) await pass()
  expect(untilNext()).toBe(200)
})
