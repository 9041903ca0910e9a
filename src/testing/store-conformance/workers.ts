// Processes at work: who is there, since when it was last seen, and what it can do.

import type { WorkerRow } from '../../store/workers.ts'
import type { Case } from './case.ts'
import { has, isTrue, same } from './check.ts'
import { NOW } from './members.ts'

const worker = (id: string, over: Partial<WorkerRow> = {}): Omit<WorkerRow, 'seenAt'> => ({
  id,
  startedAt: NOW,
  slots: 64,
  types: ['mail', 'sms@eu'],
  definitions: ['lease@41'],
  version: '0.1.0',
  host: 'db-1.example',
  ...over,
})

const HOUR = 3_600_000

export const workerCases: readonly Case[] = [
  {
    name: 'workers: those that beat are listed by id, as they said it, seen by the database’s clock',
    run: async ({ workers, another, store }) => {
      await workers.beat(worker('w2'))
      const { workers: other } = await another()
      await other.beat(worker('w1', { types: [], definitions: ["o'brien@h", 'ünï@漢'], slots: 1 }))
      const rows = await workers.list(HOUR)
      same(
        rows.map(({ seenAt: _, ...row }) => row),
        [worker('w1', { types: [], definitions: ["o'brien@h", 'ünï@漢'], slots: 1 }), worker('w2')],
        'the list',
      )
      isTrue(
        rows.every(({ seenAt }) => seenAt > 1_600_000_000_000 && seenAt !== NOW),
        'seen by its clock',
      )
      same(await store.heads({}), [], 'and nothing else')
    },
  },
  {
    name: 'workers: a beat renews the row, and what it says',
    run: async ({ workers }) => {
      await workers.beat(worker('w1'))
      const [first] = await workers.list(HOUR)
      await workers.beat(worker('w1', { types: ['push'], definitions: ['lease@42'], slots: 8 }))
      const rows = await workers.list(HOUR)
      same(rows.length, 1, 'one row')
      has(rows[0], { types: ['push'], definitions: ['lease@42'], slots: 8, startedAt: NOW }, 'renewed')
      isTrue(rows[0]!.seenAt >= first!.seenAt, 'seen later')
    },
  },
  {
    name: 'workers: one that ends is gone, one that was not seen for so long is not listed',
    run: async ({ workers }) => {
      await workers.beat(worker('w1'))
      await workers.beat(worker('w2'))
      await workers.remove('w1')
      await workers.remove('never there')
      same(
        (await workers.list(HOUR)).map(({ id }) => id),
        ['w2'],
        'the rest',
      )
      same(await workers.list(-HOUR), [], 'not seen within a time to come')
    },
  },
]
