// The tables of limits, bulk operations, alerts, tasks and the outbox, filled beside many-rows-postgres.ts: of each kind most
// rows are past and done, and few are what a process looks for.

export const TRIAGE_TABLES: readonly string[] = [
  'limits',
  'limit_places',
  'bulk_operations',
  'bulk_items',
  'alerts',
  'tasks',
  'outbox',
]

const ACTION = "'act_' || lpad(n::text, 9, '0')"

/** `of`: the namespace and tenant of row n. */
export const triageSeeds = (of: string, rows: number): readonly string[] => {
  const all = `from generate_series(1, ${rows}) n`
  return [
    `insert into pawl.limits (namespace, tenant, key, version, shut, idle_at, state)
      select ${of}, 'k' || n, 1, n % 1000 = 0, 1000000 + n, '{}' ${all}`,
    // A seventh has a place; of those that wait a few were called.
    `insert into pawl.limit_places (namespace, tenant, key, action, owner_namespace, owner_tenant, token, since, called_at,
        touched_at)
      select ${of}, 'k' || (n % 1000), ${ACTION}, ${of}, case when n % 7 = 0 then 1 end, n,
        case when n % 7 > 0 and n % 11 = 0 then n end, n ${all}`,
    // Those that have items ended last, but for a few: items go before their operation does.
    `insert into pawl.bulk_operations (namespace, tenant, id, status, revision, lease_until, created_at, updated_at, content)
      select ${of}, 'b' || n, case when n % 1000 = 3 then 'running' else 'completed' end, 1, 0, n,
        case when n between 10 and 1000 then ${rows} + n else n end, '{}' ${all}`,
    `insert into pawl.bulk_items (namespace, tenant, bulk, action, watched, status, at)
      select ${of}, 'b' || (n % 1000), ${ACTION}, case when n % 7 > 3 then ${ACTION} else 'old_' || lpad(n::text, 9, '0') end,
        case n % 7 when 0 then 'failed' when 1 then 'sent' when 4 then 'sent' else 'succeeded' end, n ${all}`,
    `insert into pawl.alerts (namespace, tenant, id, type, severity, cause, count, first_at, last_at, told_at,
        acknowledged_at, details)
      select ${of}, 'al' || n, 't', 's', 'c', 1, n, n, case when n % 1000 > 0 then n end,
        case when n % 1000 <> 3 then n end, '{}' ${all}`,
    `insert into pawl.tasks (namespace, tenant, id, status, told, execution, assignee, created_at, completed_at, task)
      select ${of}, 'task' || n, case when n % 1000 = 3 then 'open' else 'done' end, n % 1000 > 0, 'x' || n,
        'u' || (n % 1000), n, case when n % 1000 <> 3 then n end, '{}' ${all}`,
    `insert into pawl.outbox (namespace, tenant, id, at, type, action, entry)
      select ${of}, 'out' || n, n, 't', ${ACTION}, '{}' ${all}`,
  ]
}
