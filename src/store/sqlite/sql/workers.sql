-- name: beatWorker
-- A process is there, and what it can do.
-- in: id, started_at, seen_at, slots, version, host, types, definitions
-- index: primary key
insert into workers (id, started_at, seen_at, slots, version, host, types, definitions)
values (:id, :started_at, :seen_at, :slots, :version, :host, :types, :definitions)
on conflict (id) do update set started_at = excluded.started_at, seen_at = excluded.seen_at, slots = excluded.slots,
  version = excluded.version, host = excluded.host, types = excluded.types, definitions = excluded.definitions;

-- name: forgetWorkers
-- Processes that ended without a word, long ago.
-- in: before, limit
-- index: workers_seen
delete from workers where id in (select id from workers where seen_at < :before order by seen_at limit :limit);

-- name: listWorkers
-- The processes seen since then.
-- in: since
-- index: workers_seen
select * from workers where seen_at >= :since;

-- name: deleteWorker
-- A process that ends says so.
-- in: id
-- index: primary key
delete from workers where id = :id;
