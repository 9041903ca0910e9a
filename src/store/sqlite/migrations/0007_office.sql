-- The office of the HTTP door: the keys that open it, the audit of what was changed through it, the answers kept for
-- requests that are repeated; and the index an agenda is read by.

create table keys (
  id text not null primary key check (id <> ''),
  namespace text not null check (namespace <> ''),
  tenant text not null check (tenant <> ''),
  name text not null,
  prefix text not null,
  hash text not null check (hash <> ''),
  scopes text not null,
  operator integer not null check (operator in (0, 1)),
  created_at integer not null,
  expires_at integer,
  revoked_at integer,
  seal text not null generated always as (
    concat_ws(' ', namespace, tenant, name, prefix, hash, operator, created_at, expires_at, revoked_at)
  ) stored
) strict;

create unique index keys_hash on keys (hash);
create index keys_tenant on keys (namespace, tenant, id);

create table audit (
  namespace text not null check (namespace <> ''),
  tenant text not null check (tenant <> ''),
  number integer not null check (number > 0),
  type text not null,
  at integer not null,
  prev_hash text not null,
  hash text not null,
  data text not null,
  seal text not null generated always as (concat_ws(' ', type, at, prev_hash, hash)) stored,
  primary key (namespace, tenant, number)
) strict;

create table idempotency (
  namespace text not null check (namespace <> ''),
  tenant text not null check (tenant <> ''),
  key text not null check (key <> ''),
  request_hash text not null,
  holder text not null,
  until integer not null,
  answer text,
  seal text not null generated always as (concat_ws(' ', request_hash, holder, until)) stored,
  primary key (namespace, tenant, key)
) strict;

create index idempotency_until on idempotency (until);

create index timers_tenant on timers (namespace, tenant, due_at, execution, key) where held = 0;
