// How claims are written down: in place, on sheets that are looked at when a lease on them runs out.

import pg from 'pg'
import { expect, it, onTestFinished } from 'vitest'
import { action, NOW, OF, settled } from '../../../test/sqlite/members.ts'
import { type Bed, claimAll, open } from '../../../test/stores/postgres-bed.ts'
import { sql } from './generated/sql.ts'

const connected = async ({ url }: Bed): Promise<pg.Client> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  onTestFinished(() => client.end())
  return client
}

interface Written {
  readonly sheet: string
  readonly look_at: number
  readonly actions: readonly string[]
}

const sheetsOf = async (client: pg.Client): Promise<readonly Written[]> => {
  const { rows } = await client.query('select * from pawl.claims order by sheet')
  return rows.map((row) => ({ ...row, look_at: Number(row.look_at), actions: row.actions.toSorted() }))
}

const LEASE = 30_000
const claimed = (id: string, leaseMs = LEASE) => ({
  ...action(id),
  claim: { worker: 'w1', nonce: `nonce of ${id}`, leaseMs },
})
const settling = (claim: Parameters<typeof settled>[0]) => ({ settle: [settled(claim)] })

it('a claim changes rows where they lie: no index is written', async () => {
  const bed = await open()
  await bed.store.commit([
    { ...OF, at: NOW, enqueue: Array.from({ length: 300 }, (_, n) => action(`act_${1000 + n}`)) },
  ])
  const client = await connected(bed)
  const { rows: lanes } = await client.query('select lane from pawl.lanes')
  const given: Readonly<Record<string, unknown>> = {
    lanes: [lanes[0].lane],
    shares: [300],
    marks: [-1],
    passed: [''],
    now: NOW,
    batch: 300,
    budget: 1e9,
    lease_ms: LEASE,
    nonce: 'n',
    worker: 'w',
    lease: NOW,
    over: [],
  }
  await client.query('begin')
  const { text, params } = sql.claimActions
  const { rowCount } = await client.query(
    text,
    params.map((param) => given[param]),
  )
  const { rows } = await client.query(
    `select n_tup_upd::int as updated, n_tup_hot_upd::int as in_place from pg_stat_xact_user_tables where relname = 'actions'`,
  )
  await client.query('rollback')
  expect(rowCount).toBe(300)
  expect(rows).toEqual([{ updated: 300, in_place: 300 }])
})

it('what was claimed together is on one sheet, which goes with the next claim once all of it is over', async () => {
  const bed = await open()
  const client = await connected(bed)
  await bed.commit({ enqueue: [action('act_2'), action('act_1')] })
  const [first, second] = (await claimAll(bed)).toSorted((a, b) => (a.id < b.id ? -1 : 1))
  const sheet = { sheet: 'act_1/1', look_at: NOW + LEASE, actions: ['act_1', 'act_2'] }
  expect(await sheetsOf(client)).toEqual([sheet])
  await bed.commit(settling(first!))
  await bed.commit({ enqueue: [action('act_3')] })
  await claimAll(bed, 'another nonce')
  expect(await sheetsOf(client)).toEqual([sheet, { ...sheet, sheet: 'act_3/1', actions: ['act_3'] }])
  await bed.commit(settling(second!))
  await bed.commit({ enqueue: [action('act_4')] })
  await claimAll(bed, 'a third nonce')
  expect((await sheetsOf(client)).map((one) => one.sheet)).toEqual(['act_3/1', 'act_4/1'])
})

it('what is born claimed is on a sheet of its own, looked at when the first of its leases runs out', async () => {
  const bed = await open()
  const client = await connected(bed)
  await bed.store.commit([
    { ...OF, at: NOW, lease: NOW, enqueue: [claimed('act_2', 5000), action('act_0')] },
    { ...OF, at: NOW, lease: NOW, enqueue: [claimed('act_1')] },
  ])
  expect(await sheetsOf(client)).toEqual([
    { sheet: 'act_1/1', look_at: NOW + 5000, actions: ['act_1', 'act_2'] },
  ])
  expect((await bed.reader.counts(OF)).actions).toMatchObject({ queued: 1, running: 2 })
})

it('born claimed without a clock given, its lease runs by the database’s', async () => {
  const bed = await open()
  const client = await connected(bed)
  await bed.commit({ enqueue: [claimed('act_1', 5000)] })
  const { rows } = await client.query(
    `select c.look_at = a.lease_until as agrees, a.lease_until - pawl.clock_ms() between 0 and 5000 as is_so
     from pawl.claims c, pawl.actions a`,
  )
  expect(rows).toEqual([{ agrees: true, is_so: true }])
})

it('a sheet whose time has come is given another when a lease on it was extended, and goes when nothing on it runs', async () => {
  const bed = await open()
  const client = await connected(bed)
  await bed.commit({ lease: NOW, enqueue: [claimed('act_1'), claimed('act_2')] })
  const claims = ['act_1', 'act_2'].map((id) => ({ id, token: 1, nonce: `nonce of ${id}` }))
  await bed.store.extend(claims, LEASE, { lease: NOW + 20_000 })
  await bed.store.extend([claims[0]!], LEASE, { lease: NOW + 25_000 })
  expect(await bed.store.reap(10, { lease: NOW + LEASE })).toEqual([])
  expect((await sheetsOf(client))[0]?.look_at).toBe(NOW + 50_000)
  // Over, and not by whoever wrote the sheet: another process has ended them.
  const other = await open({ url: bed.url })
  for (const claim of claims) await other.commit(settling(claim))
  expect(await bed.store.reap(10, { lease: NOW + 49_999 })).toEqual([])
  expect(await sheetsOf(client)).toHaveLength(1)
  expect(await bed.store.reap(10, { lease: NOW + 50_000 })).toEqual([])
  expect(await sheetsOf(client)).toEqual([])
})

it('a lease that has run out is found by its sheet, as often as it is looked for', async () => {
  const bed = await open()
  const client = await connected(bed)
  await bed.commit({ lease: NOW, enqueue: [claimed('act_1', 1000), claimed('act_2', 2000)] })
  for (let times = 0; times < 2; times++)
    expect((await bed.store.reap(10, { lease: NOW + 1500 })).map(({ id }) => id)).toEqual(['act_1'])
  expect((await bed.store.reap(10, { lease: NOW + 2000 })).map(({ id }) => id)).toEqual(['act_1', 'act_2'])
  expect((await bed.store.reap(1, { lease: NOW + 2000 })).map(({ id }) => id)).toEqual(['act_1'])
  expect(await sheetsOf(client)).toHaveLength(1)
})

it('in a new epoch every sheet is looked at at once, and none is put off again', async () => {
  const bed = await open()
  const client = await connected(bed)
  await bed.commit({ lease: NOW, enqueue: [claimed('act_1')] })
  await bed.keeper.newEpoch()
  expect(await sheetsOf(client)).toMatchObject([{ look_at: 0 }])
  expect((await bed.store.reap(10, { lease: NOW })).map(({ id }) => id)).toEqual(['act_1'])
  await client.query('update pawl.actions set lease_until = $1', [NOW + LEASE])
  await bed.store.reap(10, { lease: NOW })
  expect(await sheetsOf(client)).toMatchObject([{ look_at: 0 }])
})

it('an action that comes again under its old id, before its sheet was struck out, is on it', async () => {
  const bed = await open()
  const client = await connected(bed)
  await client.query(`insert into pawl.claims values ('act_1/1', ${NOW}, '{act_1,act_9}')`)
  await bed.commit({ lease: NOW, enqueue: [claimed('act_1')] })
  expect(await sheetsOf(client)).toEqual([
    { sheet: 'act_1/1', look_at: NOW + LEASE, actions: ['act_1', 'act_1', 'act_9'] },
  ])
})

it.each(['queued', 'dead', 'review'])(
  'a row that is %s stands where that is, whatever writes it',
  async (status) => {
    const bed = await open()
    const client = await connected(bed)
    await bed.commit({ enqueue: [action('act_1')] })
    const standing = status === 'queued' ? null : 'line'
    await expect(
      client.query('update pawl.actions set status = $1, standing = $2', [status, standing]),
    ).rejects.toThrow(/violates check constraint/)
  },
)
