// graphile-worker on the same PostgreSQL, tuned as its documentation says for throughput: a local queue, completions in
// batches, many jobs at the same time.

import pg from 'pg'
import type { Ground } from '../ground/ground.ts'
import { loadPeer } from '../peers.ts'
import type { Contender } from './queue.ts'

/** As the library calls it. */
const MAKE = 'makeWorkerUtils'

interface Producer {
  readonly migrate: () => Promise<void>
  readonly addJob: (task: string, payload: object, spec?: object) => Promise<unknown>
  readonly addJobs: (jobs: readonly object[]) => Promise<unknown>
  readonly release: () => Promise<void>
}
type Library = Readonly<Record<typeof MAKE, (options: object) => Promise<Producer>>> & {
  readonly run: (options: object) => Promise<{ readonly stop: () => Promise<void> }>
  readonly Logger: new (factory: () => () => void) => object
}

const PRESET = {
  maxPoolSize: 12,
  concurrentJobs: 24,
  pollInterval: 100,
  localQueue: { size: 500 },
  completeJobBatchDelay: 0,
  failJobBatchDelay: 0,
}

export const graphileWorker = async ({ fresh, drop, durable }: Ground): Promise<Contender> => {
  const { label, library } = await loadPeer<Library & { readonly default?: Library }>('graphile-worker')
  const { [MAKE]: makeProducer, run, Logger } = library.default ?? library
  const logger = new Logger(() => () => undefined)
  return {
    label,
    durable,
    open: async () => {
      const connectionString = await fresh()
      const producer = await makeProducer({ connectionString, maxPoolSize: 10, logger })
      await producer.migrate()
      const pool = new pg.Pool({ connectionString, max: 2 })
      return {
        add: (n, dueAt) => producer.addJob('j', { n }, dueAt === undefined ? {} : { runAt: new Date(dueAt) }),
        addMany: (from, count, dueAt) =>
          producer.addJobs(
            Array.from({ length: count }, (_, index) => ({
              identifier: 'j',
              payload: { n: from + index },
              ...(dueAt && { runAt: new Date(dueAt(from + index)) }),
            })),
          ),
        work: async (handle) => {
          const preset = { worker: { connectionString, ...PRESET } }
          const taskList = { j: async ({ n }: { readonly n: number }) => handle(n) }
          const runner = await run({ preset, logger, noHandleSignals: true, taskList })
          return () => runner.stop()
        },
        isDrained: async () =>
          (await pool.query('select 1 from graphile_worker._private_jobs limit 1')).rowCount === 0,
        close: async () => {
          await producer.release()
          await pool.end()
          await drop(connectionString)
          return undefined
        },
      }
    },
  }
}
