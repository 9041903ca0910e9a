-- name: openReceipt
-- The receipt of a connection, and the end of the one it had, whose counts go where all are. They go to shards that no commit adds to:
-- whoever opens a receipt meets those first, and its own afterwards. By its process the connection can be ended.
-- in: writer, old
-- index: primary key
with gone as (
  delete from pawl.receipts where writer = :old returning counts
), kept as (
  insert into pawl.counters as c (namespace, tenant, name, bucket, shard, value)
  select n ->> 0, n ->> 1, n ->> 2, (n ->> 3)::bigint, 16 + pg_backend_pid() % 16, (n ->> 4)::bigint
  from gone cross join json_array_elements(counts) as n order by 1, 2, 3, 4
  on conflict (namespace, tenant, name, bucket, shard) do update set value = c.value + excluded.value
)
insert into pawl.receipts (writer, number, at) values (:writer, 0, pawl.clock_ms()) returning pg_backend_pid() as pid;

-- name: signReceipt
-- The first thing a commit in one piece does: one more than the last, in the epoch it was decided in. Else the whole is undone. What
-- all who signed have counted stands on it, too: a row of counters would be written beside it, 31 us of a commit.
-- in: writer, number, epoch, counts
-- index: primary key
with signed as (
  update pawl.receipts set number = :number::bigint, at = pawl.clock_ms(), counts = :counts::json
  where writer = :writer and number = :number::bigint - 1 and not void
    and exists (select from pawl.store_meta where key = 'epoch' and value = :epoch)
  returning 1
)
select 1 / (count(*) = 1)::int as whole from signed;

-- name: signGuarded
-- The same, of a commit that begins something: with nothing paused of what it asks for. `eager`: no tenant and no type may be. To look
-- for what is not there costs as much as all else of it, 40 us of a commit, so that those who need not know do not ask.
-- in: writer, number, epoch, counts, eager, namespaces, tenants, scopes, values
-- index: primary key
with signed as (
  update pawl.receipts set number = :number::bigint, at = pawl.clock_ms(), counts = :counts::json
  where writer = :writer and number = :number::bigint - 1 and not void
    and exists (select from pawl.store_meta where key = 'epoch' and value = :epoch)
    and not (:eager::boolean and exists (select from pawl.pauses where scope in ('tenant', 'type')))
    and not exists (
      select from unnest(:namespaces::text[], :tenants::text[], :scopes::text[], :values::text[])
        as k (namespace, tenant, scope, value)
      cross join lateral (
        select from pawl.pauses
        where namespace = k.namespace and tenant = k.tenant and scope = k.scope and value = k.value offset 0
      ) p
    )
  returning 1
)
select 1 / (count(*) = 1)::int as whole from signed;

-- name: signAlike
-- What `signReceipt` does and then `insertAlike`, of a commit that does nothing else: to begin and end one statement instead of two, and
-- to be sent one, is 6 % of the actions that are enqueued one by one.
-- in: writer, number, epoch, counts, id, namespace, tenant, lane, due_at, size, marked, created_at, plan
-- index: primary key
with signed as (
  update pawl.receipts set number = :number::bigint, at = pawl.clock_ms(), counts = :counts::json
  where writer = :writer and number = :number::bigint - 1 and not void
    and exists (select from pawl.store_meta where key = 'epoch' and value = :epoch)
  returning 1
), inserted as (
  insert into pawl.actions (id, namespace, tenant, lane, source_kind, source_id, status, standing, due_at, attempt, lost, reaps,
    token, size, marked, cancel_requested, created_at, plan)
  select id, :namespace, :tenant, :lane::int, 'direct', id, 'queued', 'line', due_at, 0, 0, 0, 0, size, :marked::boolean, false,
    created_at, plan
  from (
    select unnest(:id::text[]) as id, unnest(:due_at::bigint[]) as due_at, unnest(:size::int[]) as size,
      unnest(:created_at::bigint[]) as created_at, unnest(:plan::json[]) as plan
  ) w
)
select 1 / (count(*) = 1)::int as whole from signed;

-- name: voidReceipt
-- The last number that was signed, and no other will be. Fails while a commit that signs it is under way.
-- in: writer
-- index: primary key
with was as (
  select number from pawl.receipts where writer = :writer for update nowait
), voided as (
  update pawl.receipts set void = true where writer = :writer
)
select number from was;

-- name: pruneReceipts
-- Of connections that have not signed for a day. One that is there opens another. Their counts go where all are.
-- in: limit
-- index: none (as many rows as connections in a day)
with gone as (
  delete from pawl.receipts where ctid = any (array(
    select ctid from pawl.receipts where at < pawl.clock_ms() - 86400000 limit :limit
  )) returning counts
), kept as (
  insert into pawl.counters as c (namespace, tenant, name, bucket, shard, value)
  select n ->> 0, n ->> 1, n ->> 2, (n ->> 3)::bigint, 16 + pg_backend_pid() % 16, sum((n ->> 4)::bigint)
  from gone cross join json_array_elements(counts) as n group by 1, 2, 3, 4 order by 1, 2, 3, 4
  on conflict (namespace, tenant, name, bucket, shard) do update set value = c.value + excluded.value
)
select count(*) as count from gone;
