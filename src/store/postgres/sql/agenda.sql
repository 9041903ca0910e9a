-- name: comingActions
-- The queued rows of a tenant that are due in a range, after a position: the first of each lane, then the first of all.
-- in: namespace, tenant, at, id, until, limit
-- index: actions_due, lanes_namespace_tenant_type_priority_key
select a.id, a.due_at from pawl.lanes l
cross join lateral (
  select id, due_at from pawl.actions
  where lane = l.lane and standing = 'line' and status = 'queued' and (due_at, id) > (:at::bigint, :id::text)
    and due_at < :until
  order by due_at, id limit :limit
) a
where l.namespace = :namespace and l.tenant = :tenant
order by a.due_at, a.id limit :limit;

-- name: comingTimers
-- The armed timers of a tenant that are due in a range, after a position, but for those of recurrences.
-- in: namespace, tenant, at, execution, key, until, limit
-- index: timers_tenant, primary key
select t.namespace, t.tenant, t.execution, t.key, t.due_at, t.event, e.kind, e.definition from pawl.timers t
join pawl.executions e on e.namespace = t.namespace and e.tenant = t.tenant and e.id = t.execution
where t.namespace = :namespace and t.tenant = :tenant and not t.held
  and (t.due_at, t.execution, t.key) > (:at::bigint, :execution::text, :key::text) and t.due_at < :until
  and e.kind <> 'recurrence'
order by t.due_at, t.execution, t.key limit :limit;

-- name: comingRecurrences
-- The recurrences of a tenant whose timer is due before an instant, after a position. The key is told by the index alone:
-- the timers of all others cost no look at their executions.
-- in: namespace, tenant, at, execution, key, until, limit
-- index: timers_tenant, primary key
select e.*, t.due_at, t.key from pawl.timers t
join pawl.executions e on e.namespace = t.namespace and e.tenant = t.tenant and e.id = t.execution
where t.namespace = :namespace and t.tenant = :tenant and not t.held
  and (t.due_at, t.execution, t.key) > (:at::bigint, :execution::text, :key::text) and t.due_at < :until
  and t.key >= 'next/' and t.key < 'next0' and e.kind = 'recurrence'
order by t.due_at, t.execution, t.key limit :limit;

-- name: timersOf
-- The armed timers of one execution.
-- in: namespace, tenant, execution
-- index: primary key
select namespace, tenant, execution, key, due_at, event from pawl.timers
where namespace = :namespace and tenant = :tenant and execution = :execution;
