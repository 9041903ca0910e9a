-- What waits for one execution is found by it, in order, and what has failed holds its events and timers like what is
-- paused.

create index inbox_execution on inbox (namespace, tenant, execution, seq) where applied_at is null;

update inbox set held = 1
where applied_at is null and not held and exists (
  select 1 from executions x
  where x.namespace = inbox.namespace and x.tenant = inbox.tenant and x.id = inbox.execution and x.status = 'failed'
);

update timers set held = 1
where not held and exists (
  select 1 from executions x
  where x.namespace = timers.namespace and x.tenant = timers.tenant and x.id = timers.execution and x.status = 'failed'
);
