-- name: insertTask
-- A task, unless it is there.
-- in: namespace, tenant, id, execution, assignee, due_at, created_at, task
-- index: primary key
insert into pawl.tasks (namespace, tenant, id, status, told, execution, assignee, due_at, created_at, task)
values (:namespace, :tenant, :id, 'open', false, :execution, :assignee, :due_at, :created_at, :task::json)
on conflict (namespace, tenant, id) do nothing;

-- name: findTask
-- One task, by its id.
-- in: namespace, tenant, id
-- index: primary key
select *, created_at as at from pawl.tasks where namespace = :namespace and tenant = :tenant and id = :id;

-- name: recentTasks
-- The tasks of a tenant, newest first.
-- in: namespace, tenant, at, id, limit
-- index: tasks_recent
select *, created_at as at from pawl.tasks
where namespace = :namespace and tenant = :tenant and (created_at, id) < (:at::bigint, :id)
order by created_at desc, id desc limit :limit;

-- name: tasksOfStatus
-- Those that are open, or those that are done.
-- in: namespace, tenant, value, at, id, limit
-- index: tasks_status
select *, created_at as at from pawl.tasks
where namespace = :namespace and tenant = :tenant and status = :value and (created_at, id) < (:at::bigint, :id)
order by created_at desc, id desc limit :limit;

-- name: tasksOfAssignee
-- The tasks of one who does them.
-- in: namespace, tenant, value, at, id, limit
-- index: tasks_assignee
select *, created_at as at from pawl.tasks
where namespace = :namespace and tenant = :tenant and assignee = :value and (created_at, id) < (:at::bigint, :id)
order by created_at desc, id desc limit :limit;

-- name: tasksOfExecution
-- The tasks one execution asked for.
-- in: namespace, tenant, value, at, id, limit
-- index: tasks_execution
select *, created_at as at from pawl.tasks
where namespace = :namespace and tenant = :tenant and execution = :value and (created_at, id) < (:at::bigint, :id)
order by created_at desc, id desc limit :limit;

-- name: completeTask
-- Done, if it was open.
-- in: namespace, tenant, id, completed_at, ending
-- index: primary key
update pawl.tasks set status = 'done', completed_at = :completed_at, ending = :ending::json
where namespace = :namespace and tenant = :tenant and id = :id and status = 'open';

-- name: tellTask
-- The execution of a task knows.
-- in: namespace, tenant, id
-- index: primary key
update pawl.tasks set told = true where namespace = :namespace and tenant = :tenant and id = :id;

-- name: untoldTasks
-- Done before then, and nobody was told.
-- in: before, limit
-- index: tasks_untold
select *, created_at as at from pawl.tasks where status = 'done' and not told and completed_at < :before
order by completed_at limit :limit;

-- name: pruneTasks
-- A slice of the tasks that were done before.
-- in: before, limit
-- index: tasks_done
delete from pawl.tasks where ctid = any (array(
  select ctid from pawl.tasks where status = 'done' and told and completed_at < :before order by completed_at limit :limit for update skip locked
));
