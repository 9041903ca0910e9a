-- name: findDefinitions
-- Every version of these definitions.
-- in: namespaces, tenants, kinds, ids
-- index: primary key
select d.namespace, d.tenant, d.kind, d.id, d.hash, d.version
from unnest(:namespaces::text[], :tenants::text[], :kinds::text[], :ids::text[]) as k (namespace, tenant, kind, id)
cross join lateral (
  select * from pawl.definitions
  where namespace = k.namespace and tenant = k.tenant and kind = k.kind and id = k.id offset 0
) d;

-- name: insertDefinitions
-- New content. Content or a number that exists by now is left out, which the caller counts.
-- in: rows
-- index: primary key
insert into pawl.definitions (namespace, tenant, kind, id, version, hash, created_at, content)
select namespace, tenant, kind, id, version, hash, created_at, content::json
from json_to_recordset(:rows::json) as w (namespace text, tenant text, kind text, id text, version int, hash text,
  created_at bigint, content text)
on conflict do nothing;

-- name: readDefinitions
-- The definitions of a tenant, every version.
-- in: namespace, tenant
-- index: primary key
select kind, id, version, hash, created_at, content from pawl.definitions
where namespace = :namespace and tenant = :tenant order by kind, id, version;
