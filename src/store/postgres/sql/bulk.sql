-- name: findBulk
-- One bulk operation of a tenant.
-- in: namespace, tenant, id
-- index: primary key
select * from pawl.bulk_operations where namespace = :namespace and tenant = :tenant and id = :id;

-- name: lockBulks
-- The operations a batch changes, locked in the order given: one look after the other.
-- in: namespaces, tenants, ids
-- index: primary key
select b.namespace, b.tenant, b.id, b.revision, b.created_at
from unnest(:namespaces::text[], :tenants::text[], :ids::text[]) as k (namespace, tenant, id)
cross join lateral (
  select * from pawl.bulk_operations where namespace = k.namespace and tenant = k.tenant and id = k.id for update
) b;

-- name: insertBulks
-- Operations that begin. One that exists is left out, which the caller counts.
-- in: rows
-- index: primary key
insert into pawl.bulk_operations (namespace, tenant, id, status, revision, lease_until, created_at, updated_at, content)
select namespace, tenant, id, status, revision, 0, created_at, updated_at, content::json
from json_to_recordset(:rows::json) as w (namespace text, tenant text, id text, status text, revision int,
  created_at bigint, updated_at bigint, content text)
on conflict (namespace, tenant, id) do nothing;

-- name: updateBulks
-- How far they have come; their revision was checked under lock.
-- in: rows
-- index: primary key
update pawl.bulk_operations b set status = w.status, revision = w.revision, updated_at = w.updated_at,
  content = w.content::json
from json_to_recordset(:rows::json) as w (namespace text, tenant text, id text, status text, revision int,
  updated_at bigint, content text)
where b.namespace = w.namespace and b.tenant = w.tenant and b.id = w.id;

-- name: takeBulk
-- The right to work on it, unless another process has it.
-- in: namespace, tenant, id, holder, lease_ms, lease
-- index: primary key
update pawl.bulk_operations set holder = :holder,
  lease_until = coalesce(:lease::bigint, pawl.clock_ms()) + :lease_ms::bigint
where namespace = :namespace and tenant = :tenant and id = :id and status = 'running'
  and (holder = :holder or lease_until <= coalesce(:lease::bigint, pawl.clock_ms()));

-- name: runningBulks
-- What runs, of all tenants, oldest first.
-- in: limit
-- index: bulk_operations_running
select * from pawl.bulk_operations where status = 'running' order by created_at, id limit :limit;

-- name: listBulks
-- A tenant's operations, newest first.
-- in: namespace, tenant, at, id, limit
-- index: bulk_operations_recent
select * from pawl.bulk_operations
where namespace = :namespace and tenant = :tenant and (created_at, id) < (:at::bigint, :id)
order by created_at desc, id desc limit :limit;

-- name: insertBulkItems
-- Actions were sent on: a second time is refused by the key.
-- in: rows
-- index: primary key
insert into pawl.bulk_items (namespace, tenant, bulk, action, watched, status, at, error)
select namespace, tenant, bulk, action, watched, status, at, error::json
from json_to_recordset(:rows::json) as w (namespace text, tenant text, bulk text, action text, watched text, status text,
  at bigint, error text);

-- name: endBulkItems
-- What was sent has been heard of: that it was sent, and not heard of, was read under the lock of its operation.
-- in: rows
-- index: primary key
update pawl.bulk_items i set status = w.status, at = w.at, error = w.error::json
from json_to_recordset(:rows::json) as w (namespace text, tenant text, bulk text, action text, status text, at bigint,
  error text)
where i.namespace = w.namespace and i.tenant = w.tenant and i.bulk = w.bulk and i.action = w.action;

-- name: sentBulkItems
-- Which of these wait to be heard of?
-- in: namespaces, tenants, bulks, actions
-- index: primary key
select i.namespace, i.tenant, i.bulk, i.action
from unnest(:namespaces::text[], :tenants::text[], :bulks::text[], :actions::text[]) as k (namespace, tenant, bulk, action)
cross join lateral (
  select * from pawl.bulk_items
  where namespace = k.namespace and tenant = k.tenant and bulk = k.bulk and action = k.action offset 0
) i
where i.status = 'sent';

-- name: findBulkItems
-- Which of these actions were sent before?
-- in: namespace, tenant, bulk, actions
-- index: primary key
select action from pawl.bulk_items
where namespace = :namespace and tenant = :tenant and bulk = :bulk and action = any (:actions::text[]);

-- name: bulkOutcomes
-- What became of the actions that were sent and not yet heard of.
-- in: namespace, tenant, bulk, after, limit
-- index: bulk_items_sent, primary key
select i.action, i.watched, coalesce(a.status, d.status) as status, coalesce(a.finished_at, d.finished_at) as finished_at,
  coalesce(a.error, d.error) as error
from (
  select * from pawl.bulk_items
  where namespace = :namespace and tenant = :tenant and bulk = :bulk and status = 'sent' and action > :after
  order by action limit :limit
) i
left join lateral (
  select status, finished_at, error from pawl.actions
  where id = i.watched and namespace = i.namespace and tenant = i.tenant offset 0
) a on true
left join lateral (
  select status, finished_at, error from pawl.actions_done
  where namespace = i.namespace and tenant = i.tenant and id = i.watched limit 1
) d on true
order by i.action;

-- name: failedItems
-- Items of an operation that failed, by action.
-- in: namespace, tenant, bulk, after, limit
-- index: bulk_items_failed
select * from pawl.bulk_items
where namespace = :namespace and tenant = :tenant and bulk = :bulk and status = 'failed' and action > :after
order by action limit :limit;

-- name: deadAfter
-- A tenant's dead letters, group by group, behind a place.
-- in: namespace, tenant, fingerprint, id, limit
-- index: actions_dead
select * from pawl.actions
where namespace = :namespace and tenant = :tenant and standing = 'dead' and (fingerprint, id) > (:fingerprint, :id)
order by fingerprint, id limit :limit;

-- name: deadOfAfter
-- The dead letters of one group, behind a place.
-- in: namespace, tenant, fingerprint, id, limit
-- index: actions_dead
select * from pawl.actions
where namespace = :namespace and tenant = :tenant and standing = 'dead' and fingerprint = :fingerprint and id > :id
order by id limit :limit;

-- name: deadBefore
-- Dead letters of all tenants that died up to an instant, oldest first.
-- in: before, at, id, limit
-- index: actions_dead_age
select * from pawl.actions where standing = 'dead' and finished_at <= :before and (finished_at, id) > (:at::bigint, :id)
order by finished_at, id limit :limit;

-- name: queuedAfter
-- Queued actions of one lane of a tenant, behind a place.
-- in: namespace, tenant, lane, due_at, id, limit
-- index: actions_due
select * from pawl.actions
where lane = :lane and standing = 'line' and status = 'queued' and (due_at, id) > (:due_at::bigint, :id)
  and namespace = :namespace and tenant = :tenant
order by due_at, id limit :limit;

-- name: pruneBulkItems
-- Items of operations that ended long ago, operation by operation: as a join, all items are read.
-- in: before, limit
-- index: bulk_operations_ended, primary key
delete from pawl.bulk_items where ctid = any (array(
  select i.place from pawl.bulk_operations b
  cross join lateral (
    select ctid as place from pawl.bulk_items
    where namespace = b.namespace and tenant = b.tenant and bulk = b.id offset 0
  ) i
  where b.status in ('stopped', 'completed') and b.updated_at < :before order by b.updated_at limit :limit
));

-- name: pruneBulks
-- Operations that ended long ago and have no items any more; each is asked for by itself, like above.
-- in: before, limit
-- index: bulk_operations_ended, primary key
delete from pawl.bulk_operations where ctid = any (array(
  select b.ctid from pawl.bulk_operations b
  where b.status in ('stopped', 'completed') and b.updated_at < :before and (
    select i.bulk from pawl.bulk_items i
    where i.namespace = b.namespace and i.tenant = b.tenant and i.bulk = b.id limit 1
  ) is null
  order by b.updated_at limit :limit
));
