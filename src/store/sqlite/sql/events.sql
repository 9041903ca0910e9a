-- name: insertEvent
-- One line of history, or of the feed. One writer at a time: the order of seq is the order of commits.
-- in: namespace, tenant, execution, number, type, at, prev_hash, hash, data
-- index: primary key
insert into events (namespace, tenant, execution, number, type, at, prev_hash, hash, data)
values (:namespace, :tenant, :execution, :number, :type, :at, :prev_hash, :hash, :data);

-- name: readHistory
-- The chain of one execution after a number.
-- in: namespace, tenant, execution, after, limit
-- index: events_history
select execution, number, type, at, prev_hash, hash, data from events
where namespace = :namespace and tenant = :tenant and execution = :execution and number is not null and number > :after
order by number limit :limit;

-- name: readFeed
-- A tenant's events after a position.
-- in: namespace, tenant, after, limit
-- index: events_tenant
select seq, execution, number, type, at, prev_hash, hash, data from events
where namespace = :namespace and tenant = :tenant and seq > :after order by seq limit :limit;

-- name: feedPosition
-- The newest event of all.
-- in: nothing
-- index: none (the last row, by seq)
select coalesce(max(seq), 0) as position from events;

-- name: feedSlice
-- Events between two positions, to be covered by a checkpoint.
-- in: after, upto, limit
-- index: primary key
select seq, namespace, tenant, execution, number, type, at, prev_hash, hash, data from events
where seq > :after and seq <= :upto order by seq limit :limit;

-- name: pruneEvents
-- Events past their time among the oldest.
-- in: before, limit
-- index: none (the first rows, by seq)
delete from events where seq in (
  select seq from (select seq, at from events order by seq limit :limit) where at < :before
);
