-- name: clock
-- The database's own clock, in milliseconds.
-- in: nothing
-- index: none (no table)
select cast(round(unixepoch('subsec') * 1000) as integer) as now;

-- name: readMeta
-- Everything the store knows about itself.
-- in: nothing
-- index: none (a handful of rows)
select key, value from store_meta;

-- name: insertMeta
-- Written once, by whoever comes first.
-- in: key, value
-- index: primary key
insert into store_meta (key, value) values (:key, :value) on conflict (key) do nothing;

-- name: writeMeta
-- Sets a value that may change.
-- in: key, value
-- index: primary key
insert into store_meta (key, value) values (:key, :value) on conflict (key) do update set value = excluded.value;

-- name: readMigrations
-- The ledger, in order.
-- in: nothing
-- index: none (a handful of rows)
select number, name, checksum, breaking from migrations order by number;

-- name: insertMigration
-- Writes one migration into the ledger.
-- in: number, name, checksum, breaking, at
-- index: primary key
insert into migrations (number, name, checksum, breaking, applied_at)
values (:number, :name, :checksum, :breaking, :at);

-- name: findMeta
-- One thing the store knows about itself.
-- in: key
-- index: primary key
select value from store_meta where key = :key;

-- name: raiseMeta
-- A number that only grows.
-- in: key, value
-- index: primary key
insert into store_meta (key, value) values (:key, :value)
on conflict (key) do update set value = excluded.value
where cast(store_meta.value as integer) < cast(excluded.value as integer);
