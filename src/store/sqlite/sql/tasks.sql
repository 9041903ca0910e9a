-- name: insertTask
-- A task, unless it is there.
-- in: namespace, tenant, id, execution, assignee, due_at, created_at, task
-- index: primary key
insert into tasks (namespace, tenant, id, status, told, execution, assignee, due_at, created_at, task)
values (:namespace, :tenant, :id, 'open', 0, :execution, :assignee, :due_at, :created_at, :task)
on conflict (namespace, tenant, id) do nothing;

-- name: findTask
-- One task, by its id.
-- in: namespace, tenant, id
-- index: primary key
select *, created_at as at from tasks where namespace = :namespace and tenant = :tenant and id = :id;

-- name: recentTasks
-- The tasks of a tenant, newest first.
-- in: namespace, tenant, at, id, limit
-- index: tasks_recent
select *, created_at as at from tasks
where namespace = :namespace and tenant = :tenant and (created_at, id) < (:at, :id)
order by created_at desc, id desc limit :limit;

-- name: tasksOfStatus
-- Those that are open, or those that are done.
-- in: namespace, tenant, value, at, id, limit
-- index: tasks_status
select *, created_at as at from tasks
where namespace = :namespace and tenant = :tenant and status = :value and (created_at, id) < (:at, :id)
order by created_at desc, id desc limit :limit;

-- name: tasksOfAssignee
-- The tasks of one who does them.
-- in: namespace, tenant, value, at, id, limit
-- index: tasks_assignee
select *, created_at as at from tasks
where namespace = :namespace and tenant = :tenant and assignee = :value and (created_at, id) < (:at, :id)
order by created_at desc, id desc limit :limit;

-- name: tasksOfExecution
-- The tasks one execution asked for.
-- in: namespace, tenant, value, at, id, limit
-- index: tasks_execution
select *, created_at as at from tasks
where namespace = :namespace and tenant = :tenant and execution = :value and (created_at, id) < (:at, :id)
order by created_at desc, id desc limit :limit;

-- name: completeTask
-- Done, if it was open.
-- in: namespace, tenant, id, completed_at, ending
-- index: primary key
update tasks set status = 'done', completed_at = :completed_at, ending = :ending
where namespace = :namespace and tenant = :tenant and id = :id and status = 'open';

-- name: tellTask
-- The execution of a task knows.
-- in: namespace, tenant, id
-- index: primary key
update tasks set told = 1 where namespace = :namespace and tenant = :tenant and id = :id;

-- name: untoldTasks
-- Done before then, and nobody was told.
-- in: before, limit
-- index: tasks_untold
select *, created_at as at from tasks where status = 'done' and told = 0 and completed_at < :before
order by completed_at limit :limit;

-- name: pruneTasks
-- A slice of the tasks that were done before.
-- in: before, limit
-- index: tasks_done
delete from tasks where rowid in (
  select rowid from tasks where status = 'done' and told = 1 and completed_at < :before order by completed_at limit :limit
);
