// Owns the rows of the processes at work over SQLite.

import { readOr } from '../unreadable.ts'
import { FORGOTTEN_MS, type WorkerRow, type Workers } from '../workers.ts'
import type { Connection } from './connection.ts'
import { seal, unseal } from './sealed.ts'
import type { Writer } from './writer.ts'

/** Forgotten with one beat. */
const LIMIT = 100

interface WorkerRecord {
  readonly id: string
  readonly started_at: number
  readonly seen_at: number
  readonly slots: number
  readonly version: string
  readonly host: string
  readonly types: string
  readonly definitions: string
}

const toWorker = (row: WorkerRecord): WorkerRow => ({
  id: row.id,
  startedAt: row.started_at,
  seenAt: row.seen_at,
  slots: row.slots,
  version: row.version,
  host: row.host,
  types: unseal(row.types, `the types of worker ${row.id}`),
  definitions: unseal(row.definitions, `the definitions of worker ${row.id}`),
})

export const createWorkers = ({ sql }: Connection, writer: Writer): Workers => {
  const clock = (): number => sql.clock.get<{ now: number }>()!.now
  return {
    beat: (row) =>
      writer.run(1, () => {
        const now = clock()
        const { id, slots, version, host } = row
        const [types, definitions] = [seal([...row.types]), seal([...row.definitions])]
        const worker = { id, started_at: row.startedAt, slots, version, host, types, definitions }
        sql.beatWorker.run({ ...worker, seen_at: now })
        sql.forgetWorkers.run({ before: now - FORGOTTEN_MS, limit: LIMIT })
      }),
    list: (withinMs) =>
      writer.read(() =>
        sql.listWorkers
          .all<WorkerRecord>({ since: clock() - withinMs })
          // One that cannot be read says nothing, and is written anew with its next beat.
          .flatMap((row) =>
            readOr(
              () => [toWorker(row)],
              () => [],
            ),
          )
          .sort((a, b) => (a.id < b.id ? -1 : 1)),
      ),
    remove: async (id) => {
      await writer.run(1, () => sql.deleteWorker.run({ id }))
    },
  }
}
