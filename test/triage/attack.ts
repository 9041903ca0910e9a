// Owns the attack on bulk operations: dead letters are replayed by processes that are killed in the middle, one by one and
// all at once. Each letter must be replayed once: sent once, ended once, and started again only where a kill cut it short.

import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Pawl } from '../../src/index.ts'
import { openStore } from '../../src/pawl/open-store.ts'
import type { NewAction } from '../../src/store/store.ts'
import { bundleOf } from '../processes/bundle.ts'
import { memoryFolder } from '../stores/memory-folder.ts'
import { createDatabase, useServer } from '../stores/postgres-server.ts'
import { realTimers } from '../stores/real-timers.ts'

export interface BulkReplay {
  readonly store: string
  readonly letters: number
  readonly kills: number
  /** What the operation says of itself. */
  readonly sent: number
  readonly succeeded: number
  /** Letters that never ran, ran without a kill to blame, or did not end. */
  readonly lost: number
  readonly doubled: number
  readonly stuck: number
  /** Starts cut short by a kill and made again under the same key. */
  readonly sameKeyDuplicates: number
}

const PROGRAM = new URL('./program.ts', import.meta.url)
const OF = { namespace: 'default', tenant: 'default' }
const AT_ONCE = 200
/** Attempts of one process at a time: so many at most are cut short by its end. */
const SLOTS = 64

const letter = (number: number): NewAction => {
  const id = `act_${String(number).padStart(8, '0')}`
  return {
    id,
    source: { kind: 'direct', id },
    fingerprint: number % 2 === 0 ? 'even' : 'odd',
    plan: {
      name: 'letter',
      type: 'letter',
      stepKey: id,
      status: 'dead',
      error: { type: 'timeout', message: 'timed out', retryable: true },
      config: { number },
      secrets: [],
      dueAt: 0,
      priority: 50,
      retryPolicy: { maxAttempts: 3, backoffStrategy: 'fixed', baseDelay: 1 },
      timeoutMs: 30_000,
      delivery: 'at_least_once',
      cancelOnExit: false,
      tags: [],
      metadata: {},
    },
  }
}

const fill = async (url: string, letters: number): Promise<void> => {
  const { store } = await openStore(url, { onWarning: () => undefined })
  for (let from = 0; from < letters; from += AT_ONCE) {
    const enqueue = Array.from({ length: Math.min(AT_ONCE, letters - from) }, (_, n) => letter(from + n))
    await store.commit([{ ...OF, at: 1, enqueue }])
  }
  await store.close()
}

const startWorker = async (url: string, file: string): Promise<ChildProcess> => {
  const { program, env } = await bundleOf(PROGRAM)
  const child = spawn(process.execPath, [program, url, file], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env,
  })
  await new Promise((resolve, reject) => {
    child.once('message', resolve)
    child.once('exit', (code) => reject(new Error(`a worker ended with ${code} before it was ready`)))
  })
  return child
}

const kill = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    child.once('exit', () => resolve())
    child.kill('SIGKILL')
  })

/** Looks again until it holds. The limit is only against waiting for ever. */
const until = async (holds: () => Promise<boolean>): Promise<void> => {
  for (const end = Date.now() + 300_000; !(await holds()); ) {
    if (Date.now() > end) throw new Error('the bulk operation does not come to its end')
    await realTimers.sleep(10)
  }
}

const ONE_BY_ONE = [0.15, 0.3, 0.45, 0.6]
const ALL_AT_ONCE = 0.75
/** All letters take about this long, so that every kill falls into the middle. */
const SENDING_S = 4

const besiege = async (
  url: string,
  file: string,
  id: string,
  letters: number,
  pawl: Pawl,
): Promise<number> => {
  const start = (): Promise<ChildProcess> => {
    const starting = startWorker(url, file)
    // One that cannot start is told where it is waited for.
    starting.catch(() => undefined)
    return starting
  }
  const workers = [start(), start()]
  const sent = async (share: number): Promise<void> =>
    until(async () => (await pawl.bulk.get(id))!.sent >= share * letters)
  try {
    for (const share of ONE_BY_ONE) {
      await sent(share)
      // Whoever was there first has most likely taken the operation; another is on its way meanwhile.
      await kill(await workers.shift()!)
      workers.push(start())
    }
    await sent(ALL_AT_ONCE)
    for (const worker of workers.splice(0)) await kill(await worker)
    workers.push(start())
    await until(async () => (await pawl.bulk.get(id))!.status !== 'running')
    return ONE_BY_ONE.length + 2
  } finally {
    for (const worker of workers) await kill(await worker)
  }
}

const judge = async (pawl: Pawl, file: string, letters: number) => {
  const starts = new Map<string, number>()
  for (const key of readFileSync(file, 'utf8').split('\n').filter(Boolean))
    starts.set(key, (starts.get(key) ?? 0) + 1)
  const repeated = [...starts.values()].reduce((sum, count) => sum + count - 1, 0)
  const { actions } = await pawl.counts()
  return {
    lost: letters - starts.size,
    repeated,
    stuck: actions.queued + actions.running + actions.dead + actions.review,
    ended: actions.succeeded,
  }
}

export const replayUnderFire = async (store: string, url: string, letters: number): Promise<BulkReplay> => {
  const folder = mkdtempSync(join(memoryFolder(), 'pawl-bulk-'))
  const file = join(folder, 'starts')
  writeFileSync(file, '')
  const pawl = await Pawl.open({ store: url, builtIns: false })
  try {
    await fill(url, letters)
    const { id } = (await pawl.bulk.replay({ ratePerSecond: letters / SENDING_S })) as { readonly id: string }
    const kills = await besiege(url, file, id, letters, pawl)
    const bulk = (await pawl.bulk.get(id))!
    const { lost, repeated, stuck, ended } = await judge(pawl, file, letters)
    const blamed = Math.min(repeated, kills * SLOTS)
    const doubled = repeated - blamed + Math.max(0, bulk.sent - letters) + Math.abs(ended - letters)
    const { sent, succeeded } = bulk
    return { store, letters, kills, sent, succeeded, lost, doubled, stuck, sameKeyDuplicates: blamed }
  } finally {
    await pawl.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** For the torture: 10,000 letters on each store; fewer when it is to be quick. */
export const bulkReplay = async (isQuick: boolean): Promise<readonly BulkReplay[]> => {
  const letters = isQuick ? 300 : 10_000
  const folder = mkdtempSync(join(memoryFolder(), 'pawl-bulk-store-'))
  try {
    const file = `sqlite:${join(folder, 'pawl.db')}`
    const sqlite = await replayUnderFire('SQLite', file, letters)
    const postgres = await replayUnderFire('PostgreSQL', await createDatabase(await useServer()), letters)
    return [sqlite, postgres]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
