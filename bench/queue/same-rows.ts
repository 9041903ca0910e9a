// The ceiling: a program that writes the same rows into the same tables and is no engine. It decides nothing, checks nothing,
// fences nothing and serves one lane; what it leaves to reach is what the engine costs. Its rows are copies of rows that the
// engine wrote, so they are the same whatever the schema is; that they are as many, too, is asserted.

import { copying, type Ground, type Row, type Sql } from '../ground/ground.ts'
import { assertSameRows } from '../ground/row-counts.ts'
import { openPawl } from '../open-pawl.ts'
import { connectionsOf } from './bare.ts'
import { GROUP, type Program, queueOf } from './batching.ts'
import { createNoop } from './pawl.ts'
import type { Contender } from './queue.ts'

interface Samples {
  /** An action that waits, and is not due while the bench runs. */
  readonly live: Row
  /** One that succeeded. */
  readonly done: Row
}

const idOf = (n: number): string => `act_${String(n).padStart(26, '0')}`

const dispatchAll = async (store: string, count: number, delay?: '1d'): Promise<void> => {
  const { noop, onStart } = createNoop()
  const pawl = await openPawl({ store, runners: [noop] })
  let left = count
  const begun = new Promise<void>((resolve) =>
    onStart(() => {
      left -= 1
      if (left === 0) resolve()
    }),
  )
  for (let n = 0; n < count; n++) await pawl.dispatch(noop({ n }))
  if (delay !== undefined) await pawl.dispatch(noop({ n: count }), { delay })
  await pawl.work()
  await begun
  await pawl.close()
}

/** Makes the tables, the lane, and one row of each kind. */
const prepare = (store: string): Promise<void> => dispatchAll(store, 1, '1d')

const takeSamples = async (sql: Sql): Promise<Samples> => {
  const first = async (table: string): Promise<Row> =>
    (await sql.query(`select * from ${sql.table(table)}`))[0]!
  return { live: await first('actions'), done: await first('actions_done') }
}

const SHARD = 100

const bump = (sql: Sql, name: string, sign: '+' | '-', shard: number): string =>
  `update ${sql.table('counters')} set value = value ${sign} (select count(*) from ${sql.given})
   where name = '${name}' and shard = ${shard}`

const inserting = async (sql: Sql, { live }: Samples): Promise<Program['insert']> => {
  const write = await copying(sql, {
    table: 'actions',
    where: `id = '${live['id']}'`,
    source: sql.given,
    set: { id: 'k.id', source_id: 'k.id', due_at: sql.now, plan: sql.json('k.text') },
  })
  const insert = sql.transact(write, bump(sql, 'actions.open', '+', SHARD))
  const text = sql.text(live['plan'])
  return (ns) => insert(ns.map((n) => [idOf(n), text]))
}

/** What a success adds to a row; all else is as it was while it lived. */
const ENDED = new Set(['status', 'attempt', 'worker', 'started_at', 'finished_at', 'kept_from', 'result'])

/** Everything in a bench is one tenant's: without saying so no index serves, and each turn reads the whole history. */
export const OURS = `namespace = 'default' and tenant = 'default'`

/** The statements that take what is given out of the live rows and into the history. */
export const finishing = async (sql: Sql, done: Row): Promise<readonly string[]> => {
  const columns = await sql.columns('actions_done')
  const values = columns.map((name) => (ENDED.has(name) ? `d.${name}` : `a.${name}`))
  const [live, history] = [sql.table('actions'), sql.table('actions_done')]
  return [
    `insert into ${history} (${columns.join(', ')}) select ${values.join(', ')}
     from ${live} a, (select * from ${history} where ${OURS} and id = '${done['id']}') d
     where a.id in (select k.id from ${sql.given})`,
    `delete from ${live} where id in (select k.id from ${sql.given})`,
  ]
}

const turnOf = async (
  { kind }: Ground,
  sql: Sql,
  { live, done }: Samples,
  shard: number,
): Promise<Program['turns'][number]> => {
  const actions = sql.table('actions')
  const lock = kind === 'postgres' ? 'for update skip locked' : ''
  // Where what waits and what runs stand in one line, its index is found by naming that.
  const line = kind === 'postgres' ? `standing = 'line' and status = 'queued'` : `status = 'queued'`
  const due = `select id from ${actions} where lane = ${live['lane']} and ${line}
    and due_at <= ${sql.now} order by due_at, id limit ${GROUP} ${lock}`
  const inside = kind === 'postgres' ? `= any (array(${due}))` : `in (${due})`
  const step = sql.transact(
    ...(await finishing(sql, done)),
    bump(sql, 'actions.open', '-', shard),
    bump(sql, 'actions.succeeded', '+', shard),
    `update ${actions} set status = 'running', token = token + 1, nonce = 'a nonce', worker = 'a worker',
       lease_until = ${sql.now} + 30000 where id ${inside} returning id, plan`,
  )
  return async (ended) => (await step(ended.map((id) => [id, '']))).map((row) => String(row['id']))
}

const openProgram = async (ground: Ground, store: string): Promise<Program> => {
  const connections = await connectionsOf(ground, store)
  const [sql] = connections as readonly [Sql]
  const samples = await takeSamples(sql)
  // A row of counters for each writer, as the engine has it.
  await sql.query(
    await copying(sql, {
      table: 'counters',
      where: `name in ('actions.open', 'actions.succeeded') and shard =
        (select min(o.shard) from ${sql.table('counters')} o where o.name = counters.name)`,
      source: sql.series(0, connections.length - 1),
      set: { shard: `${SHARD} + n` },
    }),
  )
  const due = `select 1 from ${sql.table('actions')} where due_at <= ${sql.now} limit 1`
  return {
    insert: await inserting(sql, samples),
    turns: await Promise.all(
      connections.map((connection, index) => turnOf(ground, connection, samples, SHARD + index)),
    ),
    isDrained: async () => (await sql.query(due)).length === 0,
    close: async () => {
      for (const connection of connections) await connection.close()
    },
  }
}

const CHECKED = 20

/** Asserts first that the rows are the same. */
export const sameRowsQueue = async (ground: Ground): Promise<Contender> => {
  await assertSameRows(ground, {
    prepare,
    engine: (store) => dispatchAll(store, CHECKED),
    program: async (store) => {
      const { insert, turns, isDrained, close } = await openProgram(ground, store)
      await insert(Array.from({ length: CHECKED }, (_, n) => n))
      for (let taken: readonly string[] = []; !(await isDrained()); ) taken = await turns[0]!(taken)
      await close()
    },
  })
  return {
    label: 'the same rows, no engine',
    durable: ground.durable,
    open: async () => {
      const store = await ground.fresh()
      await prepare(store)
      const program = await openProgram(ground, store)
      const close = async (): Promise<void> => {
        await program.close()
        await ground.drop(store)
      }
      return queueOf({ ...program, close })
    },
  }
}
