-- name: beatWorker
-- A process is there, and what it can do.
-- in: id, started_at, slots, version, host, types, definitions
-- index: primary key
insert into pawl.workers (id, started_at, seen_at, slots, version, host, types, definitions)
values (:id, :started_at, pawl.clock_ms(), :slots, :version, :host, :types::json, :definitions::json)
on conflict (id) do update set started_at = excluded.started_at, seen_at = excluded.seen_at, slots = excluded.slots,
  version = excluded.version, host = excluded.host, types = excluded.types, definitions = excluded.definitions;

-- name: forgetWorkers
-- Processes that ended without a word, long ago.
-- in: age, limit
-- index: workers_seen
delete from pawl.workers where id = any (array(
  select id from pawl.workers where seen_at < pawl.clock_ms() - :age::bigint order by seen_at limit :limit
  for update skip locked
));

-- name: listWorkers
-- The processes seen within a time.
-- in: within
-- index: workers_seen
select * from pawl.workers where seen_at >= pawl.clock_ms() - :within::bigint;

-- name: deleteWorker
-- A process that ends says so.
-- in: id
-- index: primary key
delete from pawl.workers where id = :id;
