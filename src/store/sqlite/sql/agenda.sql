-- name: comingInLane
-- The queued rows of a lane that are due in a range, after a position.
-- in: lane, at, id, until, limit
-- index: actions_due
select id, due_at from actions
where lane = :lane and status = 'queued' and (due_at, id) > (:at, :id) and due_at < :until
order by due_at, id limit :limit;

-- name: comingTimers
-- The armed timers of a tenant that are due in a range, after a position, but for those of recurrences.
-- in: namespace, tenant, at, execution, key, until, limit
-- index: timers_tenant, primary key
select t.namespace, t.tenant, t.execution, t.key, t.due_at, t.event, e.kind, e.definition from timers t
cross join executions e on e.namespace = t.namespace and e.tenant = t.tenant and e.id = t.execution
where t.namespace = :namespace and t.tenant = :tenant and t.held = 0
  and (t.due_at, t.execution, t.key) > (:at, :execution, :key) and t.due_at < :until and e.kind <> 'recurrence'
order by t.due_at, t.execution, t.key limit :limit;

-- name: comingRecurrences
-- The recurrences of a tenant whose timer is due before an instant, after a position. The key is told by the index alone:
-- the timers of all others cost no look at their executions.
-- in: namespace, tenant, at, execution, key, until, limit
-- index: timers_tenant, primary key
select e.*, t.due_at, t.key from timers t
cross join executions e on e.namespace = t.namespace and e.tenant = t.tenant and e.id = t.execution
where t.namespace = :namespace and t.tenant = :tenant and t.held = 0
  and (t.due_at, t.execution, t.key) > (:at, :execution, :key) and t.due_at < :until
  and t.key >= 'next/' and t.key < 'next0' and e.kind = 'recurrence'
order by t.due_at, t.execution, t.key limit :limit;

-- name: timersOf
-- The armed timers of one execution.
-- in: namespace, tenant, execution
-- index: primary key
select namespace, tenant, execution, key, due_at, event from timers
where namespace = :namespace and tenant = :tenant and execution = :execution;
