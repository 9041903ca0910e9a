-- name: findInbox
-- Is this event known to the execution, and was it applied?
-- in: namespace, tenant, execution, event_id
-- index: primary key
select seq, applied_at from inbox
where namespace = :namespace and tenant = :tenant and execution = :execution and event_id = :event_id;

-- name: insertInbox
-- An event that waits, or the id of one that was applied at once.
-- in: namespace, tenant, execution, event_id, definition, held, received_at, applied_at, event
-- index: primary key
insert into inbox (namespace, tenant, execution, event_id, definition, held, received_at, applied_at, event)
values (:namespace, :tenant, :execution, :event_id, :definition, :held, :received_at, :applied_at, :event)
on conflict (namespace, tenant, execution, event_id) do nothing;

-- name: applyInbox
-- Applied: only its id is still needed.
-- in: namespace, tenant, execution, event_id, at
-- index: primary key
update inbox set applied_at = :at, event = null
where namespace = :namespace and tenant = :tenant and execution = :execution and event_id = :event_id
  and applied_at is null;

-- name: waitingEvents
-- Events of one definition that nobody has applied, in order, behind one that was read before.
-- in: definition, after, limit
-- index: inbox_waiting
select seq, namespace, tenant, execution, event_id, definition, event from inbox
where definition = :definition and applied_at is null and held = 0 and seq > :after order by seq limit :limit + 0;

-- name: eventsFor
-- The first events of one execution that nobody has applied, held or not.
-- in: namespace, tenant, execution, limit
-- index: inbox_execution
select seq, namespace, tenant, execution, event_id, definition, event from inbox
where namespace = :namespace and tenant = :tenant and execution = :execution and applied_at is null
order by seq limit :limit + 0;

-- name: waitingDefinitions
-- Every definition with events that wait, and the tenancy of the oldest of them. Jumps from one to the next, so it costs
-- how many definitions there are and not how many events.
-- in: nothing
-- index: inbox_waiting
with recursive busy (definition) as (
  select min(definition) from inbox where applied_at is null and held = 0
  union all
  select (select min(i.definition) from inbox i
    where i.applied_at is null and i.held = 0 and i.definition > busy.definition)
  from busy where busy.definition is not null
)
select i.namespace, i.tenant, i.definition
from busy join inbox i on i.seq = (
  select o.seq from inbox o
  where o.definition = busy.definition and o.applied_at is null and o.held = 0 order by o.seq limit 1
);

-- name: holdEvent
-- Sets one row aside that cannot be read.
-- in: seq
-- index: primary key
update inbox set held = 1 where seq = :seq;

-- name: holdExecutionEvents
-- What waits for an execution waits on, or no longer.
-- in: namespace, tenant, execution, held
-- index: inbox_execution
update inbox set held = :held
where namespace = :namespace and tenant = :tenant and execution = :execution and applied_at is null;

-- name: holdDefinitionEvents
-- The same for every paused execution of a definition.
-- in: namespace, tenant, definition
-- index: inbox_execution, executions_definition
update inbox set held = 1
where namespace = :namespace and tenant = :tenant and applied_at is null and execution in (
  select id from executions indexed by executions_definition
  where namespace = :namespace and tenant = :tenant and definition = :definition and status = 'paused'
);

-- name: releaseDefinitionEvents
-- And back, for those that no longer stand still.
-- in: namespace, tenant, definition
-- index: inbox_execution, executions_definition
update inbox set held = 0
where namespace = :namespace and tenant = :tenant and applied_at is null and execution in (
  select id from executions indexed by executions_definition
  where namespace = :namespace and tenant = :tenant and definition = :definition
    and status not in ('paused', 'failed')
);

-- name: pruneInbox
-- Ids of events applied long ago.
-- in: before, limit
-- index: inbox_applied
delete from inbox where seq in (
  select seq from inbox where applied_at is not null and applied_at < :before order by applied_at limit :limit
);
