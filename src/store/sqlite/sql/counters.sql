-- name: bumpCounter
-- Adds to a count; the buckets of a name add up to what there is now.
-- in: namespace, tenant, name, bucket, by
-- index: primary key
insert into counters (namespace, tenant, name, bucket, shard, value) values (:namespace, :tenant, :name, :bucket, 0, :by)
on conflict (namespace, tenant, name, bucket, shard) do update set value = value + excluded.value;

-- name: readCounters
-- The counts of a tenant, those in tallies among them.
-- in: namespace, tenant
-- index: primary key
select name, sum(value) as value
from (
  select name, value from counters where namespace = :namespace and tenant = :tenant
  union all
  select json_each.key, json_each.value
  from tallies, json_each(substr(tallies.counts, 9)) given, json_each(given.value, '$[3]')
  where given.value ->> 0 = :namespace and given.value ->> 1 = :tenant
) group by name;

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

-- name: lastTally
-- The newest of what was counted and is not yet with the counters.
-- in: nothing
-- index: none (the last row)
select coalesce(max(number), 0) as number from tallies;

-- name: insertTally
-- What one transaction has counted of many tenants: a JSON list of (namespace, tenant, hour, counts by name).
-- in: counts
-- index: none (insert only)
insert into tallies (counts) values (:counts);

-- name: readTallies
-- All of them.
-- in: nothing
-- index: none (a few)
select number, counts from tallies;

-- name: clearTallies
-- They were added to the counters.
-- in: nothing
-- index: none (a few)
delete from tallies;
