-- name: findExecution
-- What a move of an execution must agree with.
-- in: namespace, tenant, id
-- index: primary key
select revision, status, paused_from, definition, input_hash
from executions where namespace = :namespace and tenant = :tenant and id = :id;

-- name: insertExecution
-- A new execution, at revision 1.
-- in: namespace, tenant, id, kind, definition, definition_hash, status, paused_from, state, input_hash, chain_number, chain_hash, at, error, visits, pending, variables
-- index: primary key
insert into executions (namespace, tenant, id, kind, definition, definition_hash, status, paused_from, state, input_hash,
  revision, chain_number, chain_hash, created_at, updated_at, error, visits, pending, variables)
values (:namespace, :tenant, :id, :kind, :definition, :definition_hash, :status, :paused_from, :state, :input_hash,
  1, :chain_number, :chain_hash, :at, :at, :error, :visits, :pending, :variables);

-- name: updateExecution
-- The next snapshot, only over the revision and the status it was decided on.
-- in: namespace, tenant, id, expected, was, definition, definition_hash, status, paused_from, state, chain_number, chain_hash, at, error, visits, pending, variables
-- index: primary key
update executions set definition = :definition, definition_hash = :definition_hash, status = :status,
  paused_from = :paused_from, state = :state, revision = revision + 1, chain_number = :chain_number,
  chain_hash = :chain_hash, updated_at = :at, error = :error, visits = :visits, pending = :pending,
  variables = :variables
where namespace = :namespace and tenant = :tenant and id = :id and revision = :expected and status = :was;

-- name: moveExecution
-- The same of one that keeps its definition, as almost every step does: an index is written when one of its columns is, though it
-- be with what is there, and there is none to write.
-- in: namespace, tenant, id, expected, was, definition, definition_hash, status, paused_from, state, chain_number, chain_hash, at, error, visits, pending, variables
-- index: primary key
update executions set definition_hash = :definition_hash, status = :status, paused_from = :paused_from, state = :state,
  revision = revision + 1, chain_number = :chain_number, chain_hash = :chain_hash, updated_at = :at, error = :error,
  visits = :visits, pending = :pending, variables = :variables
where namespace = :namespace and tenant = :tenant and id = :id and revision = :expected and status = :was
  and definition = :definition;

-- name: pauseExecution
-- Remembers what it was; the revision moves, so that no decision made before is written over the pause.
-- in: namespace, tenant, id, at
-- index: primary key
update executions set paused_from = status, status = 'paused', revision = revision + 1, updated_at = :at
where namespace = :namespace and tenant = :tenant and id = :id and status in ('active', 'waiting');

-- name: resumeExecution
-- What it was before the pause.
-- in: namespace, tenant, id, at
-- index: primary key
update executions set status = coalesce(paused_from, 'active'), paused_from = null, revision = revision + 1,
  updated_at = :at
where namespace = :namespace and tenant = :tenant and id = :id and status = 'paused';

-- name: countToPause
-- How many executions of a definition a pause will stop, by what they are.
-- in: namespace, tenant, definition
-- index: executions_definition
select status, count(*) as count from executions indexed by executions_definition
where namespace = :namespace and tenant = :tenant and definition = :definition and status in ('active', 'waiting')
group by status;

-- name: pauseDefinition
-- Every execution of a definition that goes on.
-- in: namespace, tenant, definition, at
-- index: executions_definition
update executions indexed by executions_definition
set paused_from = status, status = 'paused', revision = revision + 1, updated_at = :at
where namespace = :namespace and tenant = :tenant and definition = :definition and status in ('active', 'waiting');

-- name: countToResume
-- How many executions of a definition a resume will set going, by what they become.
-- in: namespace, tenant, definition
-- index: executions_definition
select coalesce(paused_from, 'active') as status, count(*) as count
from executions indexed by executions_definition
where namespace = :namespace and tenant = :tenant and definition = :definition and status = 'paused'
  and id not in (select value from pauses where namespace = :namespace and tenant = :tenant and scope = 'execution')
group by 1;

-- name: resumeDefinition
-- Every execution of a definition that is not paused by itself.
-- in: namespace, tenant, definition, at
-- index: executions_definition
update executions indexed by executions_definition
set status = coalesce(paused_from, 'active'), paused_from = null, revision = revision + 1, updated_at = :at
where namespace = :namespace and tenant = :tenant and definition = :definition and status = 'paused'
  and id not in (select value from pauses where namespace = :namespace and tenant = :tenant and scope = 'execution');

-- name: readExecution
-- One execution, whole.
-- in: namespace, tenant, id
-- index: primary key
select * from executions where namespace = :namespace and tenant = :tenant and id = :id;

-- name: loadExecution
-- One execution, whole, and whether events of it wait.
-- in: namespace, tenant, id
-- index: primary key, inbox_execution
select x.*, exists (
  select 1 from inbox i
  where i.namespace = x.namespace and i.tenant = x.tenant and i.execution = x.id and i.applied_at is null
) as waiting
from executions x where x.namespace = :namespace and x.tenant = :tenant and x.id = :id;

-- name: recentExecutions
-- A tenant's executions, newest first.
-- in: namespace, tenant, created_at, id, limit
-- index: executions_recent
select * from executions
where namespace = :namespace and tenant = :tenant and (created_at, id) < (:created_at, :id)
order by created_at desc, id desc limit :limit;

-- name: recentRecurrences
-- A tenant's recurrences, newest first.
-- in: namespace, tenant, created_at, id, limit
-- index: executions_recurrences
select * from executions
where namespace = :namespace and tenant = :tenant and kind = 'recurrence' and (created_at, id) < (:created_at, :id)
order by created_at desc, id desc limit :limit;

-- name: executionsOfDefinition
-- Of one definition, newest first.
-- in: namespace, tenant, value, created_at, id, limit
-- index: executions_definition
select * from executions
where namespace = :namespace and tenant = :tenant and definition = :value and (created_at, id) < (:created_at, :id)
order by created_at desc, id desc limit :limit;

-- name: executionsOfStanding
-- Of one status that few have, newest first.
-- in: namespace, tenant, value, created_at, id, limit
-- index: executions_standing
select * from executions
where namespace = :namespace and tenant = :tenant and status = :value and status <> 'active' and status <> 'completed'
  and (created_at, id) < (:created_at, :id)
order by created_at desc, id desc limit :limit;

-- name: recentOfStatus
-- Of one status that many have, newest first, among so many of those that are recent.
-- in: namespace, tenant, value, created_at, id, window, limit
-- index: executions_recent
select * from (
  select * from executions
  where namespace = :namespace and tenant = :tenant and (created_at, id) < (:created_at, :id)
  order by created_at desc, id desc limit :window
) recent
where status = :value order by created_at desc, id desc limit :limit;

-- name: recentEnd
-- The last of so many that are recent, if there are as many.
-- in: namespace, tenant, created_at, id, before
-- index: executions_recent
select created_at, id from executions
where namespace = :namespace and tenant = :tenant and (created_at, id) < (:created_at, :id)
order by created_at desc, id desc limit 1 offset :before;

-- name: chainHeads
-- The next executions in order of their identity, with the newest link each chain had at a position of the feed: the
-- newest event up to it, or, when those are purged and none came after it, what the execution itself says.
-- in: namespace, tenant, id, position, limit
-- index: primary key, events_history
select x.namespace, x.tenant, x.id, coalesce(
  (select e.number || ' ' || e.hash from events e indexed by events_history
   where e.namespace = x.namespace and e.tenant = x.tenant and e.execution = x.id and e.number is not null
     and e.seq <= :position
   order by e.number desc limit 1),
  case when x.chain_number > 0 and not exists (
    select 1 from events e indexed by events_history
    where e.namespace = x.namespace and e.tenant = x.tenant and e.execution = x.id and e.number is not null
  ) then x.chain_number || ' ' || x.chain_hash end) as head
from executions x
where (x.namespace, x.tenant, x.id) > (:namespace, :tenant, :id)
order by x.namespace, x.tenant, x.id limit :limit;
