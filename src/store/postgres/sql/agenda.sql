-- name: comingActions
-- The queued rows of a tenant that are due in a range, after a position: the first of each lane, then the first of all.
-- in: namespace, tenant, at, id, until, limit
-- index: actions_due, lanes_namespace_tenant_type_priority_key
select a.id, a.due_at from pawl.lanes l
cross join lateral (
  select id, due_at from pawl.actions
  where lane = l.lane and status = 'queued' and (due_at, id) > (:at::bigint, :id::text) and due_at < :until
  order by due_at, id limit :limit
) a
where l.namespace = :namespace and l.tenant = :tenant
order by a.due_at, a.id limit :limit;

-- name: comingTimers
-- The armed timers of a tenant that are due in a range, after a position.
-- in: namespace, tenant, at, execution, key, until, limit
-- index: timers_tenant
select namespace, tenant, execution, key, due_at, event from pawl.timers
where namespace = :namespace and tenant = :tenant and not held
  and (due_at, execution, key) > (:at::bigint, :execution::text, :key::text) and due_at < :until
order by due_at, execution, key limit :limit;

-- name: timersOf
-- The armed timers of one execution.
-- in: namespace, tenant, execution
-- index: primary key
select namespace, tenant, execution, key, due_at, event from pawl.timers
where namespace = :namespace and tenant = :tenant and execution = :execution;
