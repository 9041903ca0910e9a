import { readFileSync } from 'node:fs'
import pg from 'pg'
import { expect, it, onTestFinished } from 'vitest'
import { statementsOf } from '../../../scripts/build-sql.ts'
import { action, advance, NOW, OF } from '../../../test/sqlite/members.ts'
import { open } from '../../../test/stores/postgres-bed.ts'
import { dumpSchema, SCHEMA_FILE } from '../../../test/stores/postgres-schema.ts'
import { createDatabase, useServer } from '../../../test/stores/postgres-server.ts'
import { migrations, sql } from './generated/sql.ts'

const connected = async (url: string): Promise<pg.Client> => {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  onTestFinished(() => client.end().catch(() => undefined))
  return client
}

it('schema.sql is the schema of a store that was opened', async () => {
  const { url } = await open()
  expect(await dumpSchema(url)).toBe(readFileSync(SCHEMA_FILE, 'utf8'))
})

it('every statement can be prepared, says what it is for, and is grouped with its table', async () => {
  const { url } = await open()
  const client = await connected(url)
  const statements = statementsOf('postgres')
  expect(statements.map(({ name }) => name)).toEqual(Object.keys(sql))
  for (const { name, text, purpose } of statements) {
    await expect(client.query(`prepare ${name} as ${text}`), name).resolves.toBeDefined()
    expect(purpose.length, name).toBeGreaterThan(10)
  }
})

it('two that open an empty database at once: one migrates, both work', async () => {
  const url = await createDatabase(await useServer())
  const [a, b] = await Promise.all([open({ url }), open({ url })])
  expect(a.store.id).toBe(b.store.id)
  expect((await a.commit({ enqueue: [action('act_1')] })).status).toBe('ok')
  expect((await b.reader.action(OF, 'act_1'))?.status).toBe('queued')
})

const next = {
  number: migrations.length + 1,
  name: 'next',
  breaking: false,
  checksum: 'c',
  text: 'create table pawl.more (id int)',
}

it.each([
  ['an older schema is not touched without being asked', [...migrations, next], {}, /older schema: next/],
  ['another content of a migration is noticed', [{ ...migrations[0], checksum: 'x' }], {}, /another base/],
  ['asked, it is brought up to date', [...migrations, next], { migrate: true }, undefined],
])('%s', async (_, given, options, refused) => {
  const { url } = await open()
  const opening = open({ url, migrations: given, ...options })
  if (refused === undefined) expect((await opening).warnings).toEqual([])
  else await expect(opening).rejects.toThrow(refused)
})

it('a newer schema is worked with, unless it says that it breaks', async () => {
  const { url } = await open({ migrations: [...migrations, next] })
  expect((await open({ url })).warnings).toEqual([expect.stringMatching(/newer Pawl/)])
  const client = await connected(url)
  await client.query("update pawl.migrations set breaking = true where name = 'next'")
  await expect(open({ url })).rejects.toMatchObject({ code: 'store_schema' })
})

it('a schema of that name that is not ours is left alone', async () => {
  const url = await createDatabase(await useServer())
  await (await connected(url)).query('create schema pawl; create table pawl.mine (id int)')
  await expect(open({ url })).rejects.toMatchObject({ code: 'store_foreign' })
})

it('I11: the reader role sees the rows of the tenant it names, and without a name none', async () => {
  const bed = await open()
  for (const tenant of ['acme', 'globex']) {
    const of = { ...OF, tenant }
    const moved = advance(`x_${tenant}`, {
      execution: { ...advance('x').execution, id: `x_${tenant}`, tenant },
      actions: [action(`act_${tenant}`), action(`skip_${tenant}`, { status: 'skipped' })],
      timers: [{ key: 'k', dueAt: NOW, event: { id: 't', type: 't', payload: {}, at: NOW } }],
      history: [{ type: 'execution.transitioned', at: NOW, data: {} }],
    })
    const result = await bed.commit({ ...of, advance: moved })
    expect(result.status).toBe('ok')
  }
  const client = await connected(bed.url)
  await client.query('set role pawl_reader')
  const seen = async (): Promise<readonly string[]> => {
    const tables = ['lanes', 'executions', 'actions', 'actions_done', 'events', 'timers', 'counters']
    const query = tables
      .map((table) => `select '${table} ' || tenant as row from pawl.${table}`)
      .join(' union ')
    return (await client.query(`${query} order by 1`)).rows.map(({ row }) => row)
  }
  expect(await seen()).toEqual([])
  await client.query(
    "select set_config('pawl.namespace', 'default', false), set_config('pawl.tenant', 'acme', false)",
  )
  const rows = await seen()
  expect(rows).toHaveLength(7)
  expect(rows.filter((row) => !row.endsWith(' acme'))).toEqual([])
  await expect(client.query('select * from pawl.store_meta')).rejects.toThrow(/permission denied/)
  await expect(client.query('select * from pawl.actions_done_rest')).rejects.toThrow(/permission denied/)
  await expect(client.query("update pawl.actions set tenant = 'x'")).rejects.toThrow(/permission denied/)
})
