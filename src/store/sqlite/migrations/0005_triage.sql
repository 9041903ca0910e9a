-- What people do about failures: bulk operations with one item per action, alerts with one row per cause and window,
-- and an index by which rules find dead letters of an age.

create table bulk_operations (
  namespace text not null check (namespace <> ''),
  tenant text not null check (tenant <> ''),
  id text not null check (id <> ''),
  status text not null check (status in ('running', 'paused', 'stopped', 'completed')),
  revision integer not null check (revision > 0),
  holder text,
  lease_until integer not null,
  created_at integer not null,
  updated_at integer not null,
  content text not null,
  seal text not null generated always as (concat_ws(' ', status, revision, holder, lease_until, created_at, updated_at)) stored,
  primary key (namespace, tenant, id)
) strict;

create index bulk_operations_recent on bulk_operations (namespace, tenant, created_at, id);

create index bulk_operations_running on bulk_operations (created_at, id) where status = 'running';

create index bulk_operations_ended on bulk_operations (updated_at) where status in ('stopped', 'completed');

create table bulk_items (
  namespace text not null,
  tenant text not null,
  bulk text not null,
  action text not null,
  watched text not null,
  status text not null check (status in ('sent', 'succeeded', 'failed')),
  at integer not null,
  error text,
  seal text not null generated always as (concat_ws(' ', watched, status, at)) stored,
  primary key (namespace, tenant, bulk, action)
) strict;

create index bulk_items_sent on bulk_items (namespace, tenant, bulk, action) where status = 'sent';

create index bulk_items_failed on bulk_items (namespace, tenant, bulk, action) where status = 'failed';

create table alerts (
  namespace text not null check (namespace <> ''),
  tenant text not null check (tenant <> ''),
  id text not null check (id <> ''),
  type text not null,
  severity text not null,
  cause text not null,
  count integer not null check (count > 0),
  first_at integer not null,
  last_at integer not null,
  told_at integer,
  acknowledged_at integer,
  acknowledged_by text,
  details text not null,
  seal text not null generated always as (
    concat_ws(' ', type, severity, cause, count, first_at, last_at, told_at, acknowledged_at, acknowledged_by)
  ) stored,
  primary key (namespace, tenant, id)
) strict;

create index alerts_recent on alerts (namespace, tenant, first_at, id);

create index alerts_untold on alerts (first_at, id) where told_at is null;

create index alerts_age on alerts (last_at);

create index actions_dead_age on actions (finished_at, id) where status = 'dead';
