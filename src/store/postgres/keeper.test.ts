import pg from 'pg'
import { expect, it } from 'vitest'
import { action, advance, NOW, OF, settled } from '../../../test/sqlite/members.ts'
import { type Bed, caughtUp, claimAll, open } from '../../../test/stores/postgres-bed.ts'
import { monthOf, nextMonth, startOf } from './partitions.ts'

const DAY = 86_400_000
const NOTHING = { doneBefore: 0, eventsBefore: 0, inboxBefore: 0, dedupBefore: 0 }

const query = async (bed: Bed, text: string): Promise<readonly Record<string, unknown>[]> => {
  const client = new pg.Client({ connectionString: bed.url })
  await client.connect()
  const { rows } = await client.query(text)
  await client.end()
  return rows
}

const partitions = async (bed: Bed): Promise<readonly unknown[]> =>
  (
    await query(
      bed,
      "select inhrelid::regclass::text as name from pg_inherits where inhparent = 'pawl.actions_done'::regclass order by 1",
    )
  ).map(({ name }) => name)

const finish = async (bed: Bed, id: string, endedAt: number): Promise<void> => {
  await bed.commit({ enqueue: [action(id)] })
  const [claim] = await claimAll(bed, id)
  const failed = { status: 'queued', outcome: 'failed', reason: 'retry', dueAt: NOW } as const
  await bed.commit({ settle: [settled(claim!, failed)] })
  const [again] = await claimAll(bed, id)
  await bed.commit({ settle: [settled(again!, {}, { endedAt, attempt: 2 })] })
}

it('months of the calendar, over the end of a year', () => {
  expect(monthOf(Date.UTC(2026, 11, 31, 23, 59))).toEqual({ year: 2026, month: 12 })
  expect(nextMonth({ year: 2026, month: 12 })).toEqual({ year: 2027, month: 1 })
  expect(startOf({ year: 2027, month: 1 })).toBe(Date.UTC(2027, 0, 1))
})

it('partitions are made for this month and the next, once; what fits none goes to the rest', async () => {
  const bed = await open()
  const before = await partitions(bed)
  expect(before).toHaveLength(3)
  await bed.keeper.prepare(NOW)
  await bed.keeper.prepare(NOW)
  expect(await partitions(bed)).toEqual(
    expect.arrayContaining(['pawl.actions_done_2027_01', 'pawl.actions_done_2027_02']),
  )
  await finish(bed, 'act_far', Date.UTC(2040, 1, 1))
  expect((await bed.reader.action(OF, 'act_far'))?.status).toBe('succeeded')
  // The month that already has rows in the rest stays there.
  await bed.keeper.prepare(Date.UTC(2040, 1, 5))
  expect((await bed.reader.action(OF, 'act_far'))?.status).toBe('succeeded')
})

it('retention: a month that is past goes as a whole with its attempts, the rest in slices', async () => {
  const bed = await open()
  await bed.keeper.prepare(NOW)
  const month = startOf(monthOf(NOW))
  await finish(bed, 'act_1', month + DAY)
  await finish(bed, 'act_2', month + 2 * DAY)
  await finish(bed, 'act_3', startOf(nextMonth(monthOf(NOW))) + DAY)
  const early = { ...NOTHING, doneBefore: month + DAY + 1 }
  expect(await bed.keeper.prune(early, 100)).toBe(true)
  expect(await bed.keeper.prune(early, 100)).toBe(false)
  expect(await bed.reader.action(OF, 'act_1')).toBeUndefined()
  expect(await bed.reader.attempts(OF, 'act_1')).toEqual([])
  expect(await bed.reader.attempts(OF, 'act_2')).toHaveLength(2)
  const later = { ...NOTHING, doneBefore: startOf(nextMonth(monthOf(NOW))) }
  expect(await bed.keeper.prune(later, 100)).toBe(true)
  expect(await partitions(bed)).not.toContain('pawl.actions_done_2027_01')
  expect(await bed.reader.attempts(OF, 'act_2')).toEqual([])
  expect((await bed.reader.action(OF, 'act_3'))?.status).toBe('succeeded')
  // Counts are of what was ever done.
  expect((await bed.reader.counts(OF)).actions.succeeded).toBe(3)
})

it('F48: a new epoch fences every claim made before, and lets the rows be reaped at once', async () => {
  const bed = await open()
  await bed.commit({ enqueue: [action('act_1')] })
  const [claim] = await claimAll(bed)
  expect(await bed.keeper.newEpoch()).toBe(2)
  expect((await bed.commit({ settle: [settled(claim!)] })).status).toBe('fenced')
  expect((await bed.store.reap(9, { lease: 0 })).map(({ id }) => id)).toEqual(['act_1'])
  expect((await bed.commit({ enqueue: [action('act_2')] })).status).toBe('ok')
})

it('a checkpoint covers the heads and the feed, and the one before it', async () => {
  const bed = await open()
  const history = [{ type: 'execution.transitioned', at: NOW, data: { n: 1 } }]
  await bed.commit({ advance: advance('x', { history }), record: [{ type: 'noted', at: NOW, data: {} }] })
  await caughtUp(bed)
  const first = await bed.keeper.checkpoint(NOW)
  expect(first).toMatchObject({ at: NOW, heads: 1, hash: expect.stringMatching(/^[0-9a-f]{64}$/) })
  const second = await bed.keeper.checkpoint(NOW)
  expect(second.hash).not.toBe(first.hash)
})

it('a chore is one worker’s until its time is over', async () => {
  const { keeper } = await open()
  expect(await keeper.take('prune', 'a', 60_000)).toBe(true)
  expect(await keeper.take('prune', 'b', 60_000)).toBe(false)
  expect(await keeper.take('prune', 'a', -1)).toBe(true)
  expect(await keeper.take('prune', 'b', 60_000)).toBe(true)
})
