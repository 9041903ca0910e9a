// plainjob, the embedded peer, on a SQLite file: its own settings (WAL, synchronous normal: it does not wait for the disk) over
// the same SQLite that Pawl uses, through the connection it asks for.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { loadPeer } from '../peers.ts'
import type { Contender } from './queue.ts'

interface Jobs {
  readonly add: (type: string, data: object, options?: object) => unknown
  readonly addMany: (type: string, data: readonly object[]) => unknown
  readonly countJobs: (filter: object) => number
  readonly close: () => void
}
interface Library {
  readonly defineQueue: (options: object) => Jobs
  readonly defineWorker: (
    type: string,
    call: (job: { readonly data: string }) => Promise<void>,
    options: object,
  ) => { readonly start: () => Promise<void>; readonly stop: () => Promise<void> }
  readonly JobStatus: { readonly Pending: number; readonly Processing: number }
}

const quiet = {
  error: () => undefined,
  warn: () => undefined,
  info: () => undefined,
  debug: () => undefined,
}
const TYPE = 'j'

const connectionTo = (file: string): object => {
  const db = new DatabaseSync(file)
  return {
    driver: 'better-sqlite3',
    filename: file,
    pragma: (text: string) => db.exec(`pragma ${text}`),
    exec: (text: string) => db.exec(text),
    prepare: (text: string) => db.prepare(text),
    close: () => db.close(),
    transaction: <Value>(work: (...given: readonly unknown[]) => Value) => {
      const transact =
        (begin: string) =>
        (...given: readonly unknown[]): Value => {
          db.exec(begin)
          try {
            const value = work(...given)
            db.exec('commit')
            return value
          } catch (error) {
            db.exec('rollback')
            throw error
          }
        }
      return Object.assign(transact('begin'), { immediate: transact('begin immediate') })
    },
  }
}

export const plainjob = async (): Promise<Contender> => {
  const { label, library } = await loadPeer<Library>('plainjob')
  const { defineQueue, defineWorker, JobStatus } = library
  return {
    label,
    durable: 'no fsync: lost with the power',
    open: async () => {
      const folder = mkdtempSync(join(tmpdir(), 'pawl-bench-'))
      const connection = connectionTo(join(folder, 'jobs.db'))
      const queue = defineQueue({ connection, logger: quiet })
      return {
        add: async (n, dueAt) =>
          queue.add(TYPE, { n }, dueAt === undefined ? {} : { delay: Math.max(0, dueAt - Date.now()) }),
        addMany: async (from, count, dueAt) => {
          const jobs = Array.from({ length: count }, (_, index) => ({ n: from + index }))
          if (dueAt === undefined) return queue.addMany(TYPE, jobs)
          // It takes no times in a batch.
          for (const job of jobs) queue.add(TYPE, job, { delay: Math.max(0, dueAt(job.n) - Date.now()) })
          return new Promise((resolve) => setImmediate(resolve))
        },
        work: async (handle) => {
          const call = async (job: { readonly data: string }): Promise<void> => handle(JSON.parse(job.data).n)
          const worker = defineWorker(TYPE, call, { queue, pollIntervall: 10, logger: quiet })
          void worker.start()
          return () => worker.stop()
        },
        isDrained: async () =>
          queue.countJobs({ status: JobStatus.Pending }) +
            queue.countJobs({ status: JobStatus.Processing }) ===
          0,
        close: async () => {
          queue.close()
          rmSync(folder, { recursive: true, force: true })
          return undefined
        },
      }
    },
  }
}
