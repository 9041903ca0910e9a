-- name: bumpCounters
-- Adds to counts, in the order given; the buckets of a name add up to what there is now. Connections write to shards
-- apart, so that they do not wait for each other.
-- in: namespace, tenant, name, bucket, value
-- index: primary key
insert into pawl.counters as c (namespace, tenant, name, bucket, shard, value)
select namespace, tenant, name, bucket, pg_backend_pid() % 16, value
from unnest(:namespace::text[], :tenant::text[], :name::text[], :bucket::bigint[], :value::bigint[])
  as w (namespace, tenant, name, bucket, value)
on conflict (namespace, tenant, name, bucket, shard) do update set value = c.value + excluded.value;

-- name: readCounters
-- The counts of a tenant, those that still stand on receipts and tallies among them.
-- in: namespace, tenant
-- index: primary key
select name, sum(value)::bigint as value
from (
  select name, value from pawl.counters where namespace = :namespace and tenant = :tenant
  union all
  select n ->> 2, (n ->> 4)::bigint from pawl.receipts cross join json_array_elements(counts) as n
  where n ->> 0 = :namespace and n ->> 1 = :tenant
  union all
  select w.name, w.value
  from pawl.tallies cross join unnest(namespaces, tenants, names, amounts) as w (namespace, tenant, name, value)
  where w.namespace = :namespace and w.tenant = :tenant
) c group by name;

-- name: foldCounters
-- Counts in buckets past their time are added to the one without a time.
-- in: before, limit
-- index: none (as many rows as names, hours and tenants)
with old as (
  select namespace, tenant, name, bucket, shard from pawl.counters where bucket > 0 and bucket < :before limit :limit
  for update skip locked
), gone as (
  delete from pawl.counters c using old
  where c.namespace = old.namespace and c.tenant = old.tenant and c.name = old.name and c.bucket = old.bucket
    and c.shard = old.shard
  returning c.namespace, c.tenant, c.name, c.value
), folded as (
  insert into pawl.counters as c (namespace, tenant, name, bucket, shard, value)
  select namespace, tenant, name, 0, 0, sum(value) from gone group by namespace, tenant, name order by 1, 2, 3
  on conflict (namespace, tenant, name, bucket, shard) do update set value = c.value + excluded.value
)
select count(*) as count from gone;
