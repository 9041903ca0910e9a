-- name: insertEvents
-- Lines of history and of the feed, in order.
-- in: namespace, tenant, execution, number, type, at, prev_hash, hash, data
-- index: primary key
insert into pawl.events (namespace, tenant, execution, number, type, at, prev_hash, hash, data)
select namespace, tenant, execution, number, type, at, prev_hash, hash, data
from (
  select unnest(:namespace::text[]) as namespace, unnest(:tenant::text[]) as tenant, unnest(:execution::text[]) as execution,
    unnest(:number::int[]) as number, unnest(:type::text[]) as type, unnest(:at::bigint[]) as at,
    unnest(:prev_hash::text[]) as prev_hash, unnest(:hash::text[]) as hash, unnest(:data::json[]) as data
) w;

-- name: readHistory
-- The chain of one execution after a number.
-- in: namespace, tenant, execution, after, limit
-- index: events_history
select execution, number, type, at, prev_hash, hash, data from pawl.events
where namespace = :namespace and tenant = :tenant and execution = :execution and number is not null and number > :after
order by number limit :limit;

-- name: readFeed
-- A tenant's events after a position, below the oldest transaction still open: none can appear before them later.
-- in: namespace, tenant, xid, seq, limit
-- index: events_tenant
select xid::text as xid, seq, execution, number, type, at, data from pawl.events
where namespace = :namespace and tenant = :tenant and (xid, seq) > (:xid::xid8, :seq::bigint)
  and xid < pg_snapshot_xmin(pg_current_snapshot())
order by events.xid, events.seq limit :limit;

-- name: feedHorizon
-- Everything below this transaction is committed, or never will be.
-- in: nothing
-- index: none (no table)
select pg_snapshot_xmin(pg_current_snapshot())::text as xid;

-- name: feedSlice
-- Events between two positions, to be covered by a checkpoint.
-- in: xid, seq, upto, limit
-- index: primary key
select xid::text as xid, seq, namespace, tenant, execution, number, type, at, prev_hash, hash, data from pawl.events
where (xid, seq) > (:xid::xid8, :seq::bigint) and xid < :upto::xid8
order by events.xid, events.seq limit :limit;

-- name: rebaseEvents
-- After a restore into another server its transactions may be numbered lower than those in the rows: these are made
-- the oldest, in their order.
-- in: nothing
-- index: primary key
update pawl.events set xid = '3'::xid8 where xid > pg_current_xact_id();

-- name: pruneEvents
-- Events past their time among the oldest, which were written first, by whole transactions; the partitions before go as a whole.
-- in: before, limit
-- index: primary key
with gone as (
  delete from pawl.events where at < :before and xid = any (array(
    select xid from pawl.events order by xid limit :limit
  ))
  returning seq
)
select count(*) as count from gone;
