// Owns the rows of the processes at work over PostgreSQL.

import { FORGOTTEN_MS, type WorkerRow, type Workers } from '../workers.ts'
import type { Statements } from './statements.ts'

/** Forgotten with one beat. */
const LIMIT = 100

interface WorkerRecord {
  readonly id: string
  readonly started_at: number
  readonly seen_at: number
  readonly slots: number
  readonly version: string
  readonly host: string
  readonly types: readonly string[]
  readonly definitions: readonly string[]
}

const toWorker = ({ started_at, seen_at, ...row }: WorkerRecord): WorkerRow => ({
  ...row,
  startedAt: started_at,
  seenAt: seen_at,
})

export const createWorkers = (sql: Statements): Workers => ({
  beat: async (row) => {
    const { id, startedAt, slots, version, host } = row
    const [types, definitions] = [JSON.stringify(row.types), JSON.stringify(row.definitions)]
    await sql.beatWorker({ id, started_at: startedAt, slots, version, host, types, definitions })
    await sql.forgetWorkers({ age: FORGOTTEN_MS, limit: LIMIT })
  },
  list: async (withinMs) =>
    (await sql.listWorkers<WorkerRecord>({ within: withinMs })).rows
      .map(toWorker)
      .sort((a, b) => (a.id < b.id ? -1 : 1)),
  remove: async (id) => {
    await sql.deleteWorker({ id })
  },
})
