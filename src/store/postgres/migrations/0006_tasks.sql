-- Tasks that people do, what the sandbox would have sent, mail templates, and how actions fare, hour by hour. The reader
-- role sees none of them: row-level security without a policy shows nothing.

create table pawl.tasks (
  namespace text collate "C" not null check (namespace <> ''),
  tenant text collate "C" not null check (tenant <> ''),
  id text collate "C" not null check (id <> ''),
  status text collate "C" not null check (status in ('open', 'done')),
  told boolean not null,
  execution text collate "C",
  assignee text collate "C",
  due_at bigint,
  created_at bigint not null,
  completed_at bigint check ((completed_at is null) = (status = 'open')),
  task json not null,
  ending json,
  primary key (namespace, tenant, id)
);

create index tasks_recent on pawl.tasks (namespace, tenant, created_at, id);

create index tasks_status on pawl.tasks (namespace, tenant, status, created_at, id);

create index tasks_assignee on pawl.tasks (namespace, tenant, assignee, created_at, id) where assignee is not null;

create index tasks_execution on pawl.tasks (namespace, tenant, execution, created_at, id) where execution is not null;

create index tasks_done on pawl.tasks (completed_at) where status = 'done';

create index tasks_untold on pawl.tasks (completed_at) where status = 'done' and not told;

create table pawl.outbox (
  namespace text collate "C" not null check (namespace <> ''),
  tenant text collate "C" not null check (tenant <> ''),
  id text collate "C" not null check (id <> ''),
  at bigint not null,
  type text collate "C" not null,
  action text collate "C",
  entry json not null,
  primary key (namespace, tenant, id)
);

create index outbox_recent on pawl.outbox (namespace, tenant, at, id);

create index outbox_age on pawl.outbox (at);

create table pawl.health (
  namespace text collate "C" not null check (namespace <> ''),
  tenant text collate "C" not null check (tenant <> ''),
  name text collate "C" not null,
  type text collate "C" not null,
  bucket bigint not null,
  writer text collate "C" not null,
  measured json not null,
  primary key (namespace, tenant, name, bucket, type, writer)
);

create index health_recent on pawl.health (namespace, tenant, bucket);

create index health_age on pawl.health (bucket);

create table pawl.templates (
  namespace text collate "C" not null check (namespace <> ''),
  tenant text collate "C" not null check (tenant <> ''),
  name text collate "C" not null check (name <> ''),
  updated_at bigint not null,
  template json not null,
  primary key (namespace, tenant, name)
);

alter table pawl.tasks enable row level security;

alter table pawl.outbox enable row level security;

alter table pawl.health enable row level security;

alter table pawl.templates enable row level security;
