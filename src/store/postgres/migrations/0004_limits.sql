-- What is kept of each limit (a rate, a quota, a breaker), and who holds or waits for a place where only so many may run
-- at once. A limit of the whole store has the namespace and tenant '*'. The reader role sees neither: row-level security
-- without a policy shows nothing.

create table pawl.limits (
  namespace text collate "C" not null check (namespace <> ''),
  tenant text collate "C" not null check (tenant <> ''),
  key text collate "C" not null check (key <> ''),
  version integer not null check (version > 0),
  shut boolean not null,
  idle_at bigint not null,
  state json not null,
  primary key (namespace, tenant, key)
);

create index limits_idle on pawl.limits (idle_at);

create index limits_shut on pawl.limits (idle_at) where shut;

create table pawl.limit_places (
  namespace text collate "C" not null check (namespace <> ''),
  tenant text collate "C" not null check (tenant <> ''),
  key text collate "C" not null check (key <> ''),
  action text collate "C" not null check (action <> ''),
  owner_namespace text collate "C" not null,
  owner_tenant text collate "C" not null,
  token bigint,
  since bigint not null,
  called_at bigint,
  touched_at bigint not null,
  primary key (namespace, tenant, key, action)
);

create index limit_places_line on pawl.limit_places (namespace, tenant, key, since, action) where token is null;

create index limit_places_held on pawl.limit_places (namespace, tenant, key) where token is not null;

create index limit_places_called on pawl.limit_places (namespace, tenant, key, called_at) where called_at is not null;

create index limit_places_age on pawl.limit_places (touched_at);

alter table pawl.limits enable row level security;
alter table pawl.limit_places enable row level security;
