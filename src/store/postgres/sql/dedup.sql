-- name: findDedup
-- Who holds these keys?
-- in: namespaces, tenants, keys
-- index: primary key
select d.namespace, d.tenant, d.key, d.action, d.until
from unnest(:namespaces::text[], :tenants::text[], :keys::text[]) as k (namespace, tenant, key)
cross join lateral (
  select * from pawl.dedup where namespace = k.namespace and tenant = k.tenant and key = k.key offset 0
) d;

-- name: takeDedup
-- The keys are these actions' from now on, if they are still whose they were. Otherwise a key is left out, which the
-- caller counts.
-- in: rows
-- index: primary key
insert into pawl.dedup as d (namespace, tenant, key, action, until)
select namespace, tenant, key, action, until
from json_to_recordset(:rows::json) as w (namespace text, tenant text, key text, action text, until bigint)
on conflict (namespace, tenant, key) do update set action = excluded.action, until = excluded.until
where d.action = (
  select h.holder from json_to_recordset(:rows::json) as h (namespace text, tenant text, key text, holder text)
  where h.namespace = d.namespace and h.tenant = d.tenant and h.key = d.key
);

-- name: releaseDedup
-- Their actions have ended.
-- in: rows
-- index: primary key
delete from pawl.dedup d
using json_to_recordset(:rows::json) as w (namespace text, tenant text, key text, action text)
where d.namespace = w.namespace and d.tenant = w.tenant and d.key = w.key and d.action = w.action;

-- name: pruneDedup
-- Keys past their time.
-- in: before, limit
-- index: dedup_until
delete from pawl.dedup where ctid = any (array(
  select ctid from pawl.dedup where until is not null and until < :before order by until limit :limit
));
