// What processes measure of action names: a row is written whole, so that writing it again counts nothing twice.

import type { HealthRow, Measured } from '../../store/health.ts'
import type { Case } from './case.ts'
import { same } from './check.ts'
import { ELSEWHERE, NOW, OF, OTHER } from './members.ts'

const HOUR = 3_600_000

const measured = (ended: number): Measured => ({
  ended,
  succeeded: ended,
  retried: 0,
  retries: 0,
  attempts: ended,
  durationMs: 12.5 * ended,
  cost: 0.001,
  latency: { '7': ended },
  errors: { "o'brien": 1 },
})

const row = (over: Partial<HealthRow> = {}): HealthRow => ({
  ...OF,
  name: 'send_notice',
  type: 'email',
  bucket: NOW,
  writer: 'wrk_1',
  measured: measured(1),
  ...over,
})

const shown = (rows: readonly HealthRow[]) =>
  rows.map(({ name, bucket, writer, measured: { ended } }) => [name, bucket - NOW, writer, ended]).sort()

export const healthCases: readonly Case[] = [
  {
    name: 'health: a row is written whole, each process its own, and comes back as it was',
    run: async ({ health, another }) => {
      await health.put([row(), row({ writer: 'wrk_2', measured: measured(5) })])
      await health.put([row({ measured: measured(3) })])
      const { health: other } = await another()
      await other.put([row({ measured: measured(3) })])
      const rows = await other.read(OF, { since: 0, name: 'send_notice' }, 9)
      same(
        shown(rows),
        [
          ['send_notice', 0, 'wrk_1', 3],
          ['send_notice', 0, 'wrk_2', 5],
        ],
        'two rows',
      )
      same(
        rows.find(({ writer }) => writer === 'wrk_1'),
        row({ measured: measured(3) }),
        'as it was',
      )
    },
  },
  {
    name: 'health: read by name and since, the newest hours first, each tenant’s own',
    run: async ({ health }) => {
      await health.put([
        row(),
        row({ bucket: NOW - HOUR }),
        row({ bucket: NOW - 2 * HOUR }),
        row({ name: 'other' }),
        row({ name: 'other', type: 'webhook' }),
        row({ ...OTHER, measured: measured(70) }),
        row({ ...ELSEWHERE, measured: measured(71) }),
      ])
      const one = { name: 'send_notice' }
      const read = async (query: { since: number; name?: string }, limit = 9) =>
        (await health.read(OF, query, limit)).map(({ name, bucket }) => `${name} ${(bucket - NOW) / HOUR}`)
      same(await read({ since: NOW - HOUR, ...one }), ['send_notice 0', 'send_notice -1'], 'one name')
      same(await read({ since: 0, ...one }, 2), ['send_notice 0', 'send_notice -1'], 'so many')
      same((await read({ since: NOW })).toSorted(), ['other 0', 'other 0', 'send_notice 0'], 'every name')
      same((await read({ since: 0 }, 4)).at(-1), 'send_notice -1', 'the oldest last')
      const [theirs] = await health.read(OTHER, { since: 0 }, 9)
      same(theirs?.measured.ended, 70, 'theirs')
    },
  },
  {
    name: 'health: retention takes the hours that are old',
    run: async ({ health, keeper }) => {
      await health.put([row(), row({ bucket: NOW - 2 * HOUR })])
      const before = { doneBefore: 0, eventsBefore: NOW - HOUR, inboxBefore: 0, dedupBefore: 0 }
      while (await keeper.prune(before, 10));
      same(shown(await health.read(OF, { since: 0 }, 9)), [['send_notice', 0, 'wrk_1', 1]], 'what stays')
    },
  },
]
