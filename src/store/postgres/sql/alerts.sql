-- name: lockAlerts
-- The alerts a batch raises or changes, locked in the order given: one look after the other.
-- in: namespaces, tenants, ids
-- index: primary key
select a.*
from unnest(:namespaces::text[], :tenants::text[], :ids::text[]) as k (namespace, tenant, id)
cross join lateral (
  select * from pawl.alerts where namespace = k.namespace and tenant = k.tenant and id = k.id for update
) a;

-- name: insertAlerts
-- New ones. One that exists is left out, which the caller counts.
-- in: rows
-- index: primary key
insert into pawl.alerts (namespace, tenant, id, type, severity, cause, count, first_at, last_at, told_at, acknowledged_at,
  acknowledged_by, details)
select namespace, tenant, id, type, severity, cause, count, first_at, last_at, told_at, acknowledged_at, acknowledged_by,
  details::json
from json_to_recordset(:rows::json) as w (namespace text, tenant text, id text, type text, severity text, cause text,
  count int, first_at bigint, last_at bigint, told_at bigint, acknowledged_at bigint, acknowledged_by text, details text)
on conflict (namespace, tenant, id) do nothing;

-- name: updateAlerts
-- Met again, told, acknowledged: they were read under lock.
-- in: rows
-- index: primary key
update pawl.alerts a set count = w.count, last_at = w.last_at, told_at = w.told_at, acknowledged_at = w.acknowledged_at,
  acknowledged_by = w.acknowledged_by, details = w.details::json
from json_to_recordset(:rows::json) as w (namespace text, tenant text, id text, count int, last_at bigint, told_at bigint,
  acknowledged_at bigint, acknowledged_by text, details text)
where a.namespace = w.namespace and a.tenant = w.tenant and a.id = w.id;

-- name: findAlert
-- One alert of a tenant.
-- in: namespace, tenant, id
-- index: primary key
select * from pawl.alerts where namespace = :namespace and tenant = :tenant and id = :id;

-- name: listAlerts
-- A tenant's alerts, newest first.
-- in: namespace, tenant, at, id, limit
-- index: alerts_recent
select * from pawl.alerts
where namespace = :namespace and tenant = :tenant and (first_at, id) < (:at::bigint, :id)
order by first_at desc, id desc limit :limit;

-- name: alertsOfState
-- Only those that are open (1), or only those that are not (0).
-- in: namespace, tenant, open, at, id, limit
-- index: alerts_open
select * from pawl.alerts
where namespace = :namespace and tenant = :tenant and (acknowledged_at is null)::int = :open::int
  and (first_at, id) < (:at::bigint, :id)
order by first_at desc, id desc limit :limit;

-- name: untoldAlerts
-- Of all tenants, those nobody was told of, oldest first.
-- in: limit
-- index: alerts_untold
select * from pawl.alerts where told_at is null order by first_at, id limit :limit;

-- name: pruneAlerts
-- Alerts whose cause was last met long ago.
-- in: before, limit
-- index: alerts_age
delete from pawl.alerts where ctid = any (array(
  select ctid from pawl.alerts where last_at < :before order by last_at limit :limit
));
