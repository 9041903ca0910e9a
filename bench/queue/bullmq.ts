// BullMQ on a Redis of the bench's own, a hundred at a time, done jobs removed, as its documentation says for throughput.

import { EVERY_SECOND, startRedis } from '../ground/redis.ts'
import { loadPeer } from '../peers.ts'
import type { Contender } from './queue.ts'

interface Job {
  readonly data: { readonly n: number }
}
interface Jobs {
  readonly name: string
  readonly waitUntilReady: () => Promise<unknown>
  readonly add: (name: string, data: object, options?: object) => Promise<unknown>
  readonly addBulk: (jobs: readonly object[]) => Promise<unknown>
  readonly getJobCounts: (...of: readonly string[]) => Promise<Readonly<Record<string, number>>>
  readonly obliterate: (options: object) => Promise<unknown>
  readonly close: () => Promise<unknown>
}
interface Crew {
  readonly on: (event: 'error', call: () => void) => void
  readonly waitUntilReady: () => Promise<unknown>
  readonly close: (force: boolean) => Promise<unknown>
}
interface Library {
  readonly Queue: new (name: string, options: object) => Jobs
  readonly Worker: new (name: string, call: (job: Job) => Promise<void>, options: object) => Crew
}

const CONCURRENCY = 100
const delayUntil = (dueAt: number): object => ({ delay: Math.max(0, dueAt - Date.now()) })

export const bullmq = async (): Promise<Contender & { readonly stop: () => Promise<void> }> => {
  const { label, library } = await loadPeer<Library & { readonly default?: Library }>('bullmq')
  const { Queue, Worker } = library.default ?? library
  const { port, stop } = await startRedis()
  const connection = { host: '127.0.0.1', port, maxRetriesPerRequest: null }
  let count = 0
  return {
    label,
    durable: EVERY_SECOND,
    stop,
    open: async () => {
      count += 1
      const queue = new Queue(`q${count}`, { connection, defaultJobOptions: { removeOnComplete: true } })
      await queue.waitUntilReady()
      return {
        add: (n, dueAt) => queue.add('j', { n }, dueAt === undefined ? {} : delayUntil(dueAt)),
        addMany: (from, jobs, dueAt) =>
          queue.addBulk(
            Array.from({ length: jobs }, (_, index) => ({
              name: 'j',
              data: { n: from + index },
              ...(dueAt && { opts: delayUntil(dueAt(from + index)) }),
            })),
          ),
        work: async (handle) => {
          const call = async ({ data }: Job): Promise<void> => handle(data.n)
          const crew = new Worker(queue.name, call, { connection, concurrency: CONCURRENCY })
          crew.on('error', () => undefined)
          await crew.waitUntilReady()
          return () => crew.close(true)
        },
        isDrained: async () => {
          const counts = await queue.getJobCounts('waiting', 'active', 'delayed', 'prioritized')
          return Object.values(counts).every((of) => of === 0)
        },
        close: async () => {
          await queue.obliterate({ force: true })
          await queue.close()
          return undefined
        },
      }
    },
  }
}
