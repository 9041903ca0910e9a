-- name: lockActions
-- The rows a batch settles or controls, locked in the order of their ids, with what stands behind their dedup keys.
-- in: ids
-- index: primary key
select a.id, a.namespace, a.tenant, a.lane, a.execution, a.status, a.due_at, a.attempt, a.lost, a.reaps, a.token, a.nonce,
  a.worker, a.lease_until, a.hold, a.cancel_requested, a.dedup_key, a.fingerprint, a.started_at, a.finished_at, a.error,
  d.action as dedup_action, d.until as dedup_until
from pawl.actions a
left join lateral (
  select action, until from pawl.dedup where namespace = a.namespace and tenant = a.tenant and key = a.dedup_key offset 0
) d on true
where a.id = any (:ids::text[])
order by a.id for update of a;

-- name: knownActions
-- Which of these ids were ever written and not purged?
-- in: namespaces, tenants, ids
-- index: primary key
select k.id from unnest(:namespaces::text[], :tenants::text[], :ids::text[]) as k (namespace, tenant, id)
cross join lateral (
  (select from pawl.actions a where a.id = k.id)
  union all
  (select from pawl.actions_done a where a.namespace = k.namespace and a.tenant = k.tenant and a.id = k.id limit 1)
) found;

-- name: cancellableActions
-- The live actions of executions whose state is left: whose steps they are is in their plans.
-- in: namespaces, tenants, executions
-- index: actions_execution
select a.id, a.namespace, a.tenant, a.execution, a.plan
from unnest(:namespaces::text[], :tenants::text[], :executions::text[]) as k (namespace, tenant, execution)
cross join lateral (
  select * from pawl.actions
  where namespace = k.namespace and tenant = k.tenant and execution = k.execution and status in ('queued', 'running')
) a;

-- name: insertActions
-- Live actions: queued, claimed at birth, or dead at birth. One that exists undoes the whole. A lease runs from when it is
-- written, by the clock of the database, unless it says until when.
-- in: id, namespace, tenant, lane, execution, source_kind, source_id, status, due_at, attempt, lost, reaps, token, nonce, worker, lease_until, lease_ms, size, marked, hold, cancel_requested, dedup_key, fingerprint, created_at, started_at, finished_at, error, plan
-- index: primary key
insert into pawl.actions (id, namespace, tenant, lane, execution, source_kind, source_id, status, standing, due_at, attempt,
  lost, reaps, token, nonce, worker, lease_until, size, marked, hold, cancel_requested, dedup_key, fingerprint, created_at,
  started_at, finished_at, error, plan)
select id, namespace, tenant, lane, execution, source_kind, source_id, status,
  case status when 'queued' then 'line' when 'running' then null else status end, due_at, attempt, lost,
  reaps, token, nonce, worker, case when lease_ms is null then lease_until else pawl.clock_ms() + lease_ms end, size, marked, hold,
  cancel_requested, dedup_key, fingerprint, created_at, started_at, finished_at, error, plan
from unnest(:id::text[], :namespace::text[], :tenant::text[], :lane::int[], :execution::text[], :source_kind::text[],
  :source_id::text[], :status::text[], :due_at::bigint[], :attempt::int[], :lost::int[], :reaps::int[], :token::bigint[],
  :nonce::text[], :worker::text[], :lease_until::bigint[], :lease_ms::bigint[], :size::int[], :marked::boolean[], :hold::text[],
  :cancel_requested::boolean[], :dedup_key::text[], :fingerprint::text[], :created_at::bigint[], :started_at::bigint[],
  :finished_at::bigint[], :error::json[], :plan::json[])
  as w (id, namespace, tenant, lane, execution, source_kind, source_id, status, due_at, attempt, lost, reaps, token, nonce,
    worker, lease_until, lease_ms, size, marked, hold, cancel_requested, dedup_key, fingerprint, created_at, started_at,
    finished_at, error, plan);

-- name: insertQueued
-- Actions of the queue's own door that wait for whoever comes: of 28 columns they differ in ten, and each that travels costs the
-- server a tenth of a row. One that exists undoes the whole.
-- in: id, namespace, tenant, lane, due_at, size, marked, dedup_key, created_at, plan
-- index: primary key
insert into pawl.actions (id, namespace, tenant, lane, source_kind, source_id, status, standing, due_at, attempt, lost, reaps,
  token, size, marked, cancel_requested, dedup_key, created_at, plan)
select id, namespace, tenant, lane, 'direct', id, 'queued', 'line', due_at, 0, 0, 0, 0, size, marked, false, dedup_key,
  created_at, plan
from (
  select unnest(:id::text[]) as id, unnest(:namespace::text[]) as namespace, unnest(:tenant::text[]) as tenant,
    unnest(:lane::int[]) as lane, unnest(:due_at::bigint[]) as due_at, unnest(:size::int[]) as size,
    unnest(:marked::boolean[]) as marked, unnest(:dedup_key::text[]) as dedup_key,
    unnest(:created_at::bigint[]) as created_at, unnest(:plan::json[]) as plan
) w;

-- name: insertAlike
-- The same, of one tenant, lane and kind, with no key: what all say alike is said once (12 us of 238 for 25).
-- in: id, namespace, tenant, lane, due_at, size, marked, created_at, plan
-- index: primary key
insert into pawl.actions (id, namespace, tenant, lane, source_kind, source_id, status, standing, due_at, attempt, lost, reaps,
  token, size, marked, cancel_requested, created_at, plan)
select id, :namespace, :tenant, :lane::int, 'direct', id, 'queued', 'line', due_at, 0, 0, 0, 0, size, :marked::boolean, false,
  created_at, plan
from (
  select unnest(:id::text[]) as id, unnest(:due_at::bigint[]) as due_at, unnest(:size::int[]) as size,
    unnest(:created_at::bigint[]) as created_at, unnest(:plan::json[]) as plan
) w;

-- name: insertClaimed
-- Actions that are claimed as they are born, and otherwise like any other: of 28 columns they differ in 17. One that exists undoes the
-- whole. A lease runs from when it is written, by the clock of the database, unless it says until when.
-- in: id, namespace, tenant, lane, execution, source_kind, source_id, due_at, nonce, worker, lease_until, lease_ms, size, marked, dedup_key, created_at, plan
-- index: primary key
insert into pawl.actions (id, namespace, tenant, lane, execution, source_kind, source_id, status, due_at, attempt, lost, reaps,
  token, nonce, worker, lease_until, size, marked, cancel_requested, dedup_key, created_at, plan)
select id, namespace, tenant, lane, execution, source_kind, source_id, 'running', due_at, 0, 0, 0, 1, nonce, worker,
  case when lease_ms is null then lease_until else pawl.clock_ms() + lease_ms end, size, marked, false, dedup_key, created_at,
  plan
from (
  select unnest(:id::text[]) as id, unnest(:namespace::text[]) as namespace, unnest(:tenant::text[]) as tenant,
    unnest(:lane::int[]) as lane, unnest(:execution::text[]) as execution, unnest(:source_kind::text[]) as source_kind,
    unnest(:source_id::text[]) as source_id, unnest(:due_at::bigint[]) as due_at, unnest(:nonce::text[]) as nonce,
    unnest(:worker::text[]) as worker, unnest(:lease_until::bigint[]) as lease_until, unnest(:lease_ms::bigint[]) as lease_ms,
    unnest(:size::int[]) as size, unnest(:marked::boolean[]) as marked, unnest(:dedup_key::text[]) as dedup_key,
    unnest(:created_at::bigint[]) as created_at, unnest(:plan::json[]) as plan
) w;

-- name: updateActions
-- What became of rows that stay: requeued, held, dead, in review, asked to stop. A parked row stays parked and keeps
-- saying why.
-- in: id, status, due_at, attempt, lost, reaps, nonce, worker, lease_until, hold, cancel_requested, fingerprint, started_at, finished_at, error
-- index: primary key
update pawl.actions a set status = w.status,
  standing = case w.status when 'queued' then 'line' when 'running' then a.standing else w.status end,
  due_at = w.due_at, attempt = w.attempt, lost = w.lost, reaps = w.reaps, nonce = w.nonce, worker = w.worker,
  lease_until = w.lease_until,
  hold = case when a.lane < 0 then a.hold else w.hold end, cancel_requested = w.cancel_requested,
  fingerprint = w.fingerprint, started_at = w.started_at, finished_at = w.finished_at, error = w.error
from unnest(:id::text[], :status::text[], :due_at::bigint[], :attempt::int[], :lost::int[], :reaps::int[], :nonce::text[],
  :worker::text[], :lease_until::bigint[], :hold::text[], :cancel_requested::boolean[], :fingerprint::text[],
  :started_at::bigint[], :finished_at::bigint[], :error::json[])
  as w (id, status, due_at, attempt, lost, reaps, nonce, worker, lease_until, hold, cancel_requested, fingerprint, started_at,
    finished_at, error)
where a.id = w.id;

-- name: readGathering
-- Actions that wait for others of their key: what they hold. They are locked.
-- in: ids
-- index: primary key
select id, created_at, plan from pawl.actions where id = any (:ids::text[]);

-- name: amendActions
-- Those that took something in. They are locked.
-- in: rows
-- index: primary key
update pawl.actions a set plan = w.plan::json, size = w.size
from json_to_recordset(:rows::json) as w (id text, plan text, size int)
where a.id = w.id;

-- name: claimActions
-- Takes due rows lane by lane, oldest first from each lane's mark on, skipping what another process is taking, within a byte
-- budget but at least one. They are locked, so they are met again where they lie. What is taken is written down together, and
-- what was written down before and is over goes. The claim alone need not wait for the disk, unless it marks the start of
-- something that may happen once at most. What most rows say of themselves is not said: a text that is not there need not be read.
-- in: lanes, shares, marks, passed, now, batch, budget, lease_ms, nonce, worker, lease, over
-- index: actions_due, claims_pkey
with found as materialized (
  select array_agg(o.spot) as spots, array_agg(o.id) as ids, min(o.id || '/' || (o.token + 1) || '/' || :nonce) as sheet,
    coalesce(:lease::bigint, pawl.clock_ms()) + :lease_ms::bigint as until,
    set_config('synchronous_commit', case when not bool_or(o.marked) then 'off'
      when current_setting('synchronous_commit') = 'off' then 'on' else current_setting('synchronous_commit') end, true) as waits
  from (
    select f.spot, f.id, f.token, f.marked, sum(f.size) over (order by f.place, f.due_at, f.id) as bytes,
      row_number() over (order by f.place, f.due_at, f.id) as number
    from (
      select a.spot, a.id, a.token, a.size, a.marked, a.due_at, w.place
      from unnest(:lanes::int[], :shares::int[], :marks::bigint[], :passed::text[]) with ordinality
        as w (lane, n, mark, passed, place)
      cross join lateral (
        select ctid as spot, id, token, size, marked, due_at from pawl.actions
        where lane = w.lane and standing = 'line' and status = 'queued' and (due_at, id) > (w.mark, w.passed)
          and due_at <= coalesce(:now::bigint, pawl.clock_ms())
        order by due_at, id limit w.n for update skip locked
      ) a
      order by w.place limit :batch::int
    ) f
  ) o
  where o.bytes <= :budget::bigint or o.number = 1
), noted as (
  insert into pawl.claims (sheet, look_at, actions) select sheet, until, ids from found where ids is not null
), forgotten as (
  delete from pawl.claims where sheet = any (:over::text[])
)
update pawl.actions set status = 'running', token = token + 1, nonce = :nonce, worker = :worker, hold = null,
  lease_until = (select until from found)
where ctid = any ((select spots from found)::tid[])
returning id, namespace, tenant, lane, execution, nullif(source_kind, 'direct') as source_kind, nullif(source_id, id) as source_id,
  due_at, nullif(attempt, 0) as attempt, nullif(lost, 0) as lost, nullif(reaps, 0) as reaps, token, lease_until, size,
  nullif(cancel_requested, false) as cancel_requested, nullif(created_at, due_at) as created_at, plan;

-- name: extendLeases
-- A longer lease for those who still hold one, locked in the order given: one look after the other.
-- in: ids, tokens, nonces, lease_ms, lease
-- index: primary key
update pawl.actions a set lease_until = coalesce(:lease::bigint, pawl.clock_ms()) + :lease_ms::bigint
where a.id = any (array(
    select l.id from unnest(:ids::text[], :tokens::bigint[], :nonces::text[]) as c (id, token, nonce)
    cross join lateral (
      select id, status, token, nonce from pawl.actions where id = c.id offset 0 for update
    ) l
    where l.status = 'running' and l.token = c.token and l.nonce = c.nonce
  ))
returning a.id, a.token, a.nonce, a.cancel_requested;

-- name: expiredLeases
-- Claimed rows whose lease has run out, oldest first, among those it is time to look at.
-- in: lease, limit
-- index: claims_look_at, primary key
select id, namespace, tenant, lane, execution, source_kind, source_id, due_at, attempt, lost, reaps, token, nonce,
  lease_until, cancel_requested, created_at, plan
from pawl.actions
where id = any (array(
    select unnest(c.actions) from (
      select actions from pawl.claims where look_at <= coalesce(:lease::bigint, pawl.clock_ms()) order by look_at limit :limit
    ) c
  ))
  and status = 'running' and lease_until <= coalesce(:lease::bigint, pawl.clock_ms())
order by lease_until limit :limit;

-- name: fenceAll
-- A new epoch: no claim made before fits any more, and every lease has run out. Locked in order.
-- in: nonce
-- index: primary key; which of all run is seen by reading them, once in a store's restored life
with due as (
  update pawl.claims set look_at = 0
)
update pawl.actions set nonce = :nonce, lease_until = 0
where id = any (array(select id from pawl.actions where status = 'running' order by id for update));

-- name: executionActions
-- The live actions of executions that are paused or resumed, so that they are locked before their executions.
-- in: namespaces, tenants, executions
-- index: actions_execution
select a.id from unnest(:namespaces::text[], :tenants::text[], :executions::text[]) as k (namespace, tenant, execution)
cross join lateral (
  select id from pawl.actions where namespace = k.namespace and tenant = k.tenant and execution = k.execution
) a;

-- name: parkExecutionActions
-- The actions of paused executions leave their lanes; what runs now will come back parked.
-- in: rows
-- index: actions_execution
update pawl.actions a set lane = -a.lane, hold = w.hold
from json_to_recordset(:rows::json) as w (namespace text, tenant text, execution text, hold text)
where a.namespace = w.namespace and a.tenant = w.tenant and a.execution = w.execution and a.lane > 0;

-- name: unparkExecutionActions
-- Back to the lanes.
-- in: rows
-- index: actions_execution
update pawl.actions a set lane = -a.lane, hold = null
from json_to_recordset(:rows::json) as w (namespace text, tenant text, execution text)
where a.namespace = w.namespace and a.tenant = w.tenant and a.execution = w.execution and a.lane < 0;

-- name: lockDefinitionActions
-- The live actions of a definition's executions, locked before these are.
-- in: namespace, tenant, definition
-- index: actions_execution, executions_definition
select count(*) as count from (
  select a.id from pawl.executions x
  join pawl.actions a on a.namespace = x.namespace and a.tenant = x.tenant and a.execution = x.id
  where x.namespace = :namespace and x.tenant = :tenant and x.definition = :definition
    and x.status in ('active', 'waiting', 'paused')
  order by a.id for update of a
) locked;

-- name: parkDefinitionActions
-- The same for every paused execution of a definition.
-- in: namespace, tenant, definition, hold
-- index: actions_execution, executions_definition
update pawl.actions a set lane = -a.lane, hold = :hold
from pawl.executions x
where x.namespace = :namespace and x.tenant = :tenant and x.definition = :definition and x.status = 'paused'
  and a.namespace = x.namespace and a.tenant = x.tenant and a.execution = x.id and a.lane > 0;

-- name: unparkDefinitionActions
-- Back to the lanes, for every execution of a definition that is no longer paused.
-- in: namespace, tenant, definition
-- index: actions_execution, executions_definition
update pawl.actions a set lane = -a.lane, hold = null
from pawl.executions x
where x.namespace = :namespace and x.tenant = :tenant and x.definition = :definition and x.status <> 'paused'
  and a.namespace = x.namespace and a.tenant = x.tenant and a.execution = x.id and a.lane < 0;

-- name: readAction
-- One live action of a tenant.
-- in: namespace, tenant, id
-- index: primary key
select * from pawl.actions where id = :id and namespace = :namespace and tenant = :tenant;

-- name: readActions
-- Live actions of a tenant by their ids.
-- in: namespace, tenant, ids
-- index: primary key
select * from pawl.actions where id = any (:ids::text[]) and namespace = :namespace and tenant = :tenant;

-- name: queuedIds
-- Ids of queued rows of some lanes, latest due first in each.
-- in: lanes, limit
-- index: actions_due
select a.id from unnest(:lanes::int[]) as l (lane)
cross join lateral (
  select id from pawl.actions where lane = l.lane and standing = 'line' and status = 'queued'
  order by due_at desc, id desc limit :limit
) a;

-- name: runningIds
-- Ids of a tenant's running rows; all that run are as many as there are slots.
-- in: namespace, tenant, limit
-- index: primary key
select id, lane from pawl.actions
where id = any (array(select unnest(actions) from pawl.claims)) and status = 'running'
  and namespace = :namespace and tenant = :tenant limit :limit;

-- name: deadIds
-- Ids of a tenant's dead letters.
-- in: namespace, tenant, limit
-- index: actions_dead
select id from pawl.actions where namespace = :namespace and tenant = :tenant and standing = 'dead'
order by fingerprint, id limit :limit;

-- name: reviewIds
-- Ids of a tenant's actions that wait for a person.
-- in: namespace, tenant, limit
-- index: actions_review
select id from pawl.actions where namespace = :namespace and tenant = :tenant and standing = 'review'
order by fingerprint, id limit :limit;

-- name: deadIdsOf
-- Ids of one group of dead letters, newest first.
-- in: namespace, tenant, fingerprint, before, limit
-- index: actions_dead
select id from pawl.actions
where namespace = :namespace and tenant = :tenant and fingerprint = :fingerprint and standing = 'dead' and id < :before
order by id desc limit :limit;

-- name: reviewIdsOf
-- Ids of one group of reviews, newest first.
-- in: namespace, tenant, fingerprint, before, limit
-- index: actions_review
select id from pawl.actions
where namespace = :namespace and tenant = :tenant and fingerprint = :fingerprint and standing = 'review' and id < :before
order by id desc limit :limit;

-- name: executionIds
-- Ids of an execution's live actions.
-- in: namespace, tenant, execution, limit
-- index: actions_execution
select id from pawl.actions
where namespace = :namespace and tenant = :tenant and execution = :execution limit :limit;

-- name: countRunning
-- How many of a tenant's actions run now.
-- in: namespace, tenant
-- index: primary key
select count(*) as count from pawl.actions
where id = any (array(select unnest(actions) from pawl.claims)) and status = 'running'
  and namespace = :namespace and tenant = :tenant;

-- name: deadGroups
-- Dead letters by fingerprint, index only; the newest row of a group speaks for it.
-- in: namespace, tenant, limit
-- index: actions_dead
select fingerprint, count(*) as count, min(finished_at) as first_at, max(finished_at) as last_at, max(id) as newest
from pawl.actions where namespace = :namespace and tenant = :tenant and standing = 'dead'
group by fingerprint order by last_at desc, fingerprint limit :limit;

-- name: claimedActions
-- What a claim took whose answer was lost, told as the claim tells it.
-- in: nonce
-- index: primary key
select id, namespace, tenant, lane, execution, nullif(source_kind, 'direct') as source_kind, nullif(source_id, id) as source_id,
  due_at, nullif(attempt, 0) as attempt, nullif(lost, 0) as lost, nullif(reaps, 0) as reaps, token, lease_until, size,
  nullif(cancel_requested, false) as cancel_requested, nullif(created_at, due_at) as created_at, plan
from pawl.actions
where id = any (array(select unnest(actions) from pawl.claims)) and status = 'running' and nonce = :nonce;
