-- name: moveActions
-- Finished actions go to the history in the order given, with what its end adds to each: a JSON list of lists.
-- in: moves
-- index: primary key
insert into actions_done (id, namespace, tenant, lane, execution, source_kind, source_id, status, due_at, attempt, lost, reaps,
  token, worker, size, dedup_key, fingerprint, created_at, started_at, finished_at, archived_at, error, result, plan)
select a.id, namespace, tenant, abs(lane), execution, source_kind, source_id, value ->> 1, due_at, value ->> 2,
  value ->> 3, value ->> 4, token, worker, size, dedup_key, fingerprint, created_at, value ->> 5, value ->> 6,
  value ->> 7, value ->> 8, value ->> 9, plan
from json_each(:moves) cross join actions a on a.rowid = value ->> 0;

-- name: settleActions
-- One that succeeded, into the history without having been read: only if its claim still holds, which the caller counts. Many are
-- one statement (many.ts), in the order given; read out of JSON each would cost 5.1 µs instead of 3.7. One that holds a key is left
-- to whoever lets go of it.
-- in: id, token, nonce, namespace, tenant, attempt, lost, reaps, started_at, finished_at, result
-- index: primary key
with given (settled, its_token, its_nonce, its_namespace, its_tenant, tried, times_lost, times_reaped, began_at, ended_at, said) as (
  values (:id, :token, :nonce, :namespace, :tenant, :attempt, :lost, :reaps, :started_at, :finished_at, :result)
)
insert into actions_done (id, namespace, tenant, lane, execution, source_kind, source_id, status, due_at, attempt, lost, reaps,
  token, worker, size, fingerprint, created_at, started_at, finished_at, result, plan)
select id, namespace, tenant, abs(lane), execution, source_kind, source_id, 'succeeded', due_at, max(attempt, tried), times_lost,
  times_reaped, token, worker, size, fingerprint, created_at, coalesce(started_at, began_at), ended_at, said, plan
from given cross join actions on id = settled
where status = 'running' and token = its_token and nonce = its_nonce and namespace = its_namespace and tenant = its_tenant
  and dedup_key is null;

-- name: insertDone
-- An action that was skipped when it was made.
-- in: id, namespace, tenant, lane, execution, source_kind, source_id, due_at, size, at, error, plan
-- index: primary key
insert into actions_done (id, namespace, tenant, lane, execution, source_kind, source_id, status, due_at, attempt, lost, reaps,
  token, size, created_at, finished_at, error, plan)
values (:id, :namespace, :tenant, :lane, :execution, :source_kind, :source_id, 'skipped', :due_at, 0, 0, 0,
  0, :size, :at, :at, :error, :plan);

-- name: readDone
-- One finished action of a tenant.
-- in: namespace, tenant, id
-- index: primary key
select * from actions_done where namespace = :namespace and tenant = :tenant and id = :id;

-- name: doneBefore
-- A tenant's finished actions, newest first.
-- in: namespace, tenant, before, limit
-- index: primary key
select * from actions_done where namespace = :namespace and tenant = :tenant and id < :before
order by id desc limit :limit;

-- name: doneOfExecution
-- An execution's finished actions, newest first.
-- in: namespace, tenant, execution, before, limit
-- index: actions_done_execution
select * from actions_done
where namespace = :namespace and tenant = :tenant and execution = :execution and id < :before
order by id desc limit :limit;

-- name: pruneDone
-- Finished actions past their time among the oldest: rows are written in the order they finish.
-- in: before, limit
-- index: none (the first rows, by position)
delete from actions_done where position in (
  select position from (select position, archived_at, finished_at from actions_done order by position limit :limit)
  where coalesce(archived_at, finished_at) < :before
)
returning id;
