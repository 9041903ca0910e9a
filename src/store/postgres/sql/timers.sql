-- name: findTimers
-- Which of these timers are still armed?
-- in: namespaces, tenants, executions, keys
-- index: primary key
select t.namespace, t.tenant, t.execution, t.key
from unnest(:namespaces::text[], :tenants::text[], :executions::text[], :keys::text[])
  as k (namespace, tenant, execution, key)
cross join lateral (
  select * from pawl.timers
  where namespace = k.namespace and tenant = k.tenant and execution = k.execution and key = k.key offset 0
) t;

-- name: upsertTimers
-- Arms timers, or moves them.
-- in: namespace, tenant, execution, key, due_at, held, event
-- index: primary key
insert into pawl.timers (namespace, tenant, execution, key, due_at, held, event)
select namespace, tenant, execution, key, due_at, held, event
from unnest(:namespace::text[], :tenant::text[], :execution::text[], :key::text[], :due_at::bigint[], :held::boolean[],
  :event::json[]) as w (namespace, tenant, execution, key, due_at, held, event)
on conflict (namespace, tenant, execution, key)
do update set due_at = excluded.due_at, held = excluded.held, event = excluded.event;

-- name: fireTimers
-- Fired, each for the first time: unless all were armed, the whole is undone.
-- in: namespace, tenant, execution, key
-- index: primary key
with fired as (
  delete from pawl.timers t
  using unnest(:namespace::text[], :tenant::text[], :execution::text[], :key::text[])
    as w (namespace, tenant, execution, key)
  where t.namespace = w.namespace and t.tenant = w.tenant and t.execution = w.execution and t.key = w.key
  returning 1
)
select 1 / (count(*) = cardinality(:key::text[]))::int as whole from fired;

-- name: deleteTimers
-- No longer wanted.
-- in: namespace, tenant, execution, key
-- index: primary key
delete from pawl.timers t
using unnest(:namespace::text[], :tenant::text[], :execution::text[], :key::text[]) as w (namespace, tenant, execution, key)
where t.namespace = w.namespace and t.tenant = w.tenant and t.execution = w.execution and t.key = w.key;

-- name: dueTimers
-- Timers whose time has come, oldest first, and whether their execution is gone.
-- in: now, limit
-- index: timers_due, primary key
select t.namespace, t.tenant, t.execution, t.key, t.due_at, t.event, (
  select 1 from pawl.executions e where e.namespace = t.namespace and e.tenant = t.tenant and e.id = t.execution
) as owned
from pawl.timers t where not t.held and t.due_at <= coalesce(:now::bigint, pawl.clock_ms())
order by t.due_at, t.execution, t.key limit :limit;

-- name: holdExecutionTimers
-- The timers of executions stand still, or run again.
-- in: rows
-- index: primary key
update pawl.timers t set held = w.held
from json_to_recordset(:rows::json) as w (namespace text, tenant text, execution text, held boolean)
where t.namespace = w.namespace and t.tenant = w.tenant and t.execution = w.execution;

-- name: holdTimers
-- Sets rows aside that cannot be read.
-- in: rows
-- index: primary key
update pawl.timers t set held = true
from json_to_recordset(:rows::json) as w (namespace text, tenant text, execution text, key text)
where t.namespace = w.namespace and t.tenant = w.tenant and t.execution = w.execution and t.key = w.key;

-- name: holdDefinitionTimers
-- The same for every execution of a definition: held while it stands still.
-- in: namespace, tenant, definition
-- index: primary key, executions_definition
update pawl.timers t set held = (x.status in ('paused', 'failed'))
from pawl.executions x
where x.namespace = :namespace and x.tenant = :tenant and x.definition = :definition
  and t.namespace = x.namespace and t.tenant = x.tenant and t.execution = x.id;
