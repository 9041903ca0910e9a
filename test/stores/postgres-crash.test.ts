import pg from 'pg'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { action, advance, NOW, OF, settled } from '../sqlite/members.ts'
import { caughtUp, claimAll, open } from './postgres-bed.ts'
import { startProxy } from './postgres-proxy.ts'
import { createDatabase, type Server, startServer } from './postgres-server.ts'
import { BEHIND, realTimers } from './real-timers.ts'

let server: Server

beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.stop())

const patient = async (awayMs = 30_000) => open({ url: await createDatabase(server), awayMs })

const connected = async (url: string): Promise<pg.Client> => {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  onTestFinished(() => client.end().catch(() => undefined))
  return client
}

it('F27, KERNEL 5: a claim lost in a crash is fenced, though the next one has the same token', async () => {
  const bed = await patient()
  await bed.commit({
    enqueue: [action('act_1'), action('act_2', { delivery: 'at_most_once', priority: 10 })],
  })
  const heads = await bed.store.heads({ now: NOW })
  const claim = (priority: number, nonce: string) =>
    bed.store.claim({
      shares: heads.filter((head) => head.priority === priority).map(({ lane }) => ({ lane, n: 1 })),
      batch: 1,
      worker: 'w',
      nonce,
      leaseMs: 30_000,
      byteBudget: 1,
      now: NOW,
    })
  const [marked] = await claim(10, 'marked')
  const [zombie] = await claim(50, 'zombie')
  expect([zombie, marked].map((one) => one?.token)).toEqual([1, 1])
  await server.immediateStop()
  await server.start()
  // The claim that may skip the disk is gone; the one that marks a start is not.
  expect((await bed.reader.action(OF, 'act_1'))?.status).toBe('queued')
  expect((await bed.reader.action(OF, 'act_2'))?.status).toBe('running')
  const [next] = await claim(50, 'next')
  expect(next).toMatchObject({ id: 'act_1', token: 1, nonce: 'next' })
  const results = await bed.store.commit([
    { ...OF, at: NOW, settle: [settled(zombie!)] },
    { ...OF, at: NOW, settle: [settled(next!)] },
    { ...OF, at: NOW, settle: [settled(marked!)] },
  ])
  expect(results.map(({ status }) => status)).toEqual(['fenced', 'ok', 'ok'])
})

it('F21: commits asked for while the server is away are made when it is back, once', async () => {
  const bed = await patient()
  await bed.commit({ enqueue: [action('act_0')] })
  await server.immediateStop()
  const asked = [1, 2, 3].map((n) => bed.commit({ enqueue: [action(`act_${n}`)] }))
  const read = bed.reader.counts(OF)
  await server.start()
  expect((await Promise.all(asked)).map(({ status }) => status)).toEqual(['ok', 'ok', 'ok'])
  await read
  expect((await bed.reader.counts(OF)).actions.queued).toBe(4)
})

it('F20: a server that stays away is told as store_unavailable, and nothing is thrown elsewhere', async () => {
  const bed = await patient(50)
  await bed.commit({ enqueue: [action('act_0')] })
  await server.immediateStop()
  await expect(bed.commit({ enqueue: [action('act_1')] })).rejects.toMatchObject({
    code: 'store_unavailable',
  })
  await expect(bed.store.heads({})).rejects.toMatchObject({ code: 'store_unavailable' })
  await server.start()
  expect((await bed.commit({ enqueue: [action('act_1')] })).status).toBe('ok')
})

it('F20: a backend terminated in the middle of a commit: the whole is done again, once', async () => {
  const bed = await patient()
  await bed.commit({ advance: advance('x') })
  const other = await connected(bed.url)
  await other.query("begin; select from pawl.executions where id = 'x' for update")
  const waiting = bed.commit({
    deliver: [{ execution: 'x', event: { id: 'e', type: 't', payload: {}, at: NOW } }],
  })
  const waiter =
    "select pid from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()"
  const admin = await connected(bed.url)
  let pids: readonly { pid: number }[] = []
  while (pids.length === 0) pids = (await admin.query(waiter)).rows
  await admin.query('select pg_terminate_backend($1)', [pids[0]!.pid])
  await other.query('commit')
  expect((await waiting).status).toBe('ok')
  expect(await bed.store.inbox(['lease'], 9)).toHaveLength(1)
})

it.each([
  ['reply', 'read'],
  ['commit', 'read'],
  ['answers', 'read'],
  ['reply', 'unread'],
  ['commit', 'unread'],
  ['answers', 'unread'],
  ['reply', 'in one piece'],
  ['commit', 'in one piece'],
] as const)('F03: the %s of a commit is lost, %s: read back, never done twice', async (loss, way) => {
  const isDrawn = way !== 'read'
  const url = await createDatabase(server)
  const proxy = await startProxy(url)
  onTestFinished(proxy.close)
  const bed = await open({ url: proxy.url, awayMs: 10_000 })
  await bed.commit({ enqueue: [action('act_0')] })
  const [claim] = await claimAll(bed)
  // A connection opens its receipt with the first commit that is not read.
  if (way === 'in one piece') await bed.commit({ advance: advance('x', { isDrawn: true }) })
  proxy.arm(loss)
  // Done twice, the same enqueue would be a duplicate, the claim fenced, and the record would be there twice.
  const result = await bed.commit({
    settle: [settled(claim!)],
    enqueue: [{ ...action('act_1'), ...(isDrawn && { isDrawn }) }],
    record: [{ type: 'noted', at: NOW, data: { loss } }],
  })
  expect(proxy.hits()).toBe(1)
  expect(result.status).toBe('ok')
  // The backend whose COMMIT never came keeps its transaction until it sees that nobody is there.
  await caughtUp(bed)
  expect(await bed.reader.feed(OF, undefined, 9)).toHaveLength(1)
  expect((await bed.reader.counts(OF)).actions).toMatchObject({ queued: 1, running: 0, succeeded: 1 })
})

it.each(['reply', 'commit'] as const)(
  'F03: the %s is lost of a commit that others follow on its connection: each is read back, none is done twice',
  async (loss) => {
    const url = await createDatabase(server)
    const proxy = await startProxy(url)
    onTestFinished(proxy.close)
    const bed = await open({ url: proxy.url, awayMs: 10_000, ways: BEHIND })
    const enqueue = (id: string) =>
      bed.commit({
        enqueue: [{ ...action(id), isDrawn: true }],
        record: [{ type: 'noted', at: NOW, data: { id } }],
      })
    // The second opens the receipt of another connection, should the first still be under way.
    for (const id of ['act_a', 'act_b', 'act_c']) await enqueue(id)
    proxy.arm(loss)
    const asked: ReturnType<typeof enqueue>[] = []
    for (const id of ['act_1', 'act_2', 'act_3']) {
      asked.push(enqueue(id))
      await realTimers.turn()
    }
    expect((await Promise.all(asked)).map(({ status }) => status)).toEqual(['ok', 'ok', 'ok'])
    expect(proxy.hits()).toBe(1)
    await caughtUp(bed)
    expect(await bed.reader.feed(OF, undefined, 9)).toHaveLength(6)
    expect((await bed.reader.counts(OF)).actions.queued).toBe(6)
  },
)

it('F23: a server that may only be read is not written to, and is told as unavailable', async () => {
  const bed = await patient(50)
  const admin = await connected(bed.url)
  const database = new URL(bed.url).pathname.slice(1)
  // Waits until they are gone: one that has yet to heed the signal would still write.
  const others = `select pg_terminate_backend(pid, 60000) from pg_stat_activity where datname = '${database}' and pid <> pg_backend_pid()`
  await admin.query(`alter database ${database} set default_transaction_read_only = on`)
  await admin.query(others)
  await expect(bed.commit({ enqueue: [action('act_1')] })).rejects.toMatchObject({
    code: 'store_unavailable',
  })
  await admin.query(`set default_transaction_read_only = off`)
  await admin.query(`alter database ${database} set default_transaction_read_only = off`)
  await admin.query(others)
  expect((await bed.commit({ enqueue: [action('act_1')] })).status).toBe('ok')
})

it('another process is woken by a commit, also after its listening connection was lost', async () => {
  const bed = await patient()
  const other = await open({ url: bed.url })
  const heard: (readonly number[])[] = []
  let tell: () => void = () => undefined
  const next = (): Promise<void> =>
    new Promise((resolve) => {
      tell = resolve
    })
  other.store.wake(({ lanes }) => {
    heard.push(lanes)
    tell()
  })
  const admin = await connected(bed.url)
  // Idle: it listens from when the statement is over. One that was terminated is seen a moment longer.
  const listening = `select pid from pg_stat_activity where query = 'listen pawl' and state = 'idle'
    and datname = current_database() and pid <> $1`
  const listener = async (but = 0): Promise<number> => {
    for (;;) {
      const { rows } = await admin.query(listening, [but])
      if (rows[0] !== undefined) return rows[0].pid
    }
  }
  const first = await listener()
  let woken = next()
  await bed.commit({ enqueue: [action('act_1')] })
  await woken
  const [lane] = (await bed.store.heads({ now: NOW })).map((head) => head.lane)
  expect(heard).toEqual([[lane]])
  woken = next()
  await admin.query('select pg_terminate_backend($1)', [first])
  // It may have missed something: everything is looked at.
  await woken
  await listener(first)
  woken = next()
  await bed.commit({ enqueue: [action('act_2')] })
  await woken
  expect(heard.at(-1)).toEqual([lane])
  expect(await claimAll(other)).toHaveLength(2)
})

it('behind a pooler nothing is prepared, nothing is listened to, and all else works', async () => {
  const url = await createDatabase(server)
  const proxy = await startProxy(url, true)
  onTestFinished(proxy.close)
  const [direct, pooled] = [await open({ url }), await open({ url: proxy.url })]
  expect([direct.isPooled, pooled.isPooled]).toEqual([false, true])
  expect(pooled.warnings).toEqual([expect.stringMatching(/pooler/)])
  pooled.store.wake(() => undefined)
  await pooled.commit({ enqueue: [action('act_1')] })
  const [claim] = await claimAll(pooled)
  expect((await pooled.commit({ settle: [settled(claim!)] })).status).toBe('ok')
  const admin = await connected(url)
  const { rows } = await admin.query(
    "select 1 from pg_stat_activity where query = 'listen pawl' and datname = current_database()",
  )
  expect(rows).toEqual([])
})

it('F32: a server that may lose what it acknowledged is refused, unless that is accepted', async () => {
  const url = await createDatabase(server)
  const client = await connected(server.url)
  const set = async (value: string): Promise<void> => {
    await client.query(`alter system set full_page_writes = ${value}`)
    await client.query('select pg_reload_conf()')
    await expect
      .poll(async () => (await client.query('show full_page_writes')).rows[0])
      .toMatchObject({
        full_page_writes: value,
      })
  }
  await set('off')
  await expect(open({ url })).rejects.toMatchObject({ code: 'store_unsafe' })
  expect((await open({ url, acceptDataLoss: true })).warnings).toEqual([])
  await set('on')
  expect((await open({ url })).warnings).toEqual([])
})
