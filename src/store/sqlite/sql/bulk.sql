-- name: findBulk
-- One bulk operation of a tenant.
-- in: namespace, tenant, id
-- index: primary key
select * from bulk_operations where namespace = :namespace and tenant = :tenant and id = :id;

-- name: insertBulk
-- A bulk operation begins.
-- in: namespace, tenant, id, status, at, content
-- index: primary key
insert into bulk_operations (namespace, tenant, id, status, revision, lease_until, created_at, updated_at, content)
values (:namespace, :tenant, :id, :status, 1, 0, :at, :at, :content);

-- name: updateBulk
-- How far it has come; its revision was checked.
-- in: namespace, tenant, id, status, at, content
-- index: primary key
update bulk_operations set status = :status, revision = revision + 1, updated_at = :at, content = :content
where namespace = :namespace and tenant = :tenant and id = :id;

-- name: takeBulk
-- The right to work on it, unless another process has it.
-- in: namespace, tenant, id, holder, until, now
-- index: primary key
update bulk_operations set holder = :holder, lease_until = :until
where namespace = :namespace and tenant = :tenant and id = :id and status = 'running'
  and (holder = :holder or lease_until <= :now);

-- name: runningBulks
-- What runs, of all tenants, oldest first.
-- in: limit
-- index: bulk_operations_running
select * from bulk_operations where status = 'running' order by created_at, id limit :limit;

-- name: listBulks
-- A tenant's operations, newest first.
-- in: namespace, tenant, at, id, limit
-- index: bulk_operations_recent
select * from bulk_operations
where namespace = :namespace and tenant = :tenant and (created_at, id) < (:at, :id)
order by created_at desc, id desc limit :limit;

-- name: insertBulkItem
-- An action was sent on: a second time is refused by the key.
-- in: namespace, tenant, bulk, action, watched, status, at, error
-- index: primary key
insert into bulk_items (namespace, tenant, bulk, action, watched, status, at, error)
values (:namespace, :tenant, :bulk, :action, :watched, :status, :at, :error);

-- name: endBulkItem
-- What was sent has been heard of. By its key whatever the statistics say: the plus keeps the smaller index out of it.
-- in: namespace, tenant, bulk, action, status, at, error
-- index: primary key
update bulk_items set status = :status, at = :at, error = :error
where namespace = :namespace and tenant = :tenant and bulk = :bulk and action = :action and +status = 'sent';

-- name: findBulkItem
-- Was this action sent before?
-- in: namespace, tenant, bulk, action
-- index: primary key
select 1 from bulk_items where namespace = :namespace and tenant = :tenant and bulk = :bulk and action = :action;

-- name: bulkOutcomes
-- What became of the actions that were sent and not yet heard of.
-- in: namespace, tenant, bulk, after, limit
-- index: bulk_items_sent, primary key
select i.action, i.watched, coalesce(a.status, d.status) as status, coalesce(a.finished_at, d.finished_at) as finished_at,
  coalesce(a.error, d.error) as error
from bulk_items i
left join actions a on a.id = i.watched and a.namespace = i.namespace and a.tenant = i.tenant
left join actions_done d on d.namespace = i.namespace and d.tenant = i.tenant and d.id = i.watched
where i.namespace = :namespace and i.tenant = :tenant and i.bulk = :bulk and i.status = 'sent' and i.action > :after
order by i.action limit :limit;

-- name: failedItems
-- Items of an operation that failed, by action.
-- in: namespace, tenant, bulk, after, limit
-- index: bulk_items_failed
select * from bulk_items
where namespace = :namespace and tenant = :tenant and bulk = :bulk and status = 'failed' and action > :after
order by action limit :limit;

-- name: deadAfter
-- A tenant's dead letters, group by group, behind a place.
-- in: namespace, tenant, fingerprint, id, limit
-- index: actions_dead
select * from actions
where namespace = :namespace and tenant = :tenant and status = 'dead' and (fingerprint, id) > (:fingerprint, :id)
order by fingerprint, id limit :limit;

-- name: deadOfAfter
-- The dead letters of one group, behind a place.
-- in: namespace, tenant, fingerprint, id, limit
-- index: actions_dead
select * from actions
where namespace = :namespace and tenant = :tenant and status = 'dead' and fingerprint = :fingerprint and id > :id
order by id limit :limit;

-- name: deadBefore
-- Dead letters of all tenants that died up to an instant, oldest first.
-- in: before, at, id, limit
-- index: actions_dead_age
select * from actions where status = 'dead' and finished_at <= :before and (finished_at, id) > (:at, :id)
order by finished_at, id limit :limit;

-- name: queuedAfter
-- Queued actions of one lane of a tenant, behind a place.
-- in: namespace, tenant, lane, due_at, id, limit
-- index: actions_due
select * from actions
where lane = :lane and status = 'queued' and (due_at, id) > (:due_at, :id) and namespace = :namespace and tenant = :tenant
order by due_at, id limit :limit;

-- name: pruneBulkItems
-- Items of operations that ended long ago.
-- in: before, limit
-- index: bulk_operations_ended, primary key
delete from bulk_items where rowid in (
  select i.rowid from bulk_operations b
  join bulk_items i on i.namespace = b.namespace and i.tenant = b.tenant and i.bulk = b.id
  where b.status in ('stopped', 'completed') and b.updated_at < :before limit :limit
);

-- name: pruneBulks
-- Operations that ended long ago and have no items any more.
-- in: before, limit
-- index: bulk_operations_ended
delete from bulk_operations where rowid in (
  select b.rowid from bulk_operations b
  where b.status in ('stopped', 'completed') and b.updated_at < :before and not exists (
    select 1 from bulk_items i where i.namespace = b.namespace and i.tenant = b.tenant and i.bulk = b.id
  )
  limit :limit
);
