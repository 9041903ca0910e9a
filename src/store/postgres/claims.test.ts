// How claims are written down: in place, and on sheets (test/stores/sheets.ts).

import pg from 'pg'
import { afterAll, expect, it, onTestFinished } from 'vitest'
import { action, NOW, OF } from '../../../test/sqlite/members.ts'
import { closePostgres } from '../../../test/stores/open-postgres.ts'
import { type Bed, open } from '../../../test/stores/postgres-bed.ts'
import { playSheet, SHEETS } from '../../../test/stores/sheets.ts'
import { FRESH } from './claimed.ts'
import { sql } from './generated/sql.ts'

const connected = async ({ url }: Bed): Promise<pg.Client> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  onTestFinished(() => client.end())
  return client
}

afterAll(closePostgres)

const LEASE = 30_000
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

it.each(['claimActions', 'claimedActions'] as const)(
  '%s tells the columns that are read by their places',
  async (name) => {
    const client = await connected(await open())
    const { text, params } = sql[name]
    const { fields } = await client.query(
      text,
      params.map((param) => (/^(lanes|shares|marks|passed|over)$/.test(param) ? [] : null)),
    )
    expect(fields.map((field) => field.name)).toEqual(FRESH.columns)
  },
)

it.each(SHEETS)('%s', playSheet)
