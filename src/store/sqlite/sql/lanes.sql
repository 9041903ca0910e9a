-- name: findLane
-- The lane of a type and priority, if it was interned before.
-- in: namespace, tenant, type, priority
-- index: primary key
select lane from lanes where namespace = :namespace and tenant = :tenant and type = :type and priority = :priority;

-- name: insertLane
-- Interns a lane.
-- in: namespace, tenant, type, priority
-- index: primary key
insert into lanes (namespace, tenant, type, priority) values (:namespace, :tenant, :type, :priority) returning lane;

-- name: allLanes
-- Every lane number: who is woken by another process's commit does not know which.
-- in: nothing
-- index: none (a few thousand rows)
select lane from lanes;

-- name: tenantLanes
-- The lanes a tenant's live rows are found by.
-- in: namespace, tenant
-- index: primary key
select lane, type from lanes where namespace = :namespace and tenant = :tenant;

-- name: heads
-- Every lane with queued rows: its oldest due time, and how many are due, counted up to a bound. Parked lanes are
-- negative and never seen. Jumps from lane to lane, so it costs what is queued and not what was ever interned.
-- in: now, bound
-- index: actions_due
with recursive busy (lane) as (
  select min(lane) from actions where status = 'queued' and lane > 0
  union all
  select (select min(a.lane) from actions a where a.status = 'queued' and a.lane > busy.lane)
  from busy where busy.lane is not null
)
select l.lane, l.namespace, l.tenant, l.type, l.priority,
  (select a.due_at from actions a where a.lane = l.lane and a.status = 'queued' order by a.due_at, a.id limit 1) as due_at,
  (select count(*) from (
    select 1 from actions a where a.lane = l.lane and a.status = 'queued' and a.due_at <= :now limit :bound
  )) as due
from busy join lanes l on l.lane = busy.lane
where busy.lane is not null;
