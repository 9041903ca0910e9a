-- name: findDefinition
-- The number this content has, if it was seen before.
-- in: namespace, tenant, kind, id, hash
-- index: primary key
select version from definitions
where namespace = :namespace and tenant = :tenant and kind = :kind and id = :id and hash = :hash;

-- name: insertDefinition
-- New content gets the next number.
-- in: namespace, tenant, kind, id, hash, content, at
-- index: primary key
insert into definitions (namespace, tenant, kind, id, version, hash, created_at, content)
select :namespace, :tenant, :kind, :id, coalesce(max(version), 0) + 1, :hash, :at, :content
from definitions where namespace = :namespace and tenant = :tenant and kind = :kind and id = :id
returning version;

-- name: readDefinitions
-- The definitions of a tenant, every version.
-- in: namespace, tenant
-- index: primary key
select kind, id, version, hash, created_at, content from definitions
where namespace = :namespace and tenant = :tenant order by kind, id, version;
