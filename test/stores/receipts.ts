// How a PostgreSQL store knows what became of a commit that it sent in one piece: by the receipt it signs. What a commit means is the
// conformance suite's; here is seen what is signed, what is refused, and that who asks is told the truth for good.

import assert from 'node:assert/strict'
import pg from 'pg'
import { openPostgres } from '../../src/store/postgres/open.ts'
import { createCaller, type Statements } from '../../src/store/postgres/statements.ts'
import { action, NOW, OF } from '../../src/testing/store-conformance/members.ts'
import { SUMS } from './count-standoffs.ts'
import { type Arena, openArena } from './open-postgres.ts'
import { randomText, realTimers } from './real-timers.ts'

interface Ground extends Arena {
  /** So many commits by a store of its own, each by itself; nobody has told that one of a pause. */
  readonly commit: (count: number) => Promise<void>
  /** Over a connection of its own. */
  readonly sql: Statements
  /** Those that a case wrote down: of whom, the last number, and whether it is void. */
  readonly receipts: () => Promise<readonly string[]>
  /** How often the store has signed those that are not void. */
  readonly signed: () => Promise<number>
}

const DAY = 86_400_000
const NO_PAUSES: Readonly<Record<'namespaces' | 'tenants' | 'scopes' | 'values', readonly string[]>> = {
  namespaces: [],
  tenants: [],
  scopes: [],
  values: [],
}
/** What is signed by the statement that writes it: nothing. */
const NO_ACTIONS = {
  ...{ namespace: 'n', tenant: 't', lane: 1, marked: false },
  ...{ id: [], due_at: [], size: [], created_at: [], plan: [] },
}
const PAUSED = { namespaces: ['n'], tenants: ['t'], scopes: ['definition'], values: ['d'] }

/** Two that are alike, of which one is asked for. */
const furnish = ({ query }: Ground, counts = '[]') =>
  query(
    `insert into pawl.receipts (writer, number, at, counts) values ('v', 5, 1, '${counts}'), ('w', 5, 1, '${counts}')`,
  )

type Kept = readonly [namespace: string, tenant: string, value: number]

const countsOf = (...kept: readonly Kept[]): string =>
  JSON.stringify(kept.map(([namespace, tenant, value]) => [namespace, tenant, 'actions.open', 0, value]))

const keepCount = ({ query }: Ground, ...[namespace, tenant, value]: Kept) =>
  query(`insert into pawl.counters (namespace, tenant, name, bucket, shard, value)
    values ('${namespace}', '${tenant}', 'actions.open', 0, 1, ${value})`)

const counted = async ({ sql }: Ground, namespace: string, tenant: string): Promise<readonly number[]> =>
  (await sql.readCounters<{ value: number }>({ namespace, tenant })).rows.map(({ value }) => value)

const pause = ({ query }: Ground, scope: string) =>
  query(
    `insert into pawl.pauses (namespace, tenant, scope, value, reason, at) values ('n', 't', '${scope}', 'd', '', 1)`,
  )

const epochOf = async ({ query }: Ground): Promise<string> =>
  String((await query(`select value from pawl.store_meta where key = 'epoch'`))[0]!['value'])

type Signing = 'signReceipt' | 'signGuarded' | 'signAlike'

const signing = async (ground: Ground, by: Signing = 'signGuarded') => {
  const signature = {
    writer: 'w',
    number: 6,
    epoch: await epochOf(ground),
    counts: '[]',
    eager: false,
    ...NO_PAUSES,
    ...NO_ACTIONS,
  }
  const sign = (over: Partial<typeof signature> = {}) => ground.sql[by]({ ...signature, ...over })
  return {
    sign,
    refuses: async (over: Partial<typeof signature>) => {
      await assert.rejects(sign(over), { code: '22012' }, JSON.stringify(over))
    },
  }
}

type Case = (ground: Ground) => Promise<void>

const COUNTERS = 16 * 16

/** Whoever adds what stands on a receipt to the counters waits for the first of them with none of the others in hand. */
const meetsInOrder = async ({ query, isWaitedFor }: Ground, work: () => Promise<unknown>): Promise<void> => {
  await query(`insert into pawl.counters (namespace, tenant, name, bucket, shard, value)
    select namespace, tenant, name, bucket, shard, 0 ${SUMS} cross join generate_series(16, 31) shard`)
  await query(`insert into pawl.receipts (writer, number, at, counts)
    select 'w', 5, 1, json_agg(json_build_array(namespace, tenant, name, bucket, 1)
      order by namespace desc, tenant desc, name desc, bucket desc) ${SUMS}`)
  await query('begin')
  await query(
    `select from pawl.counters where namespace = 'm' and tenant = 't' and name = 'a' and bucket = 1 for update`,
  )
  let isOver = false
  const working = work().finally(() => {
    isOver = true
  })
  while (!isOver && !(await isWaitedFor()));
  const free = await query('select from pawl.counters for update skip locked')
  await query('commit')
  await working
  assert.equal(free.length, COUNTERS)
  const [row] = await query(`select sum(value)::int as sum from pawl.counters where namespace in ('m', 'n')`)
  assert.equal(row!['sum'], 16)
}

/** The same of each statement that signs. */
const byEach = (name: string, play: (ground: Ground, by: Signing) => Promise<void>) => ({
  [name]: (ground: Ground) => play(ground, 'signReceipt'),
  [`${name}, where it is guarded`]: (ground: Ground) => play(ground, 'signGuarded'),
  [`${name}, with what it signs for`]: (ground: Ground) => play(ground, 'signAlike'),
})

const CASES: Readonly<Record<string, Case>> = {
  'each commit that is sent in one piece signs the receipt of its connection': async ({ commit, signed }) => {
    await commit(40)
    const before = await signed()
    await commit(10)
    assert.equal(await signed(), before + 10)
  },
  'one that is void is left for another, and those of others stay': async (ground) => {
    const { commit, query, receipts, signed } = ground
    await commit(40)
    await query('update pawl.receipts set void = true')
    await furnish(ground)
    assert.equal(await signed(), 0)
    await commit(40)
    assert.ok((await signed()) > 0)
    assert.deepEqual(await receipts(), ['v 5 f', 'w 5 f'])
  },
  ...byEach('one more than the last is signed, once, and nobody else’s', async (ground, by) => {
    await furnish(ground)
    const { sign, refuses } = await signing(ground, by)
    for (const number of [5, 7]) await refuses({ number })
    await sign()
    assert.deepEqual(await ground.receipts(), ['v 5 f', 'w 6 f'])
    await refuses({})
    await refuses({ writer: 'nobody' })
  }),
  ...byEach('in another epoch nothing is signed', async (ground, by) => {
    await furnish(ground)
    const { refuses } = await signing(ground, by)
    await refuses({ epoch: 'another' })
    await refuses({ epoch: ground.store.id })
  }),
  ...byEach(
    'what was counted stands on what is signed, and adds to what is counted elsewhere',
    async (ground, by) => {
      await furnish(ground)
      const { sign } = await signing(ground, by)
      await sign({ counts: countsOf(['n', 't', 5], ['n', 'other', 7], ['other', 't', 11]) })
      await keepCount(ground, 'n', 't', 100)
      assert.deepEqual(await counted(ground, 'n', 't'), [105])
      assert.deepEqual(await counted(ground, 'n', 'other'), [7])
      assert.deepEqual(await counted(ground, 'other', 't'), [11])
      assert.deepEqual(await counted(ground, 'nobody', 't'), [])
    },
  ),
  'a receipt that goes leaves what stands on it to the counters, and those of others stay': async (
    ground,
  ) => {
    await furnish(ground, countsOf(['n', 't', 5], ['n', 'other', 7]))
    const places = async () =>
      (
        await ground.query(
          `select tenant, bucket, value from pawl.counters where namespace = 'n' order by tenant`,
        )
      ).map((row) => Object.values(row).join(' '))
    await ground.sql.openReceipt({ writer: 'a', old: 'w' })
    assert.deepEqual(await ground.receipts(), ['a 0 f', 'v 5 f'])
    assert.deepEqual(await places(), ['other 0 7', 't 0 5'])
    await ground.sql.openReceipt({ writer: 'b', old: 'v' })
    assert.deepEqual(await places(), ['other 0 14', 't 0 10'])
    await ground.sql.openReceipt({ writer: 'c', old: null })
    assert.deepEqual(await ground.receipts(), ['a 0 f', 'b 0 f', 'c 0 f'])
    assert.deepEqual(await counted(ground, 'n', 't'), [10])
  },
  'what commits in one piece have counted is what there is': async ({ commit, reader, query }) => {
    await commit(20)
    const { actions } = await reader.counts(OF)
    assert.equal(actions.queued, 20)
    const [row] = await query(`select count(*) as count from pawl.receipts where counts is not null`)
    assert.ok(Number(row!['count']) > 0)
  },
  'whoever inspects finds what stands on receipts': async (ground) => {
    await furnish(ground, countsOf(['n', 't', 5], ['p', 'q', 7]))
    await keepCount(ground, 'n', 'u', 1)
    const { inspectTenant, inspectCounters } = ground.sql
    const next = async (namespace: string, tenant: string) =>
      (await inspectTenant<{ namespace: string; tenant: string }>({ namespace, tenant })).rows.map(
        (row) => `${row.namespace} ${row.tenant}`,
      )
    assert.deepEqual(await next('m', ''), ['n t'])
    assert.deepEqual(await next('n', 't'), ['n u'])
    assert.deepEqual(await next('n', 'u'), ['p q'])
    assert.deepEqual((await inspectCounters({ namespace: 'n', tenant: 't' })).rows, [
      { name: 'actions.open', value: 10, folded: true, since: null },
    ])
    assert.deepEqual((await inspectCounters({ namespace: 'n', tenant: 'q' })).rows, [])
    assert.deepEqual((await inspectCounters({ namespace: 'p', tenant: 't' })).rows, [])
  },
  'what would be claimed at once waits while any tenant or type is paused': async (ground) => {
    await furnish(ground)
    const { sign, refuses } = await signing(ground)
    for (const scope of ['tenant', 'type']) {
      await pause(ground, scope)
      await refuses({ eager: true })
      await ground.query('delete from pawl.pauses')
    }
    await pause(ground, 'tenant')
    await sign()
    await ground.query('delete from pawl.pauses')
    await pause(ground, 'definition')
    await sign({ number: 7, eager: true })
  },
  'what is paused of what is asked for is refused, and nothing that is like it': async (ground) => {
    await furnish(ground)
    const { sign, refuses } = await signing(ground)
    await pause(ground, 'definition')
    await refuses(PAUSED)
    let number = 5
    for (const other of Object.keys(PAUSED)) {
      number += 1
      await sign({ ...PAUSED, number, [other]: ['other'] })
    }
  },
  ...byEach('who asks is told the last number, and nothing is signed after that', async (ground, by) => {
    await furnish(ground)
    const { refuses } = await signing(ground, by)
    const ask = async () => (await ground.sql.voidReceipt<{ number: number }>({ writer: 'w' })).rows
    assert.deepEqual(await ask(), [{ number: 5 }])
    assert.deepEqual(await ask(), [{ number: 5 }])
    assert.deepEqual(await ground.receipts(), ['v 5 f', 'w 5 t'])
    await refuses({})
    assert.deepEqual((await ground.sql.voidReceipt({ writer: 'nobody' })).rows, [])
  }),
  'while a commit that signs is under way, who asks is not told yet': async (ground) => {
    await furnish(ground)
    await ground.transact(async () => {
      await ground.query(`update pawl.receipts set number = 6 where writer = 'w'`)
      await assert.rejects(ground.sql.voidReceipt({ writer: 'w' }), { code: '55P03' })
    })
    const { rows } = await ground.sql.voidReceipt<{ number: number }>({ writer: 'w' })
    assert.deepEqual(rows, [{ number: 6 }])
  },
  'those that were not signed for a day go, a few at a time': async (ground) => {
    const { keeper, query, receipts } = ground
    await query(`insert into pawl.receipts (writer, number, at, counts)
      select writer, 5, pawl.clock_ms() - age, '${countsOf(['n', 't', 5], ['n', 'other', 7])}' from (values ('a', ${DAY + 60_000}), ('b', ${DAY + 60_000}), ('c', ${DAY - 60_000})) v (writer, age)`)
    const nothing = { doneBefore: 0, eventsBefore: 0, inboxBefore: 0, dedupBefore: 0 }
    await keeper.prune(nothing, 1)
    assert.equal((await receipts()).length, 2)
    await keeper.prune(nothing, 10)
    assert.deepEqual(await receipts(), ['c 5 f'])
    assert.deepEqual([await counted(ground, 'n', 't'), await counted(ground, 'n', 'other')], [[15], [21]])
    const rows = await query(`select tenant, value from pawl.counters where namespace = 'n' order by tenant`)
    assert.deepEqual(
      rows.map((row) => Object.values(row).join(' ')),
      ['other 14', 't 10'],
    )
  },
  'who opens another receipt meets the counters in one order': (ground) =>
    meetsInOrder(ground, () => ground.sql.openReceipt({ writer: 'a', old: 'w' })),
  'who prunes receipts meets the counters in one order': (ground) =>
    meetsInOrder(ground, () =>
      ground.keeper.prune({ doneBefore: 0, eventsBefore: 0, inboxBefore: 0, dedupBefore: 0 }, 99),
    ),
}

export const RECEIPTS = Object.keys(CASES)

export const playReceipt = async (name: string): Promise<void> => {
  const arena = await openArena()
  const client = new pg.Client({ connectionString: arena.url })
  await client.connect()
  const own = "writer in ('a', 'b', 'c', 'v', 'w')"
  await arena.query(`delete from pawl.receipts where ${own}`)
  const { store } = await openPostgres({ url: arena.url, random: randomText, timers: realTimers })
  let made = 0
  try {
    await CASES[name]!({
      ...arena,
      commit: async (count) => {
        for (const end = made + count; made < end; made++) {
          const enqueue = [{ ...action(`a${made}`), isDrawn: true as const }]
          assert.equal((await store.commit([{ ...OF, at: NOW, enqueue }]))[0]!.status, 'ok')
        }
      },
      sql: createCaller(client).sql,
      receipts: async () =>
        (await arena.query(`select * from pawl.receipts where ${own} order by writer`)).map(
          (row) => `${row['writer']} ${row['number']} ${row['void'] === true ? 't' : 'f'}`,
        ),
      signed: async () => {
        const [row] = await arena.query(
          `select coalesce(sum(number), 0) as sum from pawl.receipts where not void and not ${own}`,
        )
        return Number(row!['sum'])
      },
    })
  } finally {
    await store.close()
    await client.end()
    await arena.close()
  }
}
