// A store with many rows, made quickly: one recursive query per table. A tenth of the actions is running, dead or in
// review; the rest is queued, half of it due; tenants share lanes as they would.

import type { DatabaseSync } from 'node:sqlite'

const TENANTS = 50
const LANES = 4 * TENANTS

const numbers = (rows: number): string =>
  `with recursive n (i) as (select 1 union all select i + 1 from n where i < ${rows})`

const OF_ROW = `'default', 't' || (i % ${TENANTS})`
const PLAN = `'00000000{"name":"notify","type":"notify","config":{"to":"ada"}}'`

const FILL = (rows: number): readonly string[] => [
  `${numbers(LANES)} insert into lanes (namespace, tenant, type, priority) select ${OF_ROW}, 'type' || (i / ${TENANTS}), 50 from n`,
  `${numbers(rows)} insert into actions (id, namespace, tenant, lane, execution, source_kind, source_id, status, due_at, attempt,
     lost, reaps, token, nonce, worker, lease_until, size, cancel_requested, dedup_key, fingerprint, created_at, finished_at, plan)
   select printf('act_%012d', i), ${OF_ROW}, 1 + i % ${LANES}, 'x' || (i / 3), 'machine', 'lease',
     case when i % 100 < 3 then 'running' when i % 100 < 8 then 'dead' when i % 100 < 10 then 'review' else 'queued' end,
     case when i % 2 = 0 then i else 1000000000 + i end, 0, 0, 0, 1, 'nonce', 'w', i, 500, 0, null, 'f' || (i % 7), i, i, ${PLAN}
   from n`,
  `${numbers(rows)} insert into actions_done (id, namespace, tenant, lane, execution, source_kind, source_id, status, due_at,
     attempt, lost, reaps, token, size, created_at, finished_at, plan)
   select printf('act_%012d', i + ${rows}), ${OF_ROW}, 1 + i % ${LANES}, 'x' || (i / 3), 'machine', 'lease', 'succeeded', i,
     1, 0, 0, 1, 500, i, i, ${PLAN} from n`,
  `${numbers(rows / 2)} insert into executions (namespace, tenant, id, kind, definition, definition_hash, status, state,
     revision, chain_number, chain_hash, created_at, updated_at, visits, pending, variables)
   select ${OF_ROW}, 'x' || i, 'machine', 'd' || (i % 20), 'h', case when i % 10 = 0 then 'active' else 'completed' end,
     's' || (i % 5), 1, 1, 'h', i, i, '', '', '' from n`,
  `${numbers(rows / 100)} insert into executions (namespace, tenant, id, kind, definition, definition_hash, status, state,
     revision, chain_number, chain_hash, created_at, updated_at, visits, pending, variables)
   select ${OF_ROW}, 'r' || i, 'recurrence', 'pawl.recurrence', 'h', 'active', 's1', 1, 1, 'h', i, i, '', '', '' from n`,
  `${numbers(rows)} insert into events (namespace, tenant, execution, number, type, at, prev_hash, hash, data)
   select ${OF_ROW}, 'x' || (i % ${Math.ceil(rows / 4)}), i, 'execution.transitioned', i, 'p', 'h', '' from n`,
  `${numbers(rows)} insert into inbox (namespace, tenant, execution, event_id, definition, held, received_at, applied_at, event)
   select ${OF_ROW}, 'x' || (i / 5), 'e' || i, 'd' || (i % 20), i % 11 = 0, i, case when i % 50 = 0 then null else i end, '' from n`,
  `${numbers(rows)} insert into timers (namespace, tenant, execution, key, due_at, held, event)
   select ${OF_ROW}, 'x' || (i / 2), 't' || i, i, i % 11 = 0, '' from n`,
  `${numbers(rows / 2)} insert into dedup (namespace, tenant, key, action, until)
   select ${OF_ROW}, 'k' || i, 'act', case when i % 2 = 0 then i end from n`,
  `${numbers(rows / 5)} insert into attempts (action, number, namespace, tenant, outcome, reason, started_at, ended_at, worker)
   select printf('act_%012d', i), 1, ${OF_ROW}, 'failed', 'retry', i, i, 'w' from n`,
]

export const fillMany = (db: DatabaseSync, rows: number): void => {
  db.exec('pragma synchronous = off; begin')
  for (const statement of FILL(rows)) db.exec(statement)
  db.exec('commit')
}
