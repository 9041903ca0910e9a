-- Secrets that people set, sealed before they come here, and the processes that are at work. The reader role sees
-- neither: row-level security without a policy shows nothing. And an index for retention.

create table pawl.secrets (
  namespace text collate "C" not null check (namespace <> ''),
  tenant text collate "C" not null check (tenant <> ''),
  name text collate "C" not null check (name <> ''),
  version integer not null check (version > 0),
  key_id text collate "C" not null,
  nonce text not null,
  ciphertext text not null,
  hosts json not null,
  created_at bigint not null,
  updated_at bigint not null,
  fingerprint text not null,
  primary key (namespace, tenant, name)
);

create table pawl.workers (
  id text collate "C" not null primary key check (id <> ''),
  started_at bigint not null,
  seen_at bigint not null,
  slots integer not null,
  version text not null,
  host text not null,
  types json not null,
  definitions json not null
);

create index workers_seen on pawl.workers (seen_at);

alter table pawl.secrets enable row level security;
alter table pawl.workers enable row level security;

-- What is past its time in a month that is not over as a whole is found without reading the month.
create index actions_done_age on pawl.actions_done (kept_from);
