-- The office of the HTTP door: the keys that open it, the audit of what was changed through it, the answers kept for
-- requests that are repeated; and the index an agenda is read by. The reader role sees none of the three.

create table pawl.keys (
  id text collate "C" not null primary key check (id <> ''),
  namespace text collate "C" not null check (namespace <> ''),
  tenant text collate "C" not null check (tenant <> ''),
  name text not null,
  prefix text not null,
  hash text collate "C" not null check (hash <> ''),
  scopes json not null,
  operator boolean not null,
  created_at bigint not null,
  expires_at bigint,
  revoked_at bigint
);

create unique index keys_hash on pawl.keys (hash);
create index keys_tenant on pawl.keys (namespace, tenant, id);

create table pawl.audit (
  namespace text collate "C" not null check (namespace <> ''),
  tenant text collate "C" not null check (tenant <> ''),
  number bigint not null check (number > 0),
  type text not null,
  at bigint not null,
  prev_hash text not null,
  hash text not null,
  data json not null,
  primary key (namespace, tenant, number)
);

create table pawl.idempotency (
  namespace text collate "C" not null check (namespace <> ''),
  tenant text collate "C" not null check (tenant <> ''),
  key text collate "C" not null check (key <> ''),
  request_hash text not null,
  holder text not null,
  until bigint not null,
  answer json,
  primary key (namespace, tenant, key)
);

create index idempotency_until on pawl.idempotency (until);

create index timers_tenant on pawl.timers (namespace, tenant, due_at, execution, key) where not held;

alter table pawl.keys enable row level security;
alter table pawl.audit enable row level security;
alter table pawl.idempotency enable row level security;
