-- name: openReceipt
-- The receipt of a connection, and the end of the one it had. By its process the connection can be ended.
-- in: writer, old
-- index: primary key
with gone as (delete from pawl.receipts where writer = :old)
insert into pawl.receipts (writer, number, at) values (:writer, 0, pawl.clock_ms()) returning pg_backend_pid() as pid;

-- name: signReceipt
-- The first thing a commit in one piece does: one more than the last, in the epoch it was decided in. Else the whole is undone.
-- in: writer, number, epoch
-- index: primary key
with signed as (
  update pawl.receipts set number = :number::bigint, at = pawl.clock_ms()
  where writer = :writer and number = :number::bigint - 1 and not void
    and exists (select from pawl.store_meta where key = 'epoch' and value = :epoch)
  returning 1
)
select 1 / (count(*) = 1)::int as whole from signed;

-- name: signGuarded
-- The same, of a commit that begins something: with nothing paused of what it asks for. `eager`: no tenant and no type may be. To look
-- for what is not there costs as much as all else of it, 40 us of a commit, so that those who need not know do not ask.
-- in: writer, number, epoch, eager, namespaces, tenants, scopes, values
-- index: primary key
with signed as (
  update pawl.receipts set number = :number::bigint, at = pawl.clock_ms()
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
-- Of connections that have not signed for a day. One that is there opens another.
-- in: limit
-- index: none (as many rows as connections in a day)
delete from pawl.receipts where ctid = any (array(
  select ctid from pawl.receipts where at < pawl.clock_ms() - 86400000 limit :limit
));
