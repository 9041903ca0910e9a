-- name: anyKey
-- Was there ever a key?
-- in: nothing
-- index: none (one look)
select exists (select 1 from keys) as found;

-- name: insertKey
-- A new key, by the hash of its token.
-- in: id, namespace, tenant, name, prefix, hash, scopes, operator, created_at, expires_at
-- index: primary key
insert into keys (id, namespace, tenant, name, prefix, hash, scopes, operator, created_at, expires_at)
values (:id, :namespace, :tenant, :name, :prefix, :hash, :scopes, :operator, :created_at, :expires_at);

-- name: findKey
-- By the hash of its token, whoever's it is.
-- in: hash
-- index: keys_hash
select * from keys where hash = :hash;

-- name: readKey
-- One key of a tenant.
-- in: namespace, tenant, id
-- index: primary key
select * from keys where namespace = :namespace and tenant = :tenant and id = :id;

-- name: listKeys
-- A tenant's keys.
-- in: namespace, tenant
-- index: keys_tenant
select * from keys where namespace = :namespace and tenant = :tenant order by id;

-- name: revokeKey
-- It opens nothing any more.
-- in: namespace, tenant, id, revoked_at
-- index: primary key
update keys set revoked_at = :revoked_at
where namespace = :namespace and tenant = :tenant and id = :id and revoked_at is null;
