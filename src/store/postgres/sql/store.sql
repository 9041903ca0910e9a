-- name: enter
-- What every commit looks at first: the clock, the epoch, and by what number its transaction can be asked about later.
-- in: nothing
-- index: primary key
select pawl.clock_ms() as clock, (select value from pawl.store_meta where key = 'epoch') as epoch,
  pg_current_xact_id()::text as xid, left(pg_walfile_name(pg_current_wal_lsn()), 8) as timeline, pg_backend_pid() as pid;

-- name: serverLife
-- By what this life of the server can be told from the one before a crash: numbers of transactions are given again after it.
-- in: nothing
-- index: none (no table)
select concat_ws(' ', pg_postmaster_start_time(), string_agg(pid::text, ' ' order by pid)) as life
from pg_stat_activity where backend_type = 'checkpointer';

-- name: transactionStatus
-- What became of a transaction whose end was not heard of, on the same line of history and in the same life of the server.
-- in: xid, life
-- index: none (no table)
select case when (
    select concat_ws(' ', pg_postmaster_start_time(), string_agg(pid::text, ' ' order by pid))
    from pg_stat_activity where backend_type = 'checkpointer'
  ) = :life::text then pg_xact_status(:xid::xid8) end as status,
  left(pg_walfile_name(pg_current_wal_lsn()), 8) as timeline;

-- name: endBackend
-- Ends the connection of a transaction that nobody will end.
-- in: pid
-- index: none (no table)
select pg_terminate_backend(:pid::int);

-- name: clock
-- The database's own clock, in milliseconds.
-- in: nothing
-- index: none (no table)
select pawl.clock_ms() as now;

-- name: session
-- Who is behind this connection, and does it keep what it is told to keep?
-- in: nothing
-- index: none (no table)
select pg_backend_pid() as pid, current_setting('fsync') as fsync, current_setting('full_page_writes') as full_pages,
  current_setting('synchronous_commit') as synchronous,
  current_setting('default_transaction_isolation') as isolation, current_setting('server_version') as version,
  row_security_active('pawl.actions') as restricted;

-- name: readMeta
-- Everything the store knows about itself.
-- in: nothing
-- index: none (a handful of rows)
select key, value from pawl.store_meta;

-- name: insertMeta
-- Written once, by whoever comes first.
-- in: key, value
-- index: primary key
insert into pawl.store_meta (key, value) values (:key, :value) on conflict (key) do nothing;

-- name: nextEpoch
-- One more than before.
-- in: nothing
-- index: primary key
update pawl.store_meta set value = (value::bigint + 1)::text where key = 'epoch' returning value;

-- name: notify
-- Tells the listeners of other processes. Nobody waits for the disk here: a notice that is lost is made good by the scan.
-- in: payload
-- index: none (no table)
select pg_notify('pawl', :payload), set_config('synchronous_commit', 'off', true);

-- name: storeState
-- Is there a store here, and does its schema hold anything else?
-- in: nothing
-- index: none (catalog)
select to_regclass('pawl.migrations') is not null as known,
  exists (select from pg_class where relnamespace = to_regnamespace('pawl')) as occupied,
  (extract(epoch from statement_timestamp()) * 1000)::bigint as now;

-- name: readMigrations
-- The ledger, in order.
-- in: nothing
-- index: none (a handful of rows)
select number, name, checksum, breaking from pawl.migrations order by number;

-- name: insertMigration
-- Writes one migration into the ledger.
-- in: number, name, checksum, breaking, at
-- index: primary key
insert into pawl.migrations (number, name, checksum, breaking, applied_at)
values (:number, :name, :checksum, :breaking, :at);

-- name: lockMigrations
-- One migrator at a time; 7016988 is the store's own number among advisory locks.
-- in: nothing
-- index: none (no table)
select pg_advisory_xact_lock(7016988);

-- name: readerRole
-- May the reader role be made, and is it there?
-- in: nothing
-- index: none (catalog)
select exists (select from pg_roles where rolname = 'pawl_reader') as present,
  (select rolsuper or rolcreaterole from pg_roles where rolname = current_user) as allowed;

-- name: partitions
-- The monthly partitions of a table, by name.
-- in: parent
-- index: none (catalog)
select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
where i.inhparent = to_regclass(:parent) order by c.relname;

-- name: findMeta
-- One thing the store knows about itself.
-- in: key
-- index: primary key
select value from pawl.store_meta where key = :key;

-- name: raiseMeta
-- A number that only grows.
-- in: key, value
-- index: primary key
insert into pawl.store_meta as m (key, value) values (:key, :value)
on conflict (key) do update set value = excluded.value where m.value::bigint < excluded.value::bigint;

-- name: writeMeta
-- Sets a value that may change.
-- in: key, value
-- index: primary key
insert into pawl.store_meta (key, value) values (:key, :value) on conflict (key) do update set value = excluded.value;
