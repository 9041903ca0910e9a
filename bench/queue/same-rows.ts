// The ceiling: programs that write the same rows into the same tables with the same statements, and are no engine. They decide
// nothing, check nothing, fence nothing and serve one lane; what they leave to reach is what the engine costs.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { z } from 'zod'
import { Pawl, runner } from '../../src/index.ts'
import { columnsOf } from '../../src/store/postgres/columns.ts'
import { createCaller } from '../../src/store/postgres/statements.ts'
import { prepareStatements } from '../../src/store/sqlite/statements.ts'
import type { Contender, Queue } from './queue.ts'

const OF = { namespace: 'default', tenant: 'default' }
/** As many as the engine groups at the same concurrency. */
const GROUP = 200
const NOTHING = { execution: null, nonce: null, worker: null, lease_until: null, hold: null, dedup_key: null }
const PLAN = {
  name: 'noop',
  type: 'noop',
  stepKey: 'act_01M7HJYQEHP7A7CPYN9B3HB9NQ',
  status: 'queued',
  config: { n: 12_345 },
  secrets: [],
  dueAt: 1_800_000_000_000,
  priority: 50,
  retryPolicy: {
    maxAttempts: 3,
    backoffStrategy: 'exponential',
    baseDelay: 1000,
    multiplier: 2,
    maxDelay: 300_000,
    jitter: true,
  },
  timeoutMs: 30_000,
  delivery: 'at_least_once',
  cancelOnExit: false,
  tags: [],
  metadata: {},
}
const TEXT = `00000000${JSON.stringify(PLAN)}`

const idOf = (n: number): string => `act_${String(n).padStart(26, '0')}`

/** Makes the tables, and the one lane. */
const prepare = async (store: string): Promise<void> => {
  const noop = runner({ type: 'noop', config: z.json(), execute: () => null })
  const pawl = await Pawl.open({ store, runners: [noop], builtIns: false })
  await pawl.dispatch(noop({}), { delay: '1h' })
  await pawl.close()
}

/** Adds that come together are one write, as whoever groups them would do it. */
const grouping = (write: (ns: readonly number[]) => Promise<void> | void) => {
  const waiting: { readonly n: number; readonly resolve: () => void }[] = []
  let isBusy = false
  const flush = async (): Promise<void> => {
    isBusy = true
    await new Promise((resolve) => setImmediate(resolve))
    while (waiting.length > 0) {
      const group = waiting.splice(0, GROUP)
      await write(group.map(({ n }) => n))
      for (const { resolve } of group) resolve()
      await new Promise((resolve) => setImmediate(resolve))
    }
    isBusy = false
  }
  const add = (n: number): Promise<void> =>
    new Promise((resolve) => {
      waiting.push({ n, resolve })
      if (!isBusy) void flush()
    })
  return {
    add,
    addMany: (from: number, count: number) =>
      Promise.all(Array.from({ length: count }, (_, index) => add(from + index))),
  }
}

/** Until it is stopped: `turn` ends what it took before and takes the next; it says what it took. */
const looping = (
  turn: (ended: readonly number[]) => Promise<readonly number[]>,
  handle: (n: number) => void,
): (() => Promise<void>) => {
  let isOn = true
  const loop = async (): Promise<void> => {
    for (let taken: readonly number[] = []; isOn || taken.length > 0; ) {
      taken = await turn(taken)
      for (const n of taken) handle(n)
      if (taken.length === 0) await new Promise((resolve) => setImmediate(resolve))
    }
  }
  const going = loop()
  return () => {
    isOn = false
    return going
  }
}

const openSqlite = async (): Promise<Queue> => {
  const folder = mkdtempSync(join(tmpdir(), 'pawl-bench-'))
  const file = join(folder, 'pawl.db')
  await prepare(`sqlite:${file}`)
  const db = new DatabaseSync(file)
  db.exec('pragma journal_mode = wal; pragma synchronous = full')
  const sql = prepareStatements(db)
  const lane = 1
  const count = (name: string, by: number): number => sql.bumpCounter.run({ ...OF, name, bucket: 0, by })
  const transact = <Value>(work: () => Value): Value => {
    db.exec('begin immediate')
    const value = work()
    db.exec('commit')
    return value
  }
  const insert = (ns: readonly number[]): void =>
    transact(() => {
      for (const n of ns)
        sql.insertAction.run({
          ...OF,
          ...NOTHING,
          id: idOf(n),
          lane,
          source_kind: 'direct',
          source_id: idOf(n),
          status: 'queued',
          due_at: Date.now(),
          token: 0,
          size: TEXT.length,
          fingerprint: null,
          created_at: Date.now(),
          finished_at: null,
          error: null,
          plan: TEXT,
        })
      count('actions.open', ns.length)
    })
  const turn = async (ended: readonly number[]): Promise<readonly number[]> =>
    transact(() => {
      const now = Date.now()
      const moves = ended.map((row) => [row, 'succeeded', 1, 0, 0, now, now, null, null, '00000000null'])
      sql.moveActions.run({ moves: JSON.stringify(moves) })
      sql.deleteActions.run({ rows: JSON.stringify(ended) })
      count('actions.open', -ended.length)
      count('actions.succeeded', ended.length)
      const rows = sql.probeLane.all<{ row: number }>({ lane, now, limit: GROUP }).map(({ row }) => row)
      const claim = { rows: JSON.stringify(rows), nonce: 'n', worker: 'w', lease_until: now }
      return sql.claimActions.all<{ row: number }>(claim).map(({ row }) => row)
    })
  return {
    ...grouping(insert),
    work: async (handle) => looping(turn, handle),
    isDrained: async () =>
      db.prepare(`select 1 from actions where due_at <= unixepoch() * 1000 + 1000 limit 1`).get() ===
      undefined,
    close: async () => {
      db.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const openPostgres = async (url: string): Promise<Queue> => {
  await prepare(url)
  const clients = await Promise.all(
    Array.from({ length: 2 }, async () => {
      const client = new pg.Client({ connectionString: url })
      await client.connect()
      return client
    }),
  )
  const [writer, worker] = clients.map((client) => createCaller(client, true)) as [never, never] as [
    ReturnType<typeof createCaller>,
    ReturnType<typeof createCaller>,
  ]
  const lane = 1
  const counts = (...rows: readonly (readonly [string, number])[]) =>
    columnsOf(
      'bumpCounters',
      rows.map(([name, value]) => ({ ...OF, name, bucket: 0, value })),
    )
  const born = (n: number) => ({
    ...OF,
    ...NOTHING,
    id: idOf(n),
    lane,
    source_kind: 'direct',
    source_id: idOf(n),
    status: 'queued',
    due_at: Date.now(),
    attempt: 0,
    lost: 0,
    reaps: 0,
    token: 0,
    size: TEXT.length,
    marked: false,
    cancel_requested: false,
    created_at: Date.now(),
    plan: JSON.stringify(PLAN),
  })
  const insert = async (ns: readonly number[]): Promise<void> => {
    await Promise.all([
      writer.run('begin'),
      writer.sql.insertActions(columnsOf('insertActions', ns.map(born))),
      writer.sql.bumpCounters(counts(['actions.open', ns.length])),
      writer.run('commit'),
    ])
  }
  let ids: readonly string[] = []
  const request = { lanes: [lane], shares: [GROUP], marks: [-1], now: null, batch: GROUP, budget: 4_194_304 }
  const turn = async (ended: readonly number[]): Promise<readonly number[]> => {
    const at = { started_at: Date.now(), finished_at: Date.now(), due_at: Date.now() }
    const ending = { status: 'succeeded', attempt: 1, lost: 0, reaps: 0, worker: 'w', result: 'null', ...at }
    const rows = ids.map((id) => ({ id, ...ending }))
    const [, , , , claimed] = await Promise.all([
      worker.run('begin'),
      ended.length === 0 ? undefined : worker.sql.finishActions(columnsOf('finishActions', rows)),
      worker.sql.bumpCounters(counts(['actions.open', -ended.length], ['actions.succeeded', ended.length])),
      worker.run('commit'),
      worker.sql.claimActions<{ id: string }>({
        ...request,
        lease_ms: 30_000,
        nonce: 'n',
        worker: 'w',
        lease: null,
      }),
    ])
    ids = claimed.rows.map(({ id }) => id)
    return ids.map((_, index) => index)
  }
  return {
    ...grouping(insert),
    work: async (handle) => looping(turn, handle),
    isDrained: async () => {
      const open = 'select 1 from pawl.actions where due_at <= pawl.clock_ms() limit 1'
      return (await clients[0]!.query(open)).rowCount === 0
    },
    close: async () => {
      for (const client of clients) await client.end()
    },
  }
}

export const sameRowsOnSqlite: Contender = { label: 'the same rows, no engine', open: openSqlite }

export const sameRowsOnPostgres = (database: () => Promise<string>): Contender => ({
  label: 'the same rows, no engine',
  open: async () => openPostgres(await database()),
})
