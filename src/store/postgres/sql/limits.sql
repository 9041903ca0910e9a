-- name: readLimits
-- What is kept of these limits, and the instant.
-- in: namespaces, tenants, keys
-- index: primary key
select k.place, l.version, l.state, pawl.clock_ms() as now
from unnest(:namespaces::text[], :tenants::text[], :keys::text[]) with ordinality as k (namespace, tenant, key, place)
left join pawl.limits l on l.namespace = k.namespace and l.tenant = k.tenant and l.key = k.key
order by k.place;

-- name: insertLimit
-- The first state of a limit, unless another process was quicker. A slot does not wait for the disk: what a server
-- forgets with its power is a moment of a rate.
-- in: namespace, tenant, key, shut, idle_at, state
-- index: primary key
with written as (
  insert into pawl.limits (namespace, tenant, key, version, shut, idle_at, state)
  values (:namespace, :tenant, :key, 1, :shut, :idle_at, :state::json)
  on conflict (namespace, tenant, key) do nothing returning 1
)
select set_config('synchronous_commit', 'off', true) as durability from written;

-- name: swapLimit
-- The next state of a limit, if it is still as it was read. It does not wait for the disk either.
-- in: namespace, tenant, key, version, shut, idle_at, state
-- index: primary key
with written as (
  update pawl.limits set version = version + 1, shut = :shut, idle_at = :idle_at, state = :state::json
  where namespace = :namespace and tenant = :tenant and key = :key and version = :version returning 1
)
select set_config('synchronous_commit', 'off', true) as durability from written;

-- name: shutLimits
-- What every process has to know of.
-- in: now, limit
-- index: limits_shut
select namespace, tenant, key, version, state from pawl.limits
where shut and idle_at > coalesce(:now::bigint, pawl.clock_ms()) order by idle_at desc limit :limit;

-- name: sweepLimits
-- States that say nothing any more.
-- in: before, limit
-- index: limits_idle
delete from pawl.limits where ctid = any (array(
  select ctid from pawl.limits where idle_at < :before order by idle_at limit :limit for update skip locked
));

-- name: lockPlaces
-- One at a time counts and changes the places of a limit. They do not wait for the disk: the claim a place belongs to does
-- not either, and with it the place is gone.
-- in: name
-- index: none, a lock that ends with the transaction
select pg_advisory_xact_lock(hashtextextended(:name, 0)), pawl.clock_ms() as now,
  set_config('synchronous_commit', 'off', true) as durability;

-- name: dropLostPlaces
-- Places whose action no longer runs under the token they were taken with. Actions are asked for one by one, here and below,
-- and by their id alone: as a join, or by what runs, all that runs was read.
-- in: namespace, tenant, key
-- index: limit_places_held, primary key
delete from pawl.limit_places p
where namespace = :namespace and tenant = :tenant and key = :key and token is not null and (
  select a.status = 'running' and a.token = p.token from pawl.actions a where a.id = p.action
) is not true;

-- name: countHeld
-- How many places are taken.
-- in: namespace, tenant, key
-- index: limit_places_held
select count(*) as held from pawl.limit_places
where namespace = :namespace and tenant = :tenant and key = :key and token is not null;

-- name: calledPlaces
-- Who was called and has not come yet.
-- in: namespace, tenant, key, called_after
-- index: limit_places_called
select action from pawl.limit_places
where namespace = :namespace and tenant = :tenant and key = :key and called_at > :called_after;

-- name: takePlaces
-- With a token out of the line, or straight into a place. Without one into the line; who is in it keeps its place there.
-- in: namespace, tenant, key, now, rows
-- index: primary key
insert into pawl.limit_places (namespace, tenant, key, action, owner_namespace, owner_tenant, token, since, touched_at)
select :namespace::text, :tenant::text, :key::text, id, namespace, tenant, token, since, :now::bigint
from json_to_recordset(:rows::json) as w (id text, namespace text, tenant text, token bigint, since bigint)
on conflict (namespace, tenant, key, action) do update set token = excluded.token, called_at = null,
  touched_at = excluded.touched_at;

-- name: countLine
-- How many wait, up to a bound.
-- in: namespace, tenant, key, limit
-- index: limit_places_line
select count(*) as waiting from (
  select from pawl.limit_places
  where namespace = :namespace and tenant = :tenant and key = :key and token is null limit :limit
) w;

-- name: readLine
-- How many places are taken, and how many are in line before this one, up to a bound.
-- in: namespace, tenant, key, action, limit
-- index: limit_places_held, primary key, limit_places_line
select (
  select count(*) from pawl.limit_places
  where namespace = :namespace and tenant = :tenant and key = :key and token is not null
) as held, (
  select count(*) from (
    select from pawl.limit_places p
    join pawl.limit_places me
      on me.namespace = p.namespace and me.tenant = p.tenant and me.key = p.key and me.action = :action
    where p.namespace = :namespace and p.tenant = :tenant and p.key = :key and p.token is null
      and (p.since, p.action) < (me.since, me.action)
    limit :limit
  ) w
) as before;

-- name: leavePlaces
-- Gives places back, each looked up by its key: said so, the condition on the token does not offer limit_places_held, which
-- would read all that are held.
-- in: namespace, tenant, key, actions, tokens
-- index: primary key
delete from pawl.limit_places where ctid = any (array(
  select p.ctid from unnest(:actions::text[], :tokens::bigint[]) as h (action, token)
  cross join lateral (
    select ctid from pawl.limit_places
    where namespace = :namespace and tenant = :tenant and key = :key and action = h.action
      and coalesce(token, 0) = h.token limit 1
  ) p
));

-- name: callLine
-- Calls the first in line that can come: queued, and not called a moment ago.
-- in: namespace, tenant, key, called_before, limit, now
-- index: limit_places_line
update pawl.limit_places set called_at = :now
where namespace = :namespace and tenant = :tenant and key = :key and action = any (array(
  select p.action from pawl.limit_places p
  where p.namespace = :namespace and p.tenant = :tenant and p.key = :key and p.token is null
    and coalesce(p.called_at, 0) <= :called_before
    and (select a.status = 'queued' from pawl.actions a where a.id = p.action)
  order by p.since, p.action limit :limit
))
returning action as id, owner_namespace as namespace, owner_tenant as tenant;

-- name: evictLine
-- Takes the oldest out of the line, until so many are left.
-- in: namespace, tenant, key, keep, limit
-- index: limit_places_line
delete from pawl.limit_places
where namespace = :namespace and tenant = :tenant and key = :key and action = any (array(
  select action from pawl.limit_places
  where namespace = :namespace and tenant = :tenant and key = :key and token is null
  order by since desc, action desc limit :limit offset :keep
))
returning action as id, owner_namespace as namespace, owner_tenant as tenant;

-- name: sweepPlaces
-- Places nobody came back to: who still wants one joins the line anew.
-- in: before, limit
-- index: limit_places_age, primary key
delete from pawl.limit_places where ctid = any (array(
  select p.ctid from pawl.limit_places p
  where p.touched_at < :before and (
    select a.status = 'running' and a.token = p.token from pawl.actions a where a.id = p.action
  ) is not true
  order by p.touched_at limit :limit for update skip locked
));
