// Commands that work on a store itself, on both kinds of store.

import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { migrations as postgresMigrations } from '../../src/store/postgres/generated/sql.ts'
import { openPostgres } from '../../src/store/postgres/open.ts'
import { migrations as sqliteMigrations } from '../../src/store/sqlite/generated/sql.ts'
import { openSqlite } from '../../src/store/sqlite/open.ts'
import { createDatabase, releaseServer, useServer } from '../stores/postgres-server.ts'
import { randomText, realTimers } from '../stores/real-timers.ts'
import { folder, pawl } from './spawn.ts'

interface Kind {
  readonly name: string
  /** A place where nothing is yet. */
  readonly fresh: () => Promise<string>
  /** Makes a store there as an older version did: without its last migration. */
  readonly makeOlder: (url: string) => Promise<void>
  readonly last: string
}

const given = { random: randomText, timers: realTimers }

const KINDS: readonly Kind[] = [
  {
    name: 'SQLite',
    fresh: async () => `sqlite:${join(folder(), 'pawl.db')}`,
    makeOlder: async (url) => {
      const older = { ...given, migrations: sqliteMigrations.slice(0, -1) }
      await (await openSqlite({ file: url.slice('sqlite:'.length), ...older })).store.close()
    },
    last: sqliteMigrations.at(-1)!.name,
  },
  {
    name: 'PostgreSQL',
    fresh: async () => createDatabase(await useServer()),
    makeOlder: async (url) => {
      const older = { ...given, migrations: postgresMigrations.slice(0, -1) }
      await (await openPostgres({ url, ...older })).store.close()
    },
    last: postgresMigrations.at(-1)!.name,
  },
]
afterAll(releaseServer)

describe.each(KINDS)('$name', ({ name, fresh, makeOlder, last }) => {
  let store = ''
  beforeAll(async () => {
    store = await fresh()
  })
  const on = (...args: readonly string[]) => pawl([...args, '--store', store])

  it('migrate --dry-run says what it would make, and makes nothing', async () => {
    const dry = await on('migrate', '--dry-run', '--json')
    expect(JSON.parse(dry.stdout)).toMatchObject({
      isNew: true,
      missing: expect.arrayContaining(['base', last]),
    })
    expect(JSON.parse((await on('migrate', '--dry-run', '--json')).stdout).isNew).toBe(true)
  })

  it('migrate makes a store, and then has nothing to do', async () => {
    const made = await on('migrate')
    expect([made.code, made.stdout]).toEqual([0, expect.stringContaining(`(${name} `)])
    expect(made.stdout).toContain('applied base')
    expect((await on('migrate')).stdout).toContain('nothing to apply')
  })

  it('verify finds it sound, and doctor finds it well', async () => {
    const verified = await on('verify', '--json', 'isSound,findings')
    expect([verified.code, JSON.parse(verified.stdout)]).toEqual([0, { isSound: true, findings: [] }])
    const checked = JSON.parse((await on('doctor', '--json', 'name,status')).stdout) as object[]
    for (const check of ['store', 'schema', 'durability', 'clock'])
      expect(checked).toContainEqual({ name: check, status: 'ok' })
  })

  it('status and executions speak to the store without a server', async () => {
    const [status, executions] = await Promise.all([on('status'), on('executions', 'list', '--json')])
    expect([status.code, status.stdout]).toEqual([0, expect.stringContaining('nothing needs you')])
    expect([executions.code, JSON.parse(executions.stdout)]).toEqual([0, []])
  })

  it('what an older version made is refused with the command, which then works', async () => {
    const older = await fresh()
    await makeOlder(older)
    const refused = await pawl(['verify', '--store', older])
    expect([refused.code, refused.stdout]).toEqual([78, ''])
    expect(refused.stderr).toContain(`has an older schema: ${last} to apply`)
    expect(refused.stderr).toContain('npx pawl migrate --store')
    const checked = await pawl(['doctor', '--store', older])
    expect([checked.code, checked.stdout]).toEqual([1, expect.stringContaining('pawl migrate --store')])
    expect((await pawl(['migrate', '--store', older])).stdout).toContain(`applied ${last}`)
    expect((await pawl(['verify', '--store', older])).code).toBe(0)
  })
})

it('verify of a store that was tampered with ends with 1 and names what is wrong', async () => {
  const store = await createDatabase(await useServer())
  await pawl(['migrate', '--store', store])
  const client = new pg.Client({ connectionString: store })
  await client.connect()
  await client.query(
    `insert into pawl.counters (namespace, tenant, name, bucket, shard, value) values ('n', 't', 'actions.dead', 0, 0, 3)`,
  )
  await client.end()
  const { code, stdout } = await pawl(['verify', '--store', store])
  expect(code).toBe(1)
  expect(stdout).toMatch(/✕ I\d+ \S+ [\s\S]*expected [\s\S]*found [\s\S]*✕ not sound/)
})
