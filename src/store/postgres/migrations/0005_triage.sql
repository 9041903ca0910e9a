-- What people do about failures: bulk operations with one item per action, alerts with one row per cause and window,
-- and an index by which rules find dead letters of an age.

create table pawl.bulk_operations (
  namespace text collate "C" not null check (namespace <> ''),
  tenant text collate "C" not null check (tenant <> ''),
  id text collate "C" not null check (id <> ''),
  status text not null check (status in ('running', 'paused', 'stopped', 'completed')),
  revision integer not null check (revision > 0),
  holder text,
  lease_until bigint not null,
  created_at bigint not null,
  updated_at bigint not null,
  content json not null,
  primary key (namespace, tenant, id)
);

create index bulk_operations_recent on pawl.bulk_operations (namespace, tenant, created_at, id);
create index bulk_operations_running on pawl.bulk_operations (created_at, id) where status = 'running';
create index bulk_operations_ended on pawl.bulk_operations (updated_at) where status in ('stopped', 'completed');

create table pawl.bulk_items (
  namespace text collate "C" not null,
  tenant text collate "C" not null,
  bulk text collate "C" not null,
  action text collate "C" not null,
  watched text collate "C" not null,
  status text not null check (status in ('sent', 'succeeded', 'failed')),
  at bigint not null,
  error json,
  primary key (namespace, tenant, bulk, action)
);

create index bulk_items_sent on pawl.bulk_items (namespace, tenant, bulk, action) where status = 'sent';
create index bulk_items_failed on pawl.bulk_items (namespace, tenant, bulk, action) where status = 'failed';

create table pawl.alerts (
  namespace text collate "C" not null check (namespace <> ''),
  tenant text collate "C" not null check (tenant <> ''),
  id text collate "C" not null check (id <> ''),
  type text not null,
  severity text not null,
  cause text not null,
  count integer not null check (count > 0),
  first_at bigint not null,
  last_at bigint not null,
  told_at bigint,
  acknowledged_at bigint,
  acknowledged_by text,
  details json not null,
  primary key (namespace, tenant, id)
);

create index alerts_recent on pawl.alerts (namespace, tenant, first_at, id);
create index alerts_untold on pawl.alerts (first_at, id) where told_at is null;
create index alerts_age on pawl.alerts (last_at);

create index actions_dead_age on pawl.actions (finished_at, id) where status = 'dead';

alter table pawl.bulk_operations enable row level security;
create policy reader on pawl.bulk_operations for select
  using (namespace = current_setting('pawl.namespace', true) and tenant = current_setting('pawl.tenant', true));
alter table pawl.bulk_items enable row level security;
create policy reader on pawl.bulk_items for select
  using (namespace = current_setting('pawl.namespace', true) and tenant = current_setting('pawl.tenant', true));
alter table pawl.alerts enable row level security;
create policy reader on pawl.alerts for select
  using (namespace = current_setting('pawl.namespace', true) and tenant = current_setting('pawl.tenant', true));
