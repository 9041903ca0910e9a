-- name: findLanes
-- The lanes of types and priorities that were interned before.
-- in: namespaces, tenants, types, priorities
-- index: lanes_namespace_tenant_type_priority_key
select l.lane, l.namespace, l.tenant, l.type, l.priority
from unnest(:namespaces::text[], :tenants::text[], :types::text[], :priorities::int[]) as k (namespace, tenant, type, priority)
cross join lateral (
  select * from pawl.lanes
  where namespace = k.namespace and tenant = k.tenant and type = k.type and priority = k.priority offset 0
) l;

-- name: insertLanes
-- Interns lanes, outside of any commit: a lane that nobody uses does no harm, a lock on it would.
-- in: namespaces, tenants, types, priorities
-- index: lanes_namespace_tenant_type_priority_key
insert into pawl.lanes (namespace, tenant, type, priority)
select * from unnest(:namespaces::text[], :tenants::text[], :types::text[], :priorities::int[])
on conflict do nothing;

-- name: allLanes
-- Every lane number: who was away for a while does not know which have news.
-- in: nothing
-- index: none (a few thousand rows)
select lane from pawl.lanes;

-- name: tenantLanes
-- The lanes a tenant's live rows are found by.
-- in: namespace, tenant
-- index: lanes_namespace_tenant_type_priority_key
select lane, type from pawl.lanes where namespace = :namespace and tenant = :tenant;

-- name: heads
-- Every lane with queued rows: its oldest due time, and how many are due, counted up to a bound. Parked lanes are
-- negative and never seen. Jumps from lane to lane, so it costs what is in line and not what was ever interned.
-- in: now, bound
-- index: actions_due
with recursive busy (lane) as (
  (select lane from pawl.actions where standing = 'line' and lane > 0 order by lane limit 1)
  union all
  select (select a.lane from pawl.actions a where a.standing = 'line' and a.lane > busy.lane order by a.lane limit 1)
  from busy where busy.lane is not null
)
select l.lane, l.namespace, l.tenant, l.type, l.priority, h.due_at,
  (select count(*) from (
    select 1 from pawl.actions a
    where a.lane = l.lane and a.standing = 'line' and a.status = 'queued'
      and a.due_at <= coalesce(:now::bigint, pawl.clock_ms())
    order by a.due_at, a.id limit :bound
  ) counted) as due
from busy join pawl.lanes l on l.lane = busy.lane
cross join lateral (
  select a.due_at from pawl.actions a where a.lane = l.lane and a.standing = 'line' and a.status = 'queued'
  order by a.due_at, a.id limit 1
) h
where busy.lane is not null;
