// A PostgreSQL store with many rows, made quickly: one statement per table. A few thousand actions run, as many as there
// are slots somewhere; some are dead or in review; the rest is queued. A hundred tenants share everything.

import type pg from 'pg'
import { TRIAGE_TABLES, triageSeeds } from './many-triage-postgres.ts'

const TENANTS = 100
/** As many as run at once, however many wait. */
export const RUNNING = 2000

const OF = `'n', 't' || (n % ${TENANTS} + 1)`
const NOW = '(select floor(extract(epoch from now()) * 1000)::bigint)'
const rowsOf = (rows: number): string => `from generate_series(1, ${rows}) n`

const SEEDS = (rows: number): readonly string[] => [
  `insert into pawl.lanes (namespace, tenant, type, priority)
    select 'n', 't' || n, 'mail', 50 ${rowsOf(TENANTS)}`,
  `insert into pawl.executions (namespace, tenant, id, kind, definition, definition_hash, status, state, revision,
      chain_number, chain_hash, created_at, updated_at, visits, pending, variables)
    select ${OF}, 'x' || n, 'machine', 'd' || (n % 10), 'h', 'active',
      case when n % 7 = 4 then 'scheduled' else 's' || (n % 7) end, 1, 1, 'h', n, n,
      '{}', '{}', '{}' ${rowsOf(rows)}`,
  `insert into pawl.executions (namespace, tenant, id, kind, definition, definition_hash, status, state, revision,
      chain_number, chain_hash, created_at, updated_at, visits, pending, variables)
    select ${OF}, 'y' || n, 'recurrence', 'pawl.recurrence', 'h', 'active', 'scheduled', 1, 1, 'h', n, n,
      '{}', '{}', '{}' ${rowsOf(rows / 100)}`,
  `insert into pawl.timers (namespace, tenant, execution, key, due_at, held, event)
    select ${OF}, 'y' || n, 'next/' || n, 1000000 + n, false, '{}' ${rowsOf(rows / 100)}`,
  `insert into pawl.occurrences (namespace, tenant, recurrence, at, fate, told_at, details)
    select ${OF}, 'y' || (n % 1000 + 1), n, case when n % 9 = 0 then 'skipped' else 'fired' end, n, '{}' ${rowsOf(rows)}`,
  `insert into pawl.actions (id, namespace, tenant, lane, execution, source_kind, source_id, status, standing, due_at, attempt, lost,
      reaps, token, nonce, lease_until, size, marked, cancel_requested, fingerprint, created_at, finished_at, plan)
    select 'act_' || lpad(n::text, 9, '0'), ${OF}, n % ${TENANTS} + 1, 'x' || n, 'machine', 'x' || n,
      case when n % ${rows / RUNNING} = 0 then 'running' when n % 40 = 1 then 'dead' when n % 40 = 2 then 'review'
        else 'queued' end,
      case when n % ${rows / RUNNING} = 0 then 'line' when n % 40 = 1 then 'dead' when n % 40 = 2 then 'review' else 'line' end,
      1000000 + n, 0, 0, 0, 1, 'nonce' || n, 1000000 + n, 300, false, false,
      case when n % 40 in (1, 2) then 'f' || (n % 3) end, n, n, '{"stepKey":"s","type":"mail"}' ${rowsOf(rows)}`,
  `insert into pawl.claims (sheet, look_at, actions)
    select id || '/1', lease_until, array[id] from pawl.actions where status = 'running'`,
  `insert into pawl.actions_done (id, namespace, tenant, lane, execution, source_kind, source_id, status, due_at, attempt,
      lost, reaps, token, size, created_at, finished_at, kept_from, plan)
    select 'old_' || lpad(n::text, 9, '0'), ${OF}, 1, 'x' || n, 'machine', 'x', 'succeeded', n, 1, 0, 0, 1,
      300, n, n, ${NOW} - ${rows} + n, '{}' ${rowsOf(rows)}`,
  `insert into pawl.events (namespace, tenant, execution, number, type, at, prev_hash, hash, data)
    select ${OF}, 'x' || n, 1, 'e', ${NOW} - ${rows} + n, 'p', 'h', '{}' ${rowsOf(rows)}`,
  `insert into pawl.inbox (namespace, tenant, execution, event_id, definition, held, received_at, applied_at, event)
    select ${OF}, 'x' || n, 'e', 'd' || (n % 10), false, n, case when n % 10 > 0 then n end, '{}' ${rowsOf(rows)}`,
  `insert into pawl.timers (namespace, tenant, execution, key, due_at, held, event)
    select ${OF}, 'x' || n, 'k', 1000000 + n, false, '{}' ${rowsOf(rows)}`,
  `insert into pawl.dedup (namespace, tenant, key, action, until)
    select ${OF}, 'k' || n, 'act_' || lpad(n::text, 9, '0'), n ${rowsOf(rows)}`,
  `insert into pawl.attempts (action, number, namespace, tenant, outcome, reason, started_at, ended_at, worker)
    select 'act_' || lpad(n::text, 9, '0'), 1, ${OF}, 'failed', 'retry', n, n, 'w' ${rowsOf(rows)}`,
  `insert into pawl.receipts (writer, number, at) select 'w' || n, 0, n ${rowsOf(rows)}`,
  `insert into pawl.tallies (namespaces, tenants, names, buckets, amounts)
    select array['n'], array['t' || n], array['actions.open'], array[n], array[1] ${rowsOf(rows)}`,
]

const GROWING = [
  'actions',
  'claims',
  'receipts',
  'tallies',
  'executions',
  'inbox',
  'timers',
  'dedup',
  'attempts',
  'occurrences',
]

/** So that nobody gathers statistics, nor has plans made anew. */
export const leaveUnswept = async (client: pg.Client): Promise<void> => {
  for (const table of [...GROWING, ...TRIAGE_TABLES])
    await client.query(`alter table pawl.${table} set (autovacuum_enabled = false)`)
}

export const fillMany = async (client: pg.Client, rows: number): Promise<void> => {
  for (const seed of [...SEEDS(rows), ...triageSeeds(OF, rows)]) await client.query(seed)
}
