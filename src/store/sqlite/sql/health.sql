-- name: putHealth
-- What one process measured of one action name in one hour: the whole of it, every time.
-- in: namespace, tenant, name, type, bucket, writer, measured
-- index: primary key
insert into health (namespace, tenant, name, type, bucket, writer, measured)
values (:namespace, :tenant, :name, :type, :bucket, :writer, :measured)
on conflict (namespace, tenant, name, bucket, type, writer) do update set measured = excluded.measured;

-- name: recentHealth
-- What was measured since then, of every name.
-- in: namespace, tenant, since, limit
-- index: health_recent
select * from health where namespace = :namespace and tenant = :tenant and bucket >= :since
order by bucket desc limit :limit;

-- name: healthOfName
-- What was measured since then, of one name.
-- in: namespace, tenant, name, since, limit
-- index: primary key
select * from health where namespace = :namespace and tenant = :tenant and name = :name and bucket >= :since
order by bucket desc limit :limit;

-- name: pruneHealth
-- A slice of the hours from before.
-- in: before, limit
-- index: health_age
delete from health where rowid in (select rowid from health where bucket < :before order by bucket limit :limit);
