import { expect, it } from 'vitest'
import { type Bed, claimAll, open } from '../../../test/sqlite/bed.ts'
import { action, advance, NOW, OF, settled } from '../../../test/sqlite/members.ts'

const KEEP_ALL = { doneBefore: 0, eventsBefore: 0, inboxBefore: 0, dedupBefore: 0 }
const HOUR = 3_600_000

const finish = async (bed: Bed, id: string, at: number) => {
  await bed.commit({ at, enqueue: [action(id, { dueAt: at })] })
  const [claim] = await claimAll(bed, 'n', { now: at, lease: at })
  const retry = { status: 'queued', outcome: 'failed', reason: 'retry', dueAt: at } as const
  await bed.commit({ at, settle: [settled(claim!, retry, { endedAt: at })] })
  const [again] = await claimAll(bed, 'n', { now: at, lease: at })
  await bed.commit({ at, settle: [settled(again!, {}, { attempt: 2, endedAt: at })] })
}

it('a chore has one holder until its time is over', async () => {
  const bed = await open()
  expect(await bed.keeper.take('prune', 'w1', 60_000)).toBe(true)
  expect(await bed.keeper.take('prune', 'w2', 60_000)).toBe(false)
  expect(await bed.keeper.take('prune', 'w1', -1)).toBe(true)
  expect(await bed.keeper.take('prune', 'w2', 60_000)).toBe(true)
  expect(await bed.keeper.take('checkpoint', 'w1', 60_000)).toBe(true)
})

it('prune removes what is past its time, in slices, with its attempts; counts stay', async () => {
  const bed = await open()
  for (let n = 0; n < 5; n++) await finish(bed, `act_${n}`, NOW + n * HOUR)
  const retention = { ...KEEP_ALL, doneBefore: NOW + 3 * HOUR }
  expect(await bed.keeper.prune(retention, 2)).toBe(true)
  expect((await bed.reader.actions(OF, {}, { limit: 9 })).data).toHaveLength(3)
  while (await bed.keeper.prune(retention, 2));
  expect((await bed.reader.actions(OF, {}, { limit: 9 })).data.map(({ id }) => id)).toEqual([
    'act_4',
    'act_3',
  ])
  expect(await bed.reader.attempts(OF, 'act_2')).toEqual([])
  expect(await bed.reader.attempts(OF, 'act_3')).toHaveLength(2)
  expect((await bed.reader.counts(OF)).actions.succeeded).toBe(5)
  const buckets = bed.connection.prepare('select distinct bucket from counters order by bucket').all()
  expect(buckets.map((row) => row['bucket'])).toEqual([0, NOW + 3 * HOUR, NOW + 4 * HOUR])
})

it('prune keeps what waits, forgets applied ids, frees keys, and keeps a late archive its time', async () => {
  const bed = await open()
  const event = (id: string) => ({ id, type: 'x', payload: {}, at: NOW })
  const outside = { event: event('e1'), from: 'outside' as const }
  const first = await bed.commit({
    advance: advance('l', { consume: [outside] }),
    deliver: [{ execution: 'l', event: event('e2') }],
  })
  await bed.commit({ enqueue: [action('act_1', { dedup: { key: 'k', forMs: 10 } })] })
  const [claim] = await claimAll(bed)
  await bed.commit({ settle: [settled(claim!, { status: 'dead', outcome: 'failed' })] })
  await bed.commit({ at: NOW + 500, control: [{ kind: 'archive_dead', id: 'act_1' }] })
  await bed.commit({ enqueue: [action('act_2', { dedup: { key: 'k2', forMs: 10 } })] })
  const retention = { doneBefore: NOW + 500, eventsBefore: 0, inboxBefore: NOW + 1, dedupBefore: NOW + 11 }
  while (await bed.keeper.prune(retention, 10));
  expect((await bed.reader.action(OF, 'act_1'))!.status).toBe('dead')
  expect(await bed.store.inbox(['lease'], 9)).toHaveLength(1)
  const again = advance('l', { expected: 1, chain: first.chain!, consume: [outside] })
  expect((await bed.commit({ advance: again })).status).toBe('ok')
  expect(
    (await bed.commit({ enqueue: [action('act_3', { dedup: { key: 'k2' } })] })).deduplicated,
  ).toBeUndefined()
  while (await bed.keeper.prune({ ...retention, doneBefore: NOW + 501 }, 10));
  expect(await bed.reader.action(OF, 'act_1')).toBeUndefined()
})

it('a checkpoint covers every chain and the feed: the same for the same, another after any change', async () => {
  const fill = async () => {
    const bed = await open()
    for (const id of ['a', 'b'])
      await bed.commit({ advance: advance(id, { history: [{ type: 't', at: NOW, data: { id } }] }) })
    await bed.commit({ record: [{ type: 'noted', at: NOW, data: { by: 'ada' } }] })
    return bed
  }
  const [one, two, forged] = [await fill(), await fill(), await fill()]
  const first = await one.keeper.checkpoint(NOW)
  expect(first).toMatchObject({ at: NOW, heads: 2 })
  expect(await two.keeper.checkpoint(NOW)).toEqual(first)
  const row = forged.connection.prepare(`select rowid as row, data from events where type = 'noted'`).get()!
  expect(row['data']).toContain('ada')
  forged.connection.exec(`update events set hash = 'forged' where execution = 'a'`)
  await expect(forged.keeper.checkpoint(NOW)).rejects.toMatchObject({ code: 'store_corrupt' })
  const second = await one.keeper.checkpoint(NOW + 1)
  expect(second.hash).not.toBe(first.hash)
  expect((await one.keeper.checkpoint(NOW + 1)).hash).not.toBe(second.hash)
  await two.commit({ record: [{ type: 'noted', at: NOW, data: { by: 'eve' } }] })
  expect((await two.keeper.checkpoint(NOW + 1)).hash).not.toBe(second.hash)
})

it('a checkpoint of more than one slice covers all of them', async () => {
  const bed = await open()
  const begin = (n: number) => ({
    ...OF,
    at: NOW,
    advance: advance(`x${n}`, { history: [{ type: 't', at: NOW, data: { n } }] }),
    record: [{ type: 'noted', at: NOW, data: { n } }],
  })
  await bed.store.commit(Array.from({ length: 1203 }, (_, n) => begin(n)))
  expect((await bed.keeper.checkpoint(NOW)).heads).toBe(1203)
})

it('a checkpoint covers a chain whose events were purged', async () => {
  const bed = await open()
  await bed.commit({ advance: advance('a', { history: [{ type: 't', at: NOW, data: {} }] }) })
  while (await bed.keeper.prune({ ...KEEP_ALL, eventsBefore: NOW + 1 }, 10));
  expect(await bed.reader.feed(OF, undefined, 9)).toEqual([])
  expect((await bed.keeper.checkpoint(NOW)).heads).toBe(1)
})

it('ids are not given out twice: a position of the feed is never used again', async () => {
  const bed = await open()
  await bed.commit({ record: [{ type: 'noted', at: NOW, data: { n: 1 } }] })
  const [{ cursor } = { cursor: '' }] = await bed.reader.feed(OF, undefined, 9)
  while (await bed.keeper.prune({ ...KEEP_ALL, eventsBefore: NOW + 1 }, 10));
  await bed.commit({ record: [{ type: 'noted', at: NOW, data: { n: 2 } }] })
  expect((await bed.reader.feed(OF, cursor, 9)).map(({ data }) => data)).toEqual([{ n: 2 }])
})

it('there is nothing to prepare', async () => {
  expect(await (await open()).keeper.prepare(NOW)).toBeUndefined()
})

it('of two checkpoints made at once one is written, and both are told it', async () => {
  const { keeper, connection } = await open()
  const [first, second] = await Promise.all([keeper.checkpoint(NOW), keeper.checkpoint(NOW + 1)])
  expect(second).toEqual(first)
  expect(connection.prepare('select count(*) as n from checkpoints').get()).toEqual({ n: 1 })
  expect((await keeper.checkpoint(NOW + 2)).hash).not.toBe(first.hash)
})
