-- Secrets that people set, sealed before they come here, and the processes that are at work.

create table secrets (
  namespace text not null check (namespace <> ''),
  tenant text not null check (tenant <> ''),
  name text not null check (name <> ''),
  version integer not null check (version > 0),
  key_id text not null,
  nonce text not null,
  ciphertext text not null,
  hosts text not null,
  created_at integer not null,
  updated_at integer not null,
  fingerprint text not null,
  seal text not null generated always as (
    concat_ws(' ', version, key_id, nonce, created_at, updated_at, fingerprint)
  ) stored,
  primary key (namespace, tenant, name)
) strict;

create table workers (
  id text not null primary key check (id <> ''),
  started_at integer not null,
  seen_at integer not null,
  slots integer not null,
  version text not null,
  host text not null,
  types text not null,
  definitions text not null,
  seal text not null generated always as (concat_ws(' ', started_at, slots, version, host)) stored
) strict;

create index workers_seen on workers (seen_at);
