-- name: comingInLane
-- The queued rows of a lane that are due in a range, after a position.
-- in: lane, at, id, until, limit
-- index: actions_due
select id, due_at from actions
where lane = :lane and status = 'queued' and (due_at, id) > (:at, :id) and due_at < :until
order by due_at, id limit :limit;

-- name: comingTimers
-- The armed timers of a tenant that are due in a range, after a position.
-- in: namespace, tenant, at, execution, key, until, limit
-- index: timers_tenant
select namespace, tenant, execution, key, due_at, event from timers
where namespace = :namespace and tenant = :tenant and held = 0
  and (due_at, execution, key) > (:at, :execution, :key) and due_at < :until
order by due_at, execution, key limit :limit;

-- name: timersOf
-- The armed timers of one execution.
-- in: namespace, tenant, execution
-- index: primary key
select namespace, tenant, execution, key, due_at, event from timers
where namespace = :namespace and tenant = :tenant and execution = :execution;
