-- What is kept of each limit (a rate, a quota, a breaker), and who holds or waits for a place where only so many may run
-- at once. A limit of the whole store has the namespace and tenant '*'.

create table limits (
  namespace text not null check (namespace <> ''),
  tenant text not null check (tenant <> ''),
  key text not null check (key <> ''),
  version integer not null check (version > 0),
  shut integer not null check (shut in (0, 1)),
  idle_at integer not null,
  state text not null,
  seal text not null generated always as (concat_ws(' ', version, shut, idle_at)) stored,
  primary key (namespace, tenant, key)
) strict;

create index limits_idle on limits (idle_at);

create index limits_shut on limits (idle_at) where shut = 1;

create table limit_places (
  namespace text not null check (namespace <> ''),
  tenant text not null check (tenant <> ''),
  key text not null check (key <> ''),
  action text not null check (action <> ''),
  owner_namespace text not null,
  owner_tenant text not null,
  token integer,
  since integer not null,
  called_at integer,
  touched_at integer not null,
  seal text not null generated always as (
    concat_ws(' ', owner_namespace, owner_tenant, token, since, called_at, touched_at)
  ) stored,
  primary key (namespace, tenant, key, action)
) strict;

create index limit_places_line on limit_places (namespace, tenant, key, since, action) where token is null;

create index limit_places_held on limit_places (namespace, tenant, key) where token is not null;

create index limit_places_called on limit_places (namespace, tenant, key, called_at) where called_at is not null;

create index limit_places_age on limit_places (touched_at);
