-- name: putOutbox
-- What would have been sent, once per action.
-- in: namespace, tenant, id, at, type, action, entry
-- index: primary key
insert into pawl.outbox (namespace, tenant, id, at, type, action, entry)
values (:namespace, :tenant, :id, :at, :type, :action, :entry::json)
on conflict (namespace, tenant, id) do update set at = excluded.at, type = excluded.type, action = excluded.action,
  entry = excluded.entry;

-- name: findOutbox
-- One entry by its id.
-- in: namespace, tenant, id
-- index: primary key
select * from pawl.outbox where namespace = :namespace and tenant = :tenant and id = :id;

-- name: recentOutbox
-- The entries of a tenant, newest first.
-- in: namespace, tenant, at, id, limit
-- index: outbox_recent
select * from pawl.outbox where namespace = :namespace and tenant = :tenant and (at, id) < (:at::bigint, :id)
order by at desc, id desc limit :limit;

-- name: pruneOutbox
-- A slice of the entries from before.
-- in: before, limit
-- index: outbox_age
delete from pawl.outbox where ctid = any (array(
  select ctid from pawl.outbox where at < :before order by at limit :limit for update skip locked
));
