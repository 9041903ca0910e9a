// Owns what is measured on SQLite and on PostgreSQL, and against whom. A peer that is not there is named and left out.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { fullLoop } from './loop.ts'
import type { Figure } from './measure.ts'
import { type Postgres, startPostgres } from './postgres.ts'
import { graphileWorker } from './queue/graphile-worker.ts'
import { pawlQueue } from './queue/pawl.ts'
import { pgBoss } from './queue/pg-boss.ts'
import { plainjob } from './queue/plainjob.ts'
import { type Contender, latencies, lateness, rates, type Sizes } from './queue/queue.ts'
import { sameRowsOnPostgres, sameRowsOnSqlite } from './queue/same-rows.ts'
import { type Readings, race } from './rounds.ts'

export interface Extent extends Sizes {
  readonly rounds: number
  readonly executions: number
}

export const WHOLE: Extent = {
  rounds: 5,
  one: 4000,
  many: 20_000,
  latencies: 300,
  due: 20_000,
  executions: 2000,
}
export const ROUGH: Extent = {
  rounds: 1,
  one: 500,
  many: 1000,
  latencies: 30,
  due: 300,
  executions: 100,
}

const RATES = { 'enqueue one by one, 50 at a time': '1/s', 'enqueue in batches': '1/s', process: '1/s' }
const COSTS = { 'commits per action': '', 'WAL bytes per action': 'bytes' }
const LATENCIES = { 'idle latency p50': 'ms', 'idle latency p99': 'ms' }
const LATENESS = { 'lateness p50': 'ms', 'lateness p99': 'ms' }
const LOOP = { 'three-step executions': '1/s' }

const allOf = async (
  name: string,
  ours: Contender,
  {
    queues,
    waiting,
    ceilings,
  }: {
    readonly queues: readonly Contender[]
    readonly waiting: readonly Contender[]
    readonly ceilings: readonly Contender[]
  },
  extent: Extent,
): Promise<readonly Figure[]> => {
  const { rounds } = extent
  const course = { name, rounds }
  return [
    ...(await race({
      ...course,
      ours: rates(ours, extent),
      others: [...queues, ...ceilings].map((one) => rates(one, extent)),
      units: { ...RATES, ...COSTS },
    })),
    ...(await race({
      ...course,
      ours: latencies(ours, extent),
      others: waiting.map((one) => latencies(one, extent)),
      units: LATENCIES,
    })),
    ...(await race({
      ...course,
      ours: lateness(ours, extent),
      others: waiting.map((one) => lateness(one, extent)),
      units: LATENESS,
    })),
  ]
}

export const sqliteFigures = async (extent: Extent): Promise<readonly Figure[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'pawl-bench-'))
  let count = 0
  const url = async (): Promise<string> => {
    count += 1
    return `sqlite:${join(folder, `${count}.db`)}`
  }
  try {
    const ours = pawlQueue({ url })
    const peers = await peersOn([plainjob()])
    const against = { queues: peers, waiting: peers, ceilings: [sameRowsOnSqlite] }
    return [
      ...(await allOf('SQLite', ours, against, extent)),
      ...(await race({
        name: 'SQLite',
        rounds: extent.rounds,
        ours: fullLoop(url, extent.executions),
        others: [],
        units: LOOP,
      })),
    ]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Transactions and log of the whole server: nothing else runs on it. */
const meter = async (url: string): Promise<Readings> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query(
    `select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 as bytes,
      (select xact_commit from pg_stat_database where datname = current_database())::float8 as commits`,
  )
  await client.end()
  return { 'commits per action': rows[0].commits, 'WAL bytes per action': rows[0].bytes }
}

const peersOn = async (make: readonly Promise<Contender>[]): Promise<readonly Contender[]> => {
  const made = await Promise.allSettled(make)
  return made.flatMap((one) => {
    if (one.status === 'fulfilled') return [one.value]
    process.stderr.write(`bench: a peer is left out: ${String(one.reason)}\n`)
    return []
  })
}

const onPostgres = async ({ database, version }: Postgres, extent: Extent): Promise<readonly Figure[]> => {
  const name = `PostgreSQL ${version}`
  const ours = pawlQueue({ url: database, meter })
  const queues = await peersOn([graphileWorker(database), pgBoss(database, false)])
  const waiting = await peersOn([graphileWorker(database)])
  return [
    ...(await allOf(name, ours, { queues, waiting, ceilings: [sameRowsOnPostgres(database)] }, extent)),
    ...(await race({
      name: `${name}, full loop`,
      rounds: extent.rounds,
      ours: fullLoop(database, extent.executions, meter),
      others: [],
      units: { ...LOOP, ...COSTS },
    })),
  ]
}

export const postgresFigures = async (extent: Extent): Promise<readonly Figure[]> => {
  const postgres = await startPostgres()
  try {
    return await onPostgres(postgres, extent)
  } finally {
    await postgres.stop()
  }
}
