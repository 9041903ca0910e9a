-- name: lockExecutions
-- What moves of executions must agree with, locked in the order given: one look after the other.
-- in: namespaces, tenants, ids
-- index: primary key
select x.namespace, x.tenant, x.id, x.revision, x.status, x.paused_from, x.definition, x.input_hash
from unnest(:namespaces::text[], :tenants::text[], :ids::text[]) as k (namespace, tenant, id)
cross join lateral (
  select * from pawl.executions where namespace = k.namespace and tenant = k.tenant and id = k.id for update
) x;

-- name: insertExecutions
-- New executions. One that exists by now undoes the whole.
-- in: namespace, tenant, id, kind, definition, definition_hash, status, paused_from, state, input_hash, revision, chain_number, chain_hash, created_at, updated_at, error, visits, pending, variables
-- index: primary key
insert into pawl.executions (namespace, tenant, id, kind, definition, definition_hash, status, paused_from, state, input_hash,
  revision, chain_number, chain_hash, created_at, updated_at, error, visits, pending, variables)
select namespace, tenant, id, kind, definition, definition_hash, status, paused_from, state, input_hash, revision,
  chain_number, chain_hash, created_at, updated_at, error, visits, pending, variables
from (
  select unnest(:namespace::text[]) as namespace, unnest(:tenant::text[]) as tenant, unnest(:id::text[]) as id,
    unnest(:kind::text[]) as kind, unnest(:definition::text[]) as definition,
    unnest(:definition_hash::text[]) as definition_hash, unnest(:status::text[]) as status,
    unnest(:paused_from::text[]) as paused_from, unnest(:state::text[]) as state, unnest(:input_hash::text[]) as input_hash,
    unnest(:revision::int[]) as revision, unnest(:chain_number::int[]) as chain_number,
    unnest(:chain_hash::text[]) as chain_hash, unnest(:created_at::bigint[]) as created_at,
    unnest(:updated_at::bigint[]) as updated_at, unnest(:error::json[]) as error, unnest(:visits::json[]) as visits,
    unnest(:pending::json[]) as pending, unnest(:variables::json[]) as variables
) w;

-- name: updateExecutions
-- The next snapshots, only over the revisions and statuses they were decided on. Unless each is, the whole is undone.
-- in: namespace, tenant, id, read_revision, read_status, definition, definition_hash, status, paused_from, state, revision, chain_number, chain_hash, updated_at, error, visits, pending, variables
-- index: primary key
with moved as (
  update pawl.executions x set definition = w.definition, definition_hash = w.definition_hash, status = w.status,
    paused_from = w.paused_from, state = w.state, revision = w.revision, chain_number = w.chain_number,
    chain_hash = w.chain_hash, updated_at = w.updated_at, error = w.error, visits = w.visits, pending = w.pending,
    variables = w.variables
  from (
    select unnest(:namespace::text[]) as namespace, unnest(:tenant::text[]) as tenant, unnest(:id::text[]) as id,
      unnest(:read_revision::int[]) as read_revision, unnest(:read_status::text[]) as read_status,
      unnest(:definition::text[]) as definition, unnest(:definition_hash::text[]) as definition_hash,
      unnest(:status::text[]) as status, unnest(:paused_from::text[]) as paused_from, unnest(:state::text[]) as state,
      unnest(:revision::int[]) as revision, unnest(:chain_number::int[]) as chain_number,
      unnest(:chain_hash::text[]) as chain_hash, unnest(:updated_at::bigint[]) as updated_at, unnest(:error::json[]) as error,
      unnest(:visits::json[]) as visits, unnest(:pending::json[]) as pending, unnest(:variables::json[]) as variables
  ) w
  where x.namespace = w.namespace and x.tenant = w.tenant and x.id = w.id and x.revision = w.read_revision
    and x.status = w.read_status
  returning 1
)
select 1 / (count(*) = cardinality(:id::text[]))::int as whole from moved;

-- name: restatusExecutions
-- Paused or resumed: the snapshot stays, the revision moves, so that no decision made before is written over it.
-- in: rows
-- index: primary key
update pawl.executions x set status = w.status, paused_from = w.paused_from, revision = w.revision,
  updated_at = w.updated_at
from json_to_recordset(:rows::json) as w (namespace text, tenant text, id text, read_revision int, status text,
  paused_from text, revision int, updated_at bigint)
where x.namespace = w.namespace and x.tenant = w.tenant and x.id = w.id and x.revision = w.read_revision;

-- name: pauseDefinition
-- Every execution of a definition that goes on; says how many there were of each status.
-- in: namespace, tenant, definition, at
-- index: executions_definition
with moved as (
  update pawl.executions set paused_from = status, status = 'paused', revision = revision + 1, updated_at = :at
  where namespace = :namespace and tenant = :tenant and definition = :definition and status in ('active', 'waiting')
  returning paused_from as status
)
select status, count(*) as count from moved group by status;

-- name: resumeDefinition
-- Every execution of a definition that is not paused by itself; says what they became.
-- in: namespace, tenant, definition, at
-- index: executions_definition
with moved as (
  update pawl.executions set status = coalesce(paused_from, 'active'), paused_from = null, revision = revision + 1,
    updated_at = :at
  where namespace = :namespace and tenant = :tenant and definition = :definition and status = 'paused'
    and not exists (
      select from pawl.pauses p
      where p.namespace = :namespace and p.tenant = :tenant and p.scope = 'execution' and p.value = executions.id
    )
  returning status
)
select status, count(*) as count from moved group by status;

-- name: readExecutions
-- Executions, whole, and whether events of them wait: of each by itself. Without the offset all that waits may be gathered.
-- in: namespaces, tenants, ids
-- index: primary key, inbox_execution
select x.*, exists (
  select from pawl.inbox i
  where i.namespace = x.namespace and i.tenant = x.tenant and i.execution = x.id and i.applied_at is null
  offset 0
) as waiting
from unnest(:namespaces::text[], :tenants::text[], :ids::text[]) as k (namespace, tenant, id)
cross join lateral (
  select * from pawl.executions where namespace = k.namespace and tenant = k.tenant and id = k.id offset 0
) x;

-- name: recentExecutions
-- A tenant's executions, newest first.
-- in: namespace, tenant, created_at, id, limit
-- index: executions_recent
select * from pawl.executions
where namespace = :namespace and tenant = :tenant and (created_at, id) < (:created_at, :id)
order by created_at desc, id desc limit :limit;

-- name: recentRecurrences
-- A tenant's recurrences, newest first.
-- in: namespace, tenant, created_at, id, limit
-- index: executions_recurrences
select * from pawl.executions
where namespace = :namespace and tenant = :tenant and kind = 'recurrence' and (created_at, id) < (:created_at, :id)
order by created_at desc, id desc limit :limit;

-- name: executionsOfDefinition
-- Of one definition, newest first.
-- in: namespace, tenant, value, created_at, id, limit
-- index: executions_definition
select * from pawl.executions
where namespace = :namespace and tenant = :tenant and definition = :value and (created_at, id) < (:created_at, :id)
order by created_at desc, id desc limit :limit;

-- name: executionsOfStanding
-- Of one status that few have, newest first.
-- in: namespace, tenant, value, created_at, id, limit
-- index: executions_standing
select * from pawl.executions
where namespace = :namespace and tenant = :tenant and standing = :value and (created_at, id) < (:created_at, :id)
order by created_at desc, id desc limit :limit;

-- name: recentOfStatus
-- Of one status that many have, newest first, among so many of those that are recent.
-- in: namespace, tenant, value, created_at, id, window, limit
-- index: executions_recent
select * from (
  select * from pawl.executions
  where namespace = :namespace and tenant = :tenant and (created_at, id) < (:created_at, :id)
  order by created_at desc, id desc limit :window
) recent
where status = :value order by created_at desc, id desc limit :limit;

-- name: recentEnd
-- The last of so many that are recent, if there are as many.
-- in: namespace, tenant, created_at, id, before
-- index: executions_recent
select created_at, id from pawl.executions
where namespace = :namespace and tenant = :tenant and (created_at, id) < (:created_at, :id)
order by created_at desc, id desc limit 1 offset :before;

-- name: chainHeads
-- The next executions in order of their identity, with the newest link each chain had below a position of the feed: the
-- newest event below it, or, when those are purged and none came after it, what the execution itself says.
-- in: namespace, tenant, id, upto, limit
-- index: primary key, events_history
select x.namespace, x.tenant, x.id, coalesce(
  (select e.number || ' ' || e.hash from pawl.events e
   where e.namespace = x.namespace and e.tenant = x.tenant and e.execution = x.id and e.number is not null
     and e.xid < :upto::xid8
   order by e.number desc limit 1),
  case when x.chain_number > 0 and not exists (
    select from pawl.events e
    where e.namespace = x.namespace and e.tenant = x.tenant and e.execution = x.id and e.number is not null
  ) then x.chain_number || ' ' || x.chain_hash end) as head
from pawl.executions x
where (x.namespace, x.tenant, x.id) > (:namespace, :tenant, :id)
order by x.namespace, x.tenant, x.id limit :limit;
