-- name: findTimer
-- Is the timer still armed?
-- in: namespace, tenant, execution, key
-- index: primary key
select 1 as found from timers
where namespace = :namespace and tenant = :tenant and execution = :execution and key = :key;

-- name: upsertTimer
-- Arms a timer, or moves it.
-- in: namespace, tenant, execution, key, due_at, held, event
-- index: primary key
insert into timers (namespace, tenant, execution, key, due_at, held, event)
values (:namespace, :tenant, :execution, :key, :due_at, :held, :event)
on conflict (namespace, tenant, execution, key)
do update set due_at = excluded.due_at, held = excluded.held, event = excluded.event;

-- name: deleteTimer
-- Fired, or no longer wanted.
-- in: namespace, tenant, execution, key
-- index: primary key
delete from timers where namespace = :namespace and tenant = :tenant and execution = :execution and key = :key;

-- name: dueTimers
-- Timers whose time has come, oldest first, and whether their execution is gone.
-- in: now, limit
-- index: timers_due, primary key
select t.namespace, t.tenant, t.execution, t.key, t.due_at, t.event, (
  select 1 from executions e where e.namespace = t.namespace and e.tenant = t.tenant and e.id = t.execution
) as owned
from timers t where t.held = 0 and t.due_at <= :now order by t.due_at, t.execution, t.key limit :limit + 0;

-- name: holdTimer
-- Sets one row aside that cannot be read.
-- in: namespace, tenant, execution, key
-- index: primary key
update timers set held = 1
where namespace = :namespace and tenant = :tenant and execution = :execution and key = :key;

-- name: holdExecutionTimers
-- The timers of an execution stand still, or run again.
-- in: namespace, tenant, execution, held
-- index: primary key
update timers set held = :held where namespace = :namespace and tenant = :tenant and execution = :execution;

-- name: holdDefinitionTimers
-- The same for every paused execution of a definition.
-- in: namespace, tenant, definition
-- index: primary key, executions_definition
update timers set held = 1
where namespace = :namespace and tenant = :tenant and execution in (
  select id from executions indexed by executions_definition
  where namespace = :namespace and tenant = :tenant and definition = :definition and status = 'paused'
);

-- name: releaseDefinitionTimers
-- And back, for those that no longer stand still.
-- in: namespace, tenant, definition
-- index: primary key, executions_definition
update timers set held = 0
where namespace = :namespace and tenant = :tenant and execution in (
  select id from executions indexed by executions_definition
  where namespace = :namespace and tenant = :tenant and definition = :definition
    and status not in ('paused', 'failed')
);
