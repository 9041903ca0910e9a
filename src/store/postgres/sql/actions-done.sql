-- name: finishActions
-- Out of the live rows, into the history.
-- in: id, status, due_at, attempt, lost, reaps, worker, fingerprint, started_at, finished_at, archived_at, error, result
-- index: primary key
with gone as (
  delete from pawl.actions a where a.id = any (:id::text[])
  returning a.id, a.namespace, a.tenant, a.lane, a.execution, a.source_kind, a.source_id, a.token, a.size,
    a.dedup_key, a.created_at, a.plan
)
insert into pawl.actions_done (id, namespace, tenant, lane, execution, source_kind, source_id, status, due_at, attempt, lost,
  reaps, token, worker, size, dedup_key, fingerprint, created_at, started_at, finished_at, archived_at, kept_from, error,
  result, plan)
select g.id, g.namespace, g.tenant, abs(g.lane), g.execution, g.source_kind, g.source_id, w.status, w.due_at,
  w.attempt, w.lost, w.reaps, g.token, w.worker, g.size, g.dedup_key, w.fingerprint,
  g.created_at, w.started_at, w.finished_at, w.archived_at, coalesce(w.archived_at, w.finished_at), w.error, w.result, g.plan
from gone g
join unnest(:id::text[], :status::text[], :due_at::bigint[], :attempt::int[], :lost::int[], :reaps::int[], :worker::text[],
  :fingerprint::text[], :started_at::bigint[], :finished_at::bigint[], :archived_at::bigint[], :error::json[], :result::text[])
  as w (id, status, due_at, attempt, lost, reaps, worker, fingerprint, started_at, finished_at, archived_at, error, result)
  on w.id = g.id;

-- name: settleActions
-- Those that succeeded, out of the live rows and into the history without having been read: only if every claim still holds,
-- else the whole is undone. Given in the order of their ids, in which the key meets them, and matched by number: with a join the
-- planner, who takes the table for small, compared each with each (65 us a row). Whether each was met by its own claim is seen
-- by whole columns: an element of a list of texts is found by passing those before it. A key that was kept while its action
-- was active is free again.
-- in: id, namespace, tenant, token, nonce, attempt, lost, reaps, started_at, finished_at, result
-- index: primary key
with gone as (
  delete from pawl.actions where id = any (:id::text[])
  returning id, namespace, tenant, lane, execution, source_kind, source_id, status, due_at, attempt, token, nonce, worker,
    size, dedup_key, fingerprint, created_at, started_at, plan
), released as (
  delete from pawl.dedup where ctid = any (array(
    select d.ctid from gone g
    cross join lateral (
      select ctid from pawl.dedup
      where namespace = g.namespace and tenant = g.tenant and key = g.dedup_key and action = g.id and until is null offset 0
    ) d
    where g.dedup_key is not null
  ))
), kept as (
  insert into pawl.actions_done (id, namespace, tenant, lane, execution, source_kind, source_id, status, due_at, attempt, lost,
    reaps, token, worker, size, dedup_key, fingerprint, created_at, started_at, finished_at, kept_from, result, plan)
  select id, namespace, tenant, abs(lane), execution, source_kind, source_id, 'succeeded', due_at,
    greatest(attempt, (:attempt::int[])[n]), (:lost::int[])[n], (:reaps::int[])[n], token, worker, size, dedup_key, fingerprint,
    created_at, coalesce(started_at, (:started_at::bigint[])[n]), (:finished_at::bigint[])[n], (:finished_at::bigint[])[n],
    (:result::text[])[n], plan
  from (select *, (row_number() over ())::int as n from gone) g
)
select 1 / (count(*) = 1)::int as whole
from (
  select array_agg(id) as ids, array_agg(token) as tokens, array_agg(nonce) as nonces, array_agg(namespace) as namespaces,
    array_agg(tenant) as tenants
  from gone where status = 'running'
) met
where ids = :id::text[] and tokens = :token::bigint[] and nonces = :nonce::text[] and namespaces = :namespace::text[]
  and tenants = :tenant::text[];

-- name: insertDone
-- Actions that ended as they were made: skipped, or cancelled in the same breath.
-- in: id, namespace, tenant, lane, execution, source_kind, source_id, status, due_at, attempt, lost, reaps, token, worker, size, dedup_key, fingerprint, created_at, started_at, finished_at, archived_at, error, result, plan
-- index: primary key
insert into pawl.actions_done (id, namespace, tenant, lane, execution, source_kind, source_id, status, due_at, attempt, lost,
  reaps, token, worker, size, dedup_key, fingerprint, created_at, started_at, finished_at, archived_at, kept_from, error,
  result, plan)
select id, namespace, tenant, abs(lane), execution, source_kind, source_id, status, due_at, attempt,
  lost, reaps, token, worker, size, dedup_key, fingerprint, created_at, started_at,
  finished_at, archived_at, coalesce(archived_at, finished_at), error, result, plan
from unnest(:id::text[], :namespace::text[], :tenant::text[], :lane::int[], :execution::text[], :source_kind::text[],
  :source_id::text[], :status::text[], :due_at::bigint[], :attempt::int[], :lost::int[], :reaps::int[], :token::bigint[],
  :worker::text[], :size::int[], :dedup_key::text[], :fingerprint::text[], :created_at::bigint[], :started_at::bigint[],
  :finished_at::bigint[], :archived_at::bigint[], :error::json[], :result::text[], :plan::json[])
  as w (id, namespace, tenant, lane, execution, source_kind, source_id, status, due_at, attempt, lost, reaps, token, worker,
    size, dedup_key, fingerprint, created_at, started_at, finished_at, archived_at, error, result, plan);

-- name: readDone
-- One finished action of a tenant.
-- in: namespace, tenant, id
-- index: primary key
select * from pawl.actions_done where namespace = :namespace and tenant = :tenant and id = :id limit 1;

-- name: doneBefore
-- A tenant's finished actions, newest first.
-- in: namespace, tenant, before, limit
-- index: primary key
select * from pawl.actions_done where namespace = :namespace and tenant = :tenant and id < :before
order by id desc limit :limit;

-- name: doneOfExecution
-- Finished actions of one execution, newest first.
-- in: namespace, tenant, execution, before, limit
-- index: actions_done_execution
select * from pawl.actions_done
where namespace = :namespace and tenant = :tenant and execution = :execution and id < :before
order by id desc limit :limit;

-- name: pruneDone
-- Finished actions past their time, with their attempts; the partitions before go as a whole.
-- in: before, limit
-- index: actions_done_age, attempts_action
with old as materialized (
  select id, kept_from from pawl.actions_done where kept_from < :before order by kept_from limit :limit
), gone as (
  delete from pawl.actions_done
  where kept_from <= (select max(kept_from) from old) and id = any (array(select id from old))
  returning id
), tried as (
  delete from pawl.attempts where action = any (array(select id from gone))
)
select count(*) as count from gone;
