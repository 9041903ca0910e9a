-- name: findDedup
-- Who holds the key?
-- in: namespace, tenant, key
-- index: primary key
select action, until from dedup where namespace = :namespace and tenant = :tenant and key = :key;

-- name: takeDedup
-- The key is this action's from now on.
-- in: namespace, tenant, key, action, until
-- index: primary key
insert into dedup (namespace, tenant, key, action, until) values (:namespace, :tenant, :key, :action, :until)
on conflict (namespace, tenant, key) do update set action = excluded.action, until = excluded.until;

-- name: releaseDedup
-- Its action has ended; a key kept for a time stays.
-- in: namespace, tenant, key, action
-- index: primary key
delete from dedup
where namespace = :namespace and tenant = :tenant and key = :key and action = :action and until is null;

-- name: dropDedup
-- Its action is dead: the key is free, however long it was to be kept.
-- in: namespace, tenant, key, action
-- index: primary key
delete from dedup where namespace = :namespace and tenant = :tenant and key = :key and action = :action;

-- name: pruneDedup
-- Keys past their time.
-- in: before, limit
-- index: dedup_until
delete from dedup where rowid in (
  select rowid from dedup where until is not null and until < :before order by until limit :limit
);
