-- name: moveAction
-- A finished action goes to the history, with what the end adds to it.
-- in: row, status, attempt, lost, reaps, started_at, finished_at, archived_at, error, result
-- index: primary key
insert into actions_done (id, namespace, tenant, lane, execution, source_kind, source_id, status, due_at, attempt, lost, reaps,
  token, worker, size, dedup_key, fingerprint, created_at, started_at, finished_at, archived_at, error, result, plan)
select id, namespace, tenant, abs(lane), execution, source_kind, source_id, :status, due_at, :attempt, :lost, :reaps,
  token, worker, size, dedup_key, fingerprint, created_at, :started_at, :finished_at, :archived_at, :error, :result, plan
from actions where rowid = :row;

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
