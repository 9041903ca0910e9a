-- name: putHealth
-- What one process measured of action names in their hours: the whole of it, every time.
-- in: rows
-- index: primary key
insert into pawl.health (namespace, tenant, name, type, bucket, writer, measured)
select namespace, tenant, name, type, bucket, writer, measured from json_to_recordset(:rows::json)
  as given (namespace text, tenant text, name text, type text, bucket bigint, writer text, measured json)
on conflict (namespace, tenant, name, bucket, type, writer) do update set measured = excluded.measured;

-- name: recentHealth
-- What was measured since then, of every name.
-- in: namespace, tenant, since, limit
-- index: health_recent
select * from pawl.health where namespace = :namespace and tenant = :tenant and bucket >= :since
order by bucket desc limit :limit;

-- name: healthOfName
-- What was measured since then, of one name.
-- in: namespace, tenant, name, since, limit
-- index: primary key
select * from pawl.health where namespace = :namespace and tenant = :tenant and name = :name and bucket >= :since
order by bucket desc limit :limit;

-- name: pruneHealth
-- A slice of the hours from before.
-- in: before, limit
-- index: health_age
delete from pawl.health where ctid = any (array(
  select ctid from pawl.health where bucket < :before order by bucket limit :limit for update skip locked
));
