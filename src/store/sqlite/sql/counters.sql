-- name: bumpCounter
-- Adds to a count; the buckets of a name add up to what there is now.
-- in: namespace, tenant, name, bucket, by
-- index: primary key
insert into counters (namespace, tenant, name, bucket, shard, value) values (:namespace, :tenant, :name, :bucket, 0, :by)
on conflict (namespace, tenant, name, bucket, shard) do update set value = value + excluded.value;

-- name: readCounters
-- The counts of a tenant.
-- in: namespace, tenant
-- index: primary key
select name, sum(value) as value from counters where namespace = :namespace and tenant = :tenant group by name;

-- name: oldCounters
-- Counts in buckets past their time.
-- in: before, limit
-- index: none (as many rows as names, hours and tenants)
select namespace, tenant, name, bucket, shard, value from counters where bucket > 0 and bucket < :before limit :limit;

-- name: deleteCounter
-- A bucket that was added to the one without a time.
-- in: namespace, tenant, name, bucket, shard
-- index: primary key
delete from counters
where namespace = :namespace and tenant = :tenant and name = :name and bucket = :bucket and shard = :shard;
