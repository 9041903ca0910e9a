-- name: finishActions
-- Out of the live rows, into the history.
-- in: rows
-- index: primary key
with ended as (
  select * from json_to_recordset(:rows::json) as w (id text, status text, due_at bigint, attempt int, lost int,
    reaps int, worker text, fingerprint text, started_at bigint, finished_at bigint, archived_at bigint, error text, result text)
), gone as (
  delete from pawl.actions a using ended w where a.id = w.id
  returning a.id, a.namespace, a.tenant, a.lane, a.execution, a.source_kind, a.source_id, a.token, a.size,
    a.dedup_key, a.created_at, a.plan
)
insert into pawl.actions_done (id, namespace, tenant, lane, execution, source_kind, source_id, status, due_at, attempt, lost,
  reaps, token, worker, size, dedup_key, fingerprint, created_at, started_at, finished_at, archived_at, kept_from, error,
  result, plan)
select g.id, g.namespace, g.tenant, abs(g.lane), g.execution, g.source_kind, g.source_id, w.status, w.due_at, w.attempt,
  w.lost, w.reaps, g.token, w.worker, g.size, g.dedup_key, w.fingerprint, g.created_at, w.started_at, w.finished_at,
  w.archived_at, coalesce(w.archived_at, w.finished_at), w.error::json, w.result, g.plan
from gone g join ended w on w.id = g.id;

-- name: insertDone
-- Actions that ended as they were made: skipped, or cancelled in the same breath.
-- in: rows
-- index: primary key
insert into pawl.actions_done (id, namespace, tenant, lane, execution, source_kind, source_id, status, due_at, attempt, lost,
  reaps, token, worker, size, dedup_key, fingerprint, created_at, started_at, finished_at, archived_at, kept_from, error,
  result, plan)
select id, namespace, tenant, abs(lane), execution, source_kind, source_id, status, due_at, attempt, lost, reaps, token,
  worker, size, dedup_key, fingerprint, created_at, started_at, finished_at, archived_at, coalesce(archived_at, finished_at),
  error::json, result, plan::json
from json_to_recordset(:rows::json) as w (id text, namespace text, tenant text, lane int, execution text,
  source_kind text, source_id text, status text, due_at bigint, attempt int, lost int, reaps int, token bigint, worker text,
  size int, dedup_key text, fingerprint text, created_at bigint, started_at bigint, finished_at bigint, archived_at bigint,
  error text, result text, plan text);

-- name: readDone
-- One finished action of a tenant.
-- in: namespace, tenant, id
-- index: actions_done_tenant
select * from pawl.actions_done where namespace = :namespace and tenant = :tenant and id = :id limit 1;

-- name: doneBefore
-- A tenant's finished actions, newest first.
-- in: namespace, tenant, before, limit
-- index: actions_done_tenant
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
-- index: actions_done_age, primary key, attempts_action
with gone as (
  delete from pawl.actions_done where kept_from < :before and id = any (array(
    select id from pawl.actions_done where kept_from < :before order by kept_from limit :limit
  ))
  returning id
), tried as (
  delete from pawl.attempts where action = any (array(select id from gone))
)
select count(*) as count from gone;
