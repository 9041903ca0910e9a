-- name: lockDefinitions
-- Starts and pauses of one definition take turns: a start shares, a pause is alone. Locked in the order given.
-- in: keys, alone
-- index: none (no table)
select case when k.alone then pg_advisory_xact_lock(hashtextextended(k.key, 0))
  else pg_advisory_xact_lock_shared(hashtextextended(k.key, 0)) end
from unnest(:keys::text[], :alone::boolean[]) as k (key, alone);

-- name: findPauses
-- Which of these are paused?
-- in: namespaces, tenants, scopes, values
-- index: primary key
select p.namespace, p.tenant, p.scope, p.value
from unnest(:namespaces::text[], :tenants::text[], :scopes::text[], :values::text[])
  as k (namespace, tenant, scope, value)
cross join lateral (
  select * from pawl.pauses
  where namespace = k.namespace and tenant = k.tenant and scope = k.scope and value = k.value offset 0
) p;

-- name: pausedDefinitions
-- Which of these executions are of a paused definition?
-- in: namespaces, tenants, ids
-- index: primary key
select p.namespace, p.tenant, p.scope, p.value
from unnest(:namespaces::text[], :tenants::text[], :ids::text[]) as k (namespace, tenant, id)
join pawl.executions x on x.namespace = k.namespace and x.tenant = k.tenant and x.id = k.id
join pawl.pauses p on p.namespace = x.namespace and p.tenant = x.tenant and p.scope = 'definition' and p.value = x.definition;

-- name: insertPauses
-- Writes pauses down. One that exists by now is left out, which the caller counts.
-- in: rows
-- index: primary key
insert into pawl.pauses (namespace, tenant, scope, value, reason, at)
select namespace, tenant, scope, value, reason, at
from json_to_recordset(:rows::json) as w (namespace text, tenant text, scope text, value text, reason text, at bigint)
on conflict do nothing;

-- name: deletePauses
-- They are over.
-- in: rows
-- index: primary key
delete from pawl.pauses p
using json_to_recordset(:rows::json) as w (namespace text, tenant text, scope text, value text)
where p.namespace = w.namespace and p.tenant = w.tenant and p.scope = w.scope and p.value = w.value;

-- name: lanePauses
-- Pauses that close lanes: of a tenant, or of a type.
-- in: nothing
-- index: none (a handful of rows)
select namespace, tenant, scope, value from pawl.pauses where scope in ('tenant', 'type');

-- name: readPauses
-- The pauses of a tenant.
-- in: namespace, tenant
-- index: primary key
select scope, value, reason, at from pawl.pauses
where namespace = :namespace and tenant = :tenant order by scope, value;
