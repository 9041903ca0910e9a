-- name: takeKey
-- Takes a key that nobody has, or that is past its time.
-- in: namespace, tenant, key, request_hash, holder, until, now
-- index: primary key
insert into idempotency (namespace, tenant, key, request_hash, holder, until)
values (:namespace, :tenant, :key, :request_hash, :holder, :until)
on conflict (namespace, tenant, key) do update set request_hash = excluded.request_hash, holder = excluded.holder,
  until = excluded.until, answer = null
where idempotency.until <= :now;

-- name: readTaken
-- Who has a key, and the answer if there is one.
-- in: namespace, tenant, key
-- index: primary key
select request_hash, answer from idempotency where namespace = :namespace and tenant = :tenant and key = :key;

-- name: keepAnswer
-- The answer, for everyone who asks the same again.
-- in: namespace, tenant, key, holder, answer, until
-- index: primary key
update idempotency set answer = :answer, until = :until
where namespace = :namespace and tenant = :tenant and key = :key and holder = :holder;

-- name: releaseKey
-- Nothing was done: whoever asks again, asks anew.
-- in: namespace, tenant, key, holder
-- index: primary key
delete from idempotency
where namespace = :namespace and tenant = :tenant and key = :key and holder = :holder and answer is null;

-- name: forgetKeys
-- Some of those that are past their time.
-- in: now, limit
-- index: idempotency_until
delete from idempotency where rowid in (
  select rowid from idempotency where until <= :now order by until limit :limit
);
