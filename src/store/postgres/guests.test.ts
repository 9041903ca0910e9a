import pg from 'pg'
import { expect, it, onTestFinished } from 'vitest'
import { action, advance, NOW, OF } from '../../../test/sqlite/members.ts'
import { type Bed, caughtUp, open } from '../../../test/stores/postgres-bed.ts'
import { BEHIND, realTimers } from '../../../test/stores/real-timers.ts'
import type { Member, Result } from '../store.ts'

const guest = async (url: string): Promise<pg.Client> => {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  onTestFinished(() => client.end().catch(() => undefined))
  return client
}

const commitAs = (
  bed: Bed,
  client: pg.Client,
  ...members: readonly Partial<Member>[]
): Promise<readonly Result[]> =>
  bed.store.in(client).commit(members.map((member) => ({ ...OF, at: NOW, ...member })))

it('in(client): nothing is there before the caller commits, all of it after, together with their own rows', async () => {
  const bed = await open()
  const client = await guest(bed.url)
  await client.query('create table leases (id text); begin')
  await client.query("insert into leases values ('l1')")
  const results = await commitAs(bed, client, { advance: advance('l1'), enqueue: [action('act_1')] })
  expect(results).toMatchObject([{ status: 'ok', revision: 1 }])
  expect(await bed.reader.execution(OF, 'l1')).toBeUndefined()
  await client.query('commit')
  expect((await bed.reader.execution(OF, 'l1'))?.revision).toBe(1)
  await client.query('begin')
  await commitAs(bed, client, { enqueue: [action('act_2')] })
  await client.query('rollback')
  expect(await bed.reader.action(OF, 'act_2')).toBeUndefined()
})

it('in(client): a member that is refused does not end the caller’s transaction, and losers are told', async () => {
  const bed = await open()
  const client = await guest(bed.url)
  await client.query('begin')
  const results = await commitAs(
    bed,
    client,
    { enqueue: [action('act_1')] },
    { enqueue: [action('')] },
    { enqueue: [action('act_1')] },
    { enqueue: [action('act_2')] },
  )
  expect(results.map(({ status }) => status)).toEqual(['ok', 'refused', 'duplicate', 'ok'])
  await client.query('commit')
  expect((await bed.reader.counts(OF)).actions.queued).toBe(2)
})

it('in(client): a client without a transaction, or on another database, is refused', async () => {
  const [bed, other] = [await open(), await open()]
  const client = await guest(bed.url)
  await expect(commitAs(bed, client, { enqueue: [action('act_1')] })).rejects.toMatchObject({
    code: 'invalid_option',
  })
  const stranger = await guest(other.url)
  await stranger.query('begin')
  await expect(commitAs(bed, stranger, { enqueue: [action('act_1')] })).rejects.toMatchObject({
    code: 'invalid_option',
  })
})

it('in(client): listeners hear of it when the caller commits, in this process too', async () => {
  const bed = await open()
  const client = await guest(bed.url)
  await bed.commit({ enqueue: [action('act_0')] })
  const [lane] = (await bed.store.heads({ now: NOW })).map((head) => head.lane)
  const woken = new Promise<readonly number[]>((resolve) => {
    bed.store.wake(({ lanes }) => resolve(lanes))
  })
  // Idle: it listens from when the statement is over.
  const listening = `select 1 from pg_stat_activity
    where query = 'listen pawl' and state = 'idle' and datname = current_database()`
  while ((await client.query(listening)).rows.length === 0);
  await client.query('begin')
  await commitAs(bed, client, { enqueue: [action('act_1')] })
  await client.query('commit')
  expect(await woken).toEqual([lane])
})

it('in(client): whoever waits for another commit before they end their own does not wait behind one that waits for them', async () => {
  const bed = await open({ ways: BEHIND })
  const client = await guest(bed.url)
  const enqueue = (id: string) => bed.commit({ enqueue: [{ ...action(id), isDrawn: true }] })
  // From its second commit on a connection sends them in one piece; notices go over some of them, too.
  for (let n = 0; n < 20; n++) await enqueue(`act_${n}`)
  const { chain } = await bed.commit({ advance: advance('x', { isDrawn: true }) })
  const step = { advance: advance('x', { expected: 1, was: 'active', chain: chain! }) }
  await client.query('begin')
  await commitAs(bed, client, step)
  const waiting = bed.commit(step)
  for (let n = 0; n < 3; n++) await realTimers.turn()
  expect((await enqueue('act_20')).status).toBe('ok')
  await client.query('rollback')
  expect((await waiting).status).toBe('ok')
  // A connection that is silent for a minute would be given up, and all be done again.
}, 20_000)

it('the feed skips nothing of a transaction that is still open', async () => {
  const bed = await open()
  const client = await guest(bed.url)
  const noted = (n: number): Partial<Member> => ({ record: [{ type: 'noted', at: NOW, data: { n } }] })
  const read = async (after?: string) =>
    (await bed.reader.feed(OF, after, 9)).map(({ data, cursor }) => ({ n: data['n'], cursor }))
  await bed.commit(noted(1))
  await caughtUp(bed)
  const first = (await read())[0]!
  await client.query('begin')
  await commitAs(bed, client, noted(2))
  await bed.commit(noted(3))
  // The third is committed, but the second, which began before it, may still come.
  expect(await read(first.cursor)).toEqual([])
  await client.query('commit')
  await caughtUp(bed)
  expect((await read(first.cursor)).map(({ n }) => n)).toEqual([2, 3])
  await expect(bed.reader.feed({ ...OF, tenant: 'globex' }, first.cursor, 9)).rejects.toMatchObject({
    code: 'invalid_cursor',
  })
})
