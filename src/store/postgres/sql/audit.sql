-- name: auditHead
-- The newest entry of a tenant's audit.
-- in: namespace, tenant
-- index: primary key
select number, hash from pawl.audit where namespace = :namespace and tenant = :tenant order by number desc limit 1;

-- name: insertAudit
-- Entries after the newest.
-- in: namespace, tenant, number, type, at, prev_hash, hash, data
-- index: primary key
insert into pawl.audit (namespace, tenant, number, type, at, prev_hash, hash, data)
select namespace, tenant, number, type, at, prev_hash, hash, data
from unnest(:namespace::text[], :tenant::text[], :number::bigint[], :type::text[], :at::bigint[], :prev_hash::text[],
  :hash::text[], :data::json[])
  as w (namespace, tenant, number, type, at, prev_hash, hash, data);

-- name: listAudit
-- Entries before a number, newest first.
-- in: namespace, tenant, before, limit
-- index: primary key
select number, type, at, prev_hash, hash, data from pawl.audit
where namespace = :namespace and tenant = :tenant and number < :before order by number desc limit :limit;
