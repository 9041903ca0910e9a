-- name: findInbox
-- Which of these events are known to their executions, and were they applied?
-- in: namespaces, tenants, executions, events
-- index: primary key
select i.namespace, i.tenant, i.execution, i.event_id, i.applied_at is not null as applied
from unnest(:namespaces::text[], :tenants::text[], :executions::text[], :events::text[])
  as k (namespace, tenant, execution, event_id)
cross join lateral (
  select * from pawl.inbox
  where namespace = k.namespace and tenant = k.tenant and execution = k.execution and event_id = k.event_id offset 0
) i;

-- name: insertInbox
-- Events that wait, or the ids of those that were applied at once. One that is known undoes the whole.
-- in: namespace, tenant, execution, event_id, definition, held, received_at, applied_at, event
-- index: primary key
insert into pawl.inbox (namespace, tenant, execution, event_id, definition, held, received_at, applied_at, event)
select namespace, tenant, execution, event_id, definition, held, received_at, applied_at, event
from unnest(:namespace::text[], :tenant::text[], :execution::text[], :event_id::text[], :definition::text[], :held::boolean[],
  :received_at::bigint[], :applied_at::bigint[], :event::json[])
  as w (namespace, tenant, execution, event_id, definition, held, received_at, applied_at, event);

-- name: applyInbox
-- Applied: only the ids are still needed. Unless each of them waited, the whole is undone. Asked for plainly, that it
-- waited would offer indexes of what waits beside the key.
-- in: namespace, tenant, execution, event_id, applied_at
-- index: primary key
with applied as (
  update pawl.inbox i set applied_at = w.applied_at, event = null
  from unnest(:namespace::text[], :tenant::text[], :execution::text[], :event_id::text[], :applied_at::bigint[])
    as w (namespace, tenant, execution, event_id, applied_at)
  where i.namespace = w.namespace and i.tenant = w.tenant and i.execution = w.execution and i.event_id = w.event_id
    and coalesce(i.applied_at, -1) = -1
  returning 1
)
select 1 / (count(*) = cardinality(:event_id::text[]))::int as whole from applied;

-- name: waitingEvents
-- Events of some definitions that nobody has applied, in order, behind one that was read before.
-- in: definitions, after, limit
-- index: inbox_waiting
select i.seq, i.namespace, i.tenant, i.execution, i.event_id, i.definition, i.event
from unnest(:definitions::text[]) as k (definition)
cross join lateral (
  select * from pawl.inbox
  where definition = k.definition and applied_at is null and not held and seq > :after order by seq limit :limit
) i
order by i.seq limit :limit;

-- name: eventsFor
-- The first events of one execution that nobody has applied, held or not.
-- in: namespace, tenant, execution, limit
-- index: inbox_execution
select seq, namespace, tenant, execution, event_id, definition, event from pawl.inbox
where namespace = :namespace and tenant = :tenant and execution = :execution and applied_at is null
order by seq limit :limit;

-- name: waitingDefinitions
-- Every definition with events that wait, and the tenancy of the oldest of them. Jumps from one to the next, so it costs
-- how many definitions there are and not how many events.
-- in: nothing
-- index: inbox_waiting
with recursive busy (definition) as (
  (select definition from pawl.inbox where applied_at is null and not held and definition >= ''
   order by definition limit 1)
  union all
  select (select i.definition from pawl.inbox i
    where i.applied_at is null and not i.held and i.definition > busy.definition order by i.definition limit 1)
  from busy where busy.definition is not null
)
select i.namespace, i.tenant, i.definition
from busy cross join lateral (
  select namespace, tenant, definition from pawl.inbox
  where definition = busy.definition and applied_at is null and not held order by seq limit 1
) i;

-- name: holdExecutionEvents
-- What waits for executions waits on, or no longer. Of each by itself: what waits was read whole to find it.
-- in: rows
-- index: inbox_execution
update pawl.inbox i set held = w.held
from json_to_recordset(:rows::json) as w (namespace text, tenant text, execution text, held boolean)
cross join lateral (
  select ctid as place from pawl.inbox
  where namespace = w.namespace and tenant = w.tenant and execution = w.execution and applied_at is null offset 0
) k
where i.ctid = k.place;

-- name: holdEvents
-- Sets rows aside that cannot be read.
-- in: rows
-- index: primary key
update pawl.inbox i set held = true
from json_to_recordset(:rows::json) as w (namespace text, tenant text, execution text, event_id text)
where i.namespace = w.namespace and i.tenant = w.tenant and i.execution = w.execution and i.event_id = w.event_id;

-- name: holdDefinitionEvents
-- The same for every execution of a definition: held while it stands still.
-- in: namespace, tenant, definition
-- index: inbox_execution, executions_definition
update pawl.inbox i set held = (x.status in ('paused', 'failed'))
from pawl.executions x
where x.namespace = :namespace and x.tenant = :tenant and x.definition = :definition
  and i.namespace = x.namespace and i.tenant = x.tenant and i.execution = x.id and i.applied_at is null;

-- name: pruneInbox
-- Ids of events applied long ago.
-- in: before, limit
-- index: inbox_applied
delete from pawl.inbox where ctid = any (array(
  select ctid from pawl.inbox where applied_at is not null and applied_at < :before order by applied_at limit :limit
));
