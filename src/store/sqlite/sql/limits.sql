-- name: readLimit
-- What is kept of a limit.
-- in: namespace, tenant, key
-- index: primary key
select version, state from limits where namespace = :namespace and tenant = :tenant and key = :key;

-- name: insertLimit
-- The first state of a limit, unless another process was quicker.
-- in: namespace, tenant, key, shut, idle_at, state
-- index: primary key
insert into limits (namespace, tenant, key, version, shut, idle_at, state)
values (:namespace, :tenant, :key, 1, :shut, :idle_at, :state)
on conflict (namespace, tenant, key) do nothing;

-- name: swapLimit
-- The next state of a limit, if it is still as it was read.
-- in: namespace, tenant, key, version, shut, idle_at, state
-- index: primary key
update limits set version = version + 1, shut = :shut, idle_at = :idle_at, state = :state
where namespace = :namespace and tenant = :tenant and key = :key and version = :version;

-- name: shutLimits
-- What every process has to know of.
-- in: now, limit
-- index: limits_shut
select namespace, tenant, key, version, state from limits
where shut = 1 and idle_at > :now order by idle_at desc limit :limit;

-- name: sweepLimits
-- States that say nothing any more.
-- in: before, limit
-- index: limits_idle
delete from limits where rowid in (select rowid from limits where idle_at < :before order by idle_at limit :limit);

-- name: dropLostPlaces
-- Places whose action no longer runs under the token they were taken with.
-- in: namespace, tenant, key
-- index: limit_places_held
delete from limit_places
where namespace = :namespace and tenant = :tenant and key = :key and token is not null and not exists (
  select 1 from actions a where a.id = limit_places.action and a.status = 'running' and a.token = limit_places.token
);

-- name: countHeld
-- How many places are taken.
-- in: namespace, tenant, key
-- index: limit_places_held
select count(*) as held from limit_places
where namespace = :namespace and tenant = :tenant and key = :key and token is not null;

-- name: calledPlaces
-- Who was called and has not come yet.
-- in: namespace, tenant, key, called_after
-- index: limit_places_called
select action from limit_places
where namespace = :namespace and tenant = :tenant and key = :key and called_at > :called_after;

-- name: takePlace
-- Out of the line, or straight into a place.
-- in: namespace, tenant, key, action, owner_namespace, owner_tenant, token, since, touched_at
-- index: primary key
insert into limit_places (namespace, tenant, key, action, owner_namespace, owner_tenant, token, since, touched_at)
values (:namespace, :tenant, :key, :action, :owner_namespace, :owner_tenant, :token, :since, :touched_at)
on conflict (namespace, tenant, key, action) do update set token = excluded.token, called_at = null,
  touched_at = excluded.touched_at;

-- name: joinLine
-- Into the line; who is in it keeps its place there.
-- in: namespace, tenant, key, action, owner_namespace, owner_tenant, since, touched_at
-- index: primary key
insert into limit_places (namespace, tenant, key, action, owner_namespace, owner_tenant, since, touched_at)
values (:namespace, :tenant, :key, :action, :owner_namespace, :owner_tenant, :since, :touched_at)
on conflict (namespace, tenant, key, action) do update set token = null, called_at = null,
  touched_at = excluded.touched_at;

-- name: countLine
-- How many wait, up to a bound.
-- in: namespace, tenant, key, limit
-- index: limit_places_line
select count(*) as waiting from (
  select 1 from limit_places
  where namespace = :namespace and tenant = :tenant and key = :key and token is null limit :limit
);

-- name: countBefore
-- How many are in line before this one, up to a bound.
-- in: namespace, tenant, key, action, limit
-- index: primary key, limit_places_line
select count(*) as before from (
  select 1 from limit_places p
  join limit_places me on me.namespace = p.namespace and me.tenant = p.tenant and me.key = p.key and me.action = :action
  where p.namespace = :namespace and p.tenant = :tenant and p.key = :key and p.token is null
    and (p.since, p.action) < (me.since, me.action)
  limit :limit
);

-- name: leavePlace
-- Gives a place back.
-- in: namespace, tenant, key, action, token
-- index: primary key
delete from limit_places
where namespace = :namespace and tenant = :tenant and key = :key and action = :action and token = :token;

-- name: callLine
-- Calls the first in line that can come: queued, and not called a moment ago.
-- in: namespace, tenant, key, called_before, limit, now
-- index: limit_places_line
update limit_places set called_at = :now
where rowid in (
  select p.rowid from limit_places p
  where p.namespace = :namespace and p.tenant = :tenant and p.key = :key and p.token is null
    and coalesce(p.called_at, 0) <= :called_before
    and exists (select 1 from actions a where a.id = p.action and a.status = 'queued')
  order by p.since, p.action limit :limit
)
returning action as id, owner_namespace as namespace, owner_tenant as tenant;

-- name: evictLine
-- Takes the oldest out of the line, until so many are left.
-- in: namespace, tenant, key, keep, limit
-- index: limit_places_line
delete from limit_places where rowid in (
  select rowid from limit_places
  where namespace = :namespace and tenant = :tenant and key = :key and token is null
  order by since desc, action desc limit :limit offset :keep
)
returning action as id, owner_namespace as namespace, owner_tenant as tenant;

-- name: sweepPlaces
-- Places nobody came back to: who still wants one joins the line anew.
-- in: before, limit
-- index: limit_places_age
delete from limit_places where rowid in (
  select p.rowid from limit_places p
  where p.touched_at < :before and not exists (
    select 1 from actions a where a.id = p.action and a.status = 'running' and a.token = p.token
  )
  order by p.touched_at limit :limit
);
