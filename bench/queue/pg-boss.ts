// pg-boss on the same PostgreSQL. Rates by its fetch and complete in a tight loop, a thousand at a time, which is faster than its
// `work`; latency by `work`, which is what its users get.

import pg from 'pg'
import type { Ground } from '../ground/ground.ts'
import { loadPeer } from '../peers.ts'
import type { Contender } from './queue.ts'

interface Job {
  readonly id: string
  readonly data: { readonly n: number }
}
interface Boss {
  readonly on: (event: 'error', call: () => void) => void
  readonly start: () => Promise<unknown>
  readonly stop: (options: object) => Promise<void>
  readonly createQueue: (name: string) => Promise<void>
  readonly send: (name: string, data: object, options?: object) => Promise<unknown>
  readonly insert: (name: string, jobs: readonly object[]) => Promise<unknown>
  readonly fetch: (name: string, options: object) => Promise<readonly Job[]>
  readonly complete: (name: string, ids: readonly string[]) => Promise<unknown>
  readonly work: (
    name: string,
    options: object,
    call: (jobs: readonly Job[]) => Promise<void>,
  ) => Promise<unknown>
  readonly offWork: (name: string) => Promise<void>
}
type Make = new (options: object) => Boss

const FETCH = { batchSize: 1000, pollingIntervalSeconds: 0.5 }
const QUEUE = 'q'

const tightLoop = (boss: Boss, handle: (n: number) => void): (() => Promise<unknown>) => {
  let isOn = true
  const loop = async (): Promise<void> => {
    while (isOn) {
      const jobs = await boss.fetch(QUEUE, FETCH)
      for (const { data } of jobs) handle(data.n)
      if (jobs.length > 0)
        await boss.complete(
          QUEUE,
          jobs.map(({ id }) => id),
        )
      else await new Promise((resolve) => setTimeout(resolve, 5))
    }
  }
  const looping = loop()
  return () => {
    isOn = false
    return looping
  }
}

export const pgBoss = async ({ fresh, drop, durable }: Ground, isPolled: boolean): Promise<Contender> => {
  const { label, library } = await loadPeer<{ readonly PgBoss?: Make; readonly default?: Make }>('pg-boss')
  const make = library.PgBoss ?? library.default!
  return {
    label,
    durable,
    open: async () => {
      const connectionString = await fresh()
      const boss = new make({ connectionString, max: 10, supervise: false, schedule: false })
      boss.on('error', () => undefined)
      await boss.start()
      await boss.createQueue(QUEUE)
      const pool = new pg.Pool({ connectionString, max: 2 })
      return {
        add: (n, dueAt) =>
          boss.send(QUEUE, { n }, dueAt === undefined ? {} : { startAfter: new Date(dueAt) }),
        addMany: (from, count, dueAt) =>
          boss.insert(
            QUEUE,
            Array.from({ length: count }, (_, index) => ({
              data: { n: from + index },
              ...(dueAt && { startAfter: new Date(dueAt(from + index)) }),
            })),
          ),
        work: async (handle) => {
          if (!isPolled) return tightLoop(boss, handle)
          await boss.work(QUEUE, FETCH, async (jobs) => {
            for (const { data } of jobs) handle(data.n)
          })
          return () => boss.offWork(QUEUE)
        },
        isDrained: async () => {
          const open = `select 1 from pgboss.job where name = '${QUEUE}' and state < 'completed' limit 1`
          return (await pool.query(open)).rowCount === 0
        },
        close: async () => {
          await boss.stop({ graceful: false, close: true })
          await pool.end()
          await drop(connectionString)
          return undefined
        },
      }
    },
  }
}
