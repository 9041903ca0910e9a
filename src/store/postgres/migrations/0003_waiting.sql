-- What waits for one execution is found by it, in order, and what has failed holds its events and timers like what is
-- paused.

create index inbox_execution on pawl.inbox (namespace, tenant, execution, seq) where applied_at is null;

update pawl.inbox set held = true
where applied_at is null and not held and exists (
  select 1 from pawl.executions x
  where x.namespace = inbox.namespace and x.tenant = inbox.tenant and x.id = inbox.execution and x.status = 'failed'
);

update pawl.timers set held = true
where not held and exists (
  select 1 from pawl.executions x
  where x.namespace = timers.namespace and x.tenant = timers.tenant and x.id = timers.execution and x.status = 'failed'
);
