-- name: putSecret
-- Sets a secret, unless a newer version of it is there.
-- in: namespace, tenant, name, version, key_id, nonce, ciphertext, hosts, created_at, updated_at, fingerprint
-- index: primary key
insert into secrets (namespace, tenant, name, version, key_id, nonce, ciphertext, hosts, created_at, updated_at, fingerprint)
values (:namespace, :tenant, :name, :version, :key_id, :nonce, :ciphertext, :hosts, :created_at, :updated_at, :fingerprint)
on conflict (namespace, tenant, name) do update set version = excluded.version, key_id = excluded.key_id,
  nonce = excluded.nonce, ciphertext = excluded.ciphertext, hosts = excluded.hosts, created_at = excluded.created_at,
  updated_at = excluded.updated_at, fingerprint = excluded.fingerprint
where secrets.version <= excluded.version;

-- name: readSecret
-- One secret, sealed.
-- in: namespace, tenant, name
-- index: primary key
select * from secrets where namespace = :namespace and tenant = :tenant and name = :name;

-- name: listSecrets
-- What may be shown of a tenant's secrets.
-- in: namespace, tenant
-- index: primary key
select name, version, key_id, hosts, created_at, updated_at, fingerprint from secrets
where namespace = :namespace and tenant = :tenant order by name;

-- name: deleteSecret
-- Gone for good.
-- in: namespace, tenant, name
-- index: primary key
delete from secrets where namespace = :namespace and tenant = :tenant and name = :name;
