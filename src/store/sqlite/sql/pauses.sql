-- name: findPause
-- Is this paused?
-- in: namespace, tenant, scope, value
-- index: primary key
select 1 as found from pauses
where namespace = :namespace and tenant = :tenant and scope = :scope and value = :value;

-- name: findClosing
-- Is the tenant paused, or this type of its actions?
-- in: namespace, tenant, type
-- index: primary key
select 1 as found from pauses
where namespace = :namespace and tenant = :tenant and (scope = 'tenant' or (scope = 'type' and value = :type)) limit 1;

-- name: insertPause
-- Writes a pause down.
-- in: namespace, tenant, scope, value, reason, at
-- index: primary key
insert into pauses (namespace, tenant, scope, value, reason, at)
values (:namespace, :tenant, :scope, :value, :reason, :at);

-- name: deletePause
-- It is over.
-- in: namespace, tenant, scope, value
-- index: primary key
delete from pauses where namespace = :namespace and tenant = :tenant and scope = :scope and value = :value;

-- name: lanePauses
-- Pauses that close lanes: of a tenant, or of a type.
-- in: nothing
-- index: none (a handful of rows)
select namespace, tenant, scope, value from pauses where scope in ('tenant', 'type');

-- name: readPauses
-- The pauses of a tenant.
-- in: namespace, tenant
-- index: primary key
select scope, value, reason, at from pauses
where namespace = :namespace and tenant = :tenant order by scope, value;
