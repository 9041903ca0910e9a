// What commits of many tenants count on PostgreSQL: on a tally first, in the counters after a fold, and at every moment once. What a
// count means is the conformance suite's; here is seen where it is, and what becomes of it when folds meet, fail or never come.

import assert from 'node:assert/strict'
import pg from 'pg'
import { openPostgres } from '../../src/store/postgres/open.ts'
import { createCaller, type Statements } from '../../src/store/postgres/statements.ts'
import { action, NOW, OF } from '../../src/testing/store-conformance/members.ts'
import { type Arena, openArena } from './open-postgres.ts'
import { randomText, realTimers } from './real-timers.ts'

interface Ground extends Arena {
  /** One action of each of these tenants, in one commit of a store of its own. */
  readonly commit: (tenants: readonly string[]) => Promise<void>
  /** Waits for what that store folds. */
  readonly close: () => Promise<void>
  /** Over connections of their own. */
  readonly sql: Statements
  readonly other: pg.Client
}

const named = (count: number): readonly string[] => Array.from({ length: count }, (_, n) => `t${n}`)
const TENANTS = named(20)
const LONG_AGO = { doneBefore: 0, eventsBefore: 0, inboxBefore: 0, dedupBefore: 0 }

const talliesOf = async ({ query }: Ground): Promise<number> =>
  Number((await query('select count(*) as count from pawl.tallies'))[0]!['count'])

/** Of each as many, by those who read them for users. */
const counted = async ({ reader }: Ground, tenants: readonly string[], count: number): Promise<void> => {
  for (const tenant of tenants)
    assert.equal((await reader.counts({ ...OF, tenant })).actions.queued, count, tenant)
}

const fold = async ({ sql }: Pick<Ground, 'sql'>, limit = 100): Promise<number> =>
  (await sql.foldTallies<{ count: number }>({ limit })).rows[0]!.count

type Sum = readonly [namespace: string, tenant: string, name: string, bucket: number, value: number]

const furnish = async ({ query }: Ground, number: number, ...sums: readonly Sum[]): Promise<void> => {
  const column = (at: number): string => sums.map((sum) => `'${sum[at]}'`).join(',')
  await query(`insert into pawl.tallies (number, namespaces, tenants, names, buckets, amounts) overriding system value
    values (${number}, array[${column(0)}], array[${column(1)}], array[${column(2)}],
      array[${column(3)}]::bigint[], array[${column(4)}]::bigint[])`)
}

const SUMS: readonly Sum[] = [
  ['n', 't', 'a', 1, 5],
  ['n', 't', 'a', 7, 6],
  ['n', 't', 'b', 1, 9],
  ['n', 'u', 'a', 1, 11],
  ['o', 't', 'a', 1, 13],
]

const counters = async ({ query }: Ground): Promise<readonly string[]> =>
  (
    await query(
      `select namespace, tenant, name, bucket, sum(value) as value, count(*) as rows from pawl.counters
        where namespace in ('n', 'o') group by 1, 2, 3, 4 order by 1, 2, 3, 4`,
    )
  ).map((row) => Object.values(row).join(' '))

const CASES: Readonly<Record<string, (ground: Ground) => Promise<void>>> = {
  'what is counted for many tenants is one row, and counted before and after a fold': async (ground) => {
    await ground.commit(TENANTS)
    await ground.commit(TENANTS)
    assert.equal(await talliesOf(ground), 2)
    await counted(ground, TENANTS, 2)
    assert.equal(await fold(ground), 2)
    assert.equal(await talliesOf(ground), 0)
    await counted(ground, TENANTS, 2)
    assert.equal(await fold(ground), 0)
  },
  'what is counted for a few tenants is none': async (ground) => {
    await ground.commit(named(8))
    assert.equal(await talliesOf(ground), 0)
    await counted(ground, named(8), 1)
  },
  'in a transaction of the caller it is counted with its end': async (ground) => {
    const members = TENANTS.map((tenant) => ({ ...OF, tenant, at: NOW, enqueue: [action(`g ${tenant}`)] }))
    await ground.transact(async (commit) => {
      await commit(members)
      assert.equal(Number((await ground.other.query('select from pawl.tallies')).rowCount), 0)
    })
    assert.equal(await talliesOf(ground), 1)
    await counted(ground, TENANTS, 1)
  },
  'sums go to the counters by tenant, name and hour, and add to what is there': async (ground) => {
    await furnish(ground, 1, ...SUMS)
    await furnish(ground, 2, ...SUMS.toReversed())
    await fold(ground)
    const once = ['n t a 1 10 1', 'n t a 7 12 1', 'n t b 1 18 1', 'n u a 1 22 1', 'o t a 1 26 1']
    assert.deepEqual(await counters(ground), once)
    await furnish(ground, 3, ...SUMS)
    await fold(ground)
    const twice = ['n t a 1 15 1', 'n t a 7 18 1', 'n t b 1 27 1', 'n u a 1 33 1', 'o t a 1 39 1']
    assert.deepEqual(await counters(ground), twice)
  },
  'the oldest first, as many as are asked for': async (ground) => {
    for (const number of [3, 1, 2]) await furnish(ground, number, ['n', 't', 'a', 1, number])
    assert.equal(await fold(ground, 2), 2)
    assert.deepEqual(await counters(ground), ['n t a 1 3 1'])
    assert.equal(await talliesOf(ground), 1)
  },
  'whoever reads counts finds each by its own tenant and name': async (ground) => {
    await furnish(ground, 1, ...SUMS)
    await furnish(ground, 2, ...SUMS)
    const read = async (namespace: string, tenant: string) =>
      (await ground.sql.readCounters<{ name: string; value: number }>({ namespace, tenant })).rows
        .map(({ name, value }) => `${name} ${value}`)
        .toSorted()
    const all = { 'n t': ['a 22', 'b 18'], 'n u': ['a 22'], 'o t': ['a 26'], 'o u': [] }
    for (const moment of ['before', 'after']) {
      for (const [of, sums] of Object.entries(all)) {
        const [namespace, tenant] = of.split(' ') as [string, string]
        assert.deepEqual(await read(namespace, tenant), sums, `${of} ${moment}`)
      }
      await fold(ground)
    }
  },
  'whoever inspects finds what is on tallies': async (ground) => {
    await furnish(ground, 1, ...SUMS)
    await furnish(ground, 2, ['n', 't', 'a', 0, 1])
    const { inspectTenant, inspectCounters } = ground.sql
    const next = async (namespace: string, tenant: string) =>
      (await inspectTenant<{ namespace: string; tenant: string }>({ namespace, tenant })).rows.map(
        (row) => `${row.namespace} ${row.tenant}`,
      )
    assert.deepEqual(await next('m', ''), ['n t'])
    assert.deepEqual(await next('n', 't'), ['n u'])
    assert.deepEqual(await next('n', 'u'), ['o t'])
    assert.deepEqual(await next('o', 't'), [])
    const { rows } = await inspectCounters<{ name: string }>({ namespace: 'n', tenant: 't' })
    assert.deepEqual(
      rows.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
      [
        { name: 'a', value: 12, folded: true, since: 1 },
        { name: 'b', value: 9, folded: false, since: 1 },
      ],
    )
    assert.deepEqual((await inspectCounters({ namespace: 'o', tenant: 'u' })).rows, [])
  },
  'two folds beside each other count once': async (ground) => {
    for (let number = 1; number <= 40; number++) await furnish(ground, number, ...SUMS)
    const drain = async (sql: Statements): Promise<number> => {
      let folded = 0
      for (let count = 1; count > 0; folded += count) count = await fold({ sql }, 3)
      return folded
    }
    const [a, b] = await Promise.all([drain(ground.sql), drain(createCaller(ground.other).sql)])
    assert.equal(a + b, 40)
    assert.equal((await counters(ground))[0], 'n t a 1 200 1')
  },
  'a fold goes past what another one has in hand, and what that leaves is there': async (ground) => {
    await furnish(ground, 1, ...SUMS)
    await furnish(ground, 2, ['p', 't', 'a', 1, 1])
    await ground.other.query('begin')
    assert.equal(await fold(createCaller(ground.other), 1), 1)
    assert.equal(await fold(ground), 1)
    assert.equal((await ground.sql.readCounters({ namespace: 'n', tenant: 't' })).rows.length, 2)
    await ground.other.query('rollback')
    assert.equal(await talliesOf(ground), 1)
    assert.deepEqual(await counters(ground), [])
    assert.equal(await fold(ground), 1)
    assert.equal((await counters(ground)).length, 5)
  },
  'one whose process is ended loses nothing': async (ground) => {
    await furnish(ground, 1, ...SUMS)
    const { pid } = (await ground.other.query('select pg_backend_pid() as pid')).rows[0]
    await ground.other.query('begin')
    await fold(createCaller(ground.other))
    await ground.query(`select pg_terminate_backend(${pid}, 10000)`)
    assert.equal(await talliesOf(ground), 1)
    assert.equal(await fold(ground), 1)
    assert.equal((await counters(ground)).length, 5)
  },
  'while others commit it folds what is there, and each is counted': async (ground) => {
    let isOver = false
    const folding = (async () => {
      while (!isOver) await fold(ground, 5)
    })()
    for (let round = 0; round < 20; round++)
      await Promise.all([ground.commit(TENANTS), ground.commit(TENANTS), ground.commit(TENANTS)])
    isOver = true
    await folding
    await counted(ground, TENANTS, 60)
  },
  'after many a process folds what it wrote, and waits for that when it is closed': async (ground) => {
    for (let round = 0; round < 32; round++) {
      assert.equal(await talliesOf(ground), round)
      await ground.commit(TENANTS)
    }
    await ground.close()
    assert.equal(await talliesOf(ground), 0)
    await counted(ground, TENANTS, 32)
  },
  'what is left goes with the chores, a few at a time': async (ground) => {
    const { keeper } = ground
    for (let number = 1; number <= 3; number++) await furnish(ground, number, ...SUMS)
    assert.equal(await keeper.prune(LONG_AGO, 2), true)
    assert.equal(await talliesOf(ground), 1)
    // Fewer than it asked for: there are no more to come back for.
    assert.equal(await keeper.prune(LONG_AGO, 2), false)
    assert.equal(await talliesOf(ground), 0)
    assert.equal((await counters(ground))[0], 'n t a 1 15 1')
  },
}

export const TALLIES = Object.keys(CASES)

export const playTally = async (name: string): Promise<void> => {
  const arena = await openArena()
  const clients = [1, 2].map(() => new pg.Client({ connectionString: arena.url }))
  const [own, other] = clients as [pg.Client, pg.Client]
  // One is ended by the server.
  for (const client of clients) client.on('error', () => undefined)
  await Promise.all(clients.map((client) => client.connect()))
  const { store } = await openPostgres({ url: arena.url, random: randomText, timers: realTimers })
  let made = 0
  try {
    await CASES[name]!({
      ...arena,
      close: () => store.close(),
      commit: async (tenants) => {
        made += 1
        const id = made
        const members = tenants.map((tenant) => ({
          ...OF,
          tenant,
          at: NOW,
          enqueue: [{ ...action(`a${id} ${tenant}`), isDrawn: true as const }],
        }))
        for (const { status } of await store.commit(members)) assert.equal(status, 'ok')
      },
      sql: createCaller(own).sql,
      other,
    })
  } finally {
    await store.close()
    for (const client of clients) await client.end().catch(() => undefined)
    await arena.close()
  }
}
