// The bare ceiling: a queue of one narrow table with one index, and an archive. It keeps no plan, no history, no counters, no
// fence; nothing that does more than move a number can be faster on the same database.

import type { Ground, Sql } from '../ground/ground.ts'
import { GROUP, queueOf } from './batching.ts'
import type { Contender } from './queue.ts'

const TABLES = [
  `create table job (id text primary key, due bigint not null, lease bigint, payload text not null)`,
  `create index job_due on job (due, id) where lease is null`,
  `create table job_done (id text primary key, due bigint not null, payload text not null)`,
]

const turnOf = ({ kind }: Ground, sql: Sql) => {
  const lock = kind === 'postgres' ? 'for update skip locked' : ''
  const due = `select id from job where lease is null and due <= ${sql.now} order by due, id limit ${GROUP} ${lock}`
  const inside = kind === 'postgres' ? `= any (array(${due}))` : `in (${due})`
  const step = sql.transact(
    `insert into job_done (id, due, payload) select id, due, payload from job where id in (select k.id from ${sql.given})`,
    `delete from job where id in (select k.id from ${sql.given})`,
    `update job set lease = ${sql.now} + 30000 where id ${inside} returning id`,
  )
  return async (ended: readonly string[]): Promise<readonly string[]> =>
    (await step(ended.map((id) => [id, '']))).map((row) => String(row['id']))
}

/** Two turns at a time where the database can do two things at a time. */
export const connectionsOf = ({ kind, sql }: Ground, store: string): Promise<readonly Sql[]> =>
  Promise.all(Array.from({ length: kind === 'postgres' ? 2 : 1 }, () => sql(store)))

export const bareQueue = (ground: Ground): Contender => ({
  label: 'a bare queue, no engine',
  durable: ground.durable,
  open: async () => {
    const store = await ground.fresh()
    const connections = await connectionsOf(ground, store)
    const [sql] = connections as readonly [Sql]
    for (const text of TABLES) await sql.query(text)
    const insert = sql.transact(
      `insert into job (id, due, payload) select k.id, ${sql.now}, k.text from ${sql.given}`,
    )
    return queueOf({
      insert: (ns) => insert(ns.map((n) => [String(n).padStart(26, '0'), `{"n":${n}}`])),
      turns: connections.map((connection) => turnOf(ground, connection)),
      isDrained: async () => (await sql.query('select 1 from job limit 1')).length === 0,
      close: async () => {
        for (const connection of connections) await connection.close()
        await ground.drop(store)
      },
    })
  },
})
