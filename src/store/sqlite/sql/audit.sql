-- name: auditHead
-- The newest entry of a tenant's audit.
-- in: namespace, tenant
-- index: primary key
select number, hash from audit where namespace = :namespace and tenant = :tenant order by number desc limit 1;

-- name: insertAudit
-- One entry after the newest.
-- in: namespace, tenant, number, type, at, prev_hash, hash, data
-- index: primary key
insert into audit (namespace, tenant, number, type, at, prev_hash, hash, data)
values (:namespace, :tenant, :number, :type, :at, :prev_hash, :hash, :data);

-- name: listAudit
-- Entries before a number, newest first.
-- in: namespace, tenant, before, limit
-- index: primary key
select number, type, at, prev_hash, hash, data from audit
where namespace = :namespace and tenant = :tenant and number < :before order by number desc limit :limit;
