-- Tasks that people do, what the sandbox would have sent, mail templates, and how actions fare, hour by hour.

create table tasks (
  namespace text not null check (namespace <> ''),
  tenant text not null check (tenant <> ''),
  id text not null check (id <> ''),
  status text not null check (status in ('open', 'done')),
  told integer not null check (told in (0, 1)),
  execution text,
  assignee text,
  due_at integer,
  created_at integer not null,
  completed_at integer check ((completed_at is null) = (status = 'open')),
  task text not null,
  ending text,
  seal text not null generated always as (
    concat_ws(' ', status, told, execution, assignee, due_at, created_at, completed_at)
  ) stored,
  primary key (namespace, tenant, id)
) strict;

create index tasks_recent on tasks (namespace, tenant, created_at, id);

create index tasks_status on tasks (namespace, tenant, status, created_at, id);

create index tasks_assignee on tasks (namespace, tenant, assignee, created_at, id) where assignee is not null;

create index tasks_execution on tasks (namespace, tenant, execution, created_at, id) where execution is not null;

create index tasks_done on tasks (completed_at) where status = 'done';

create index tasks_untold on tasks (completed_at) where status = 'done' and told = 0;

create table outbox (
  namespace text not null check (namespace <> ''),
  tenant text not null check (tenant <> ''),
  id text not null check (id <> ''),
  at integer not null,
  type text not null,
  action text,
  entry text not null,
  seal text not null generated always as (concat_ws(' ', at, type, action)) stored,
  primary key (namespace, tenant, id)
) strict;

create index outbox_recent on outbox (namespace, tenant, at, id);

create index outbox_age on outbox (at);

create table health (
  namespace text not null check (namespace <> ''),
  tenant text not null check (tenant <> ''),
  name text not null,
  type text not null,
  bucket integer not null,
  writer text not null,
  measured text not null,
  primary key (namespace, tenant, name, bucket, type, writer)
) strict;

create index health_recent on health (namespace, tenant, bucket);

create index health_age on health (bucket);

create table templates (
  namespace text not null check (namespace <> ''),
  tenant text not null check (tenant <> ''),
  name text not null check (name <> ''),
  updated_at integer not null,
  template text not null,
  primary key (namespace, tenant, name)
) strict;
