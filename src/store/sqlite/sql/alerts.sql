-- name: raiseAlert
-- An alert, or once more the one that is there.
-- in: namespace, tenant, id, type, severity, cause, at, details
-- index: primary key
insert into alerts (namespace, tenant, id, type, severity, cause, count, first_at, last_at, details)
values (:namespace, :tenant, :id, :type, :severity, :cause, 1, :at, :at, :details)
on conflict (namespace, tenant, id) do update set count = count + 1, last_at = max(last_at, excluded.last_at),
  details = excluded.details;

-- name: findAlert
-- One alert of a tenant.
-- in: namespace, tenant, id
-- index: primary key
select * from alerts where namespace = :namespace and tenant = :tenant and id = :id;

-- name: tellAlert
-- Somebody is being told of it.
-- in: namespace, tenant, id, at
-- index: primary key
update alerts set told_at = :at where namespace = :namespace and tenant = :tenant and id = :id;

-- name: acknowledgeAlert
-- Somebody knows of it.
-- in: namespace, tenant, id, at, by
-- index: primary key
update alerts set acknowledged_at = :at, acknowledged_by = :by
where namespace = :namespace and tenant = :tenant and id = :id;

-- name: listAlerts
-- A tenant's alerts, newest first.
-- in: namespace, tenant, at, id, limit
-- index: alerts_recent
select * from alerts
where namespace = :namespace and tenant = :tenant and (first_at, id) < (:at, :id)
order by first_at desc, id desc limit :limit;

-- name: alertsOfState
-- Only those that are open (1), or only those that are not (0).
-- in: namespace, tenant, open, at, id, limit
-- index: alerts_open
select * from alerts
where namespace = :namespace and tenant = :tenant and (acknowledged_at is null) = :open and (first_at, id) < (:at, :id)
order by first_at desc, id desc limit :limit;

-- name: untoldAlerts
-- Of all tenants, those nobody was told of, oldest first.
-- in: limit
-- index: alerts_untold
select * from alerts where told_at is null order by first_at, id limit :limit;

-- name: pruneAlerts
-- Alerts whose cause was last met long ago.
-- in: before, limit
-- index: alerts_age
delete from alerts where rowid in (select rowid from alerts where last_at < :before order by last_at limit :limit);
