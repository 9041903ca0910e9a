CREATE TABLE store_meta (
  key text not null primary key,
  value text not null,
  seal text not null generated always as (concat_ws(' ', value)) stored
) strict;

CREATE TABLE migrations (
  number integer not null primary key,
  name text not null,
  checksum text not null,
  breaking integer not null check (breaking in (0, 1)),
  applied_at integer not null
) strict;

CREATE TABLE lanes (
  lane integer primary key autoincrement,
  namespace text not null check (namespace <> ''),
  tenant text not null check (tenant <> ''),
  type text not null check (type <> ''),
  priority integer not null,
  unique (namespace, tenant, type, priority)
) strict;

CREATE TABLE definitions (
  namespace text not null,
  tenant text not null,
  kind text not null,
  id text not null check (id <> ''),
  version integer not null,
  hash text not null,
  created_at integer not null,
  content text not null,
  seal text not null generated always as (concat_ws(' ', version, created_at)) stored,
  primary key (namespace, tenant, kind, id, hash)
) strict;

CREATE TABLE executions (
  namespace text not null check (namespace <> ''),
  tenant text not null check (tenant <> ''),
  id text not null check (id <> ''),
  kind text not null check (kind in ('machine', 'journey', 'recurrence', 'stream', 'reconciler')),
  definition text not null,
  definition_hash text not null,
  status text not null check (status in ('active', 'waiting', 'paused', 'completed', 'failed', 'cancelled')),
  paused_from text check (paused_from in ('active', 'waiting', 'paused', 'completed', 'failed', 'cancelled')),
  state text,
  input_hash text,
  revision integer not null check (revision > 0),
  chain_number integer not null,
  chain_hash text not null,
  created_at integer not null,
  updated_at integer not null,
  error text,
  visits text not null,
  pending text not null,
  variables text not null,
  seal text not null generated always as (
    concat_ws(' ', kind, definition_hash, input_hash, revision, chain_number, chain_hash, updated_at)
  ) stored,
  primary key (namespace, tenant, id)
) strict;

CREATE INDEX executions_recent on executions (namespace, tenant, created_at, id);

CREATE INDEX executions_definition on executions (namespace, tenant, definition, created_at, id);

CREATE INDEX executions_status on executions (namespace, tenant, status, created_at, id);

CREATE INDEX executions_state on executions (namespace, tenant, state, created_at, id);

CREATE TABLE actions (
  id text not null primary key check (id <> ''),
  namespace text not null check (namespace <> ''),
  tenant text not null check (tenant <> ''),
  lane integer not null check (lane <> 0),
  execution text,
  source_kind text not null,
  source_id text not null,
  status text not null check (status in ('queued', 'running', 'dead', 'review')),
  due_at integer not null,
  attempt integer not null,
  lost integer not null,
  reaps integer not null,
  token integer not null,
  nonce text,
  worker text,
  lease_until integer,
  size integer not null,
  hold text,
  cancel_requested integer not null check (cancel_requested in (0, 1)),
  dedup_key text,
  fingerprint text,
  created_at integer not null,
  started_at integer,
  finished_at integer,
  archived_at integer,
  error text,
  result text,
  plan text not null,
  seal text not null generated always as (
    concat_ws(' ', namespace, tenant, lane, execution, source_kind, source_id, due_at, attempt, lost, reaps, token,
      nonce, worker, lease_until, size, hold, cancel_requested, dedup_key, fingerprint, created_at, started_at,
      finished_at, archived_at)
  ) stored,
  check (status <> 'running' or (nonce is not null and lease_until is not null))
) strict;

CREATE INDEX actions_due on actions (lane, due_at, id) where status = 'queued';

CREATE INDEX actions_leases on actions (lease_until) where status = 'running';

CREATE INDEX actions_execution on actions (namespace, tenant, execution) where execution is not null;

CREATE INDEX actions_dead on actions (namespace, tenant, fingerprint, id, finished_at) where status = 'dead';

CREATE INDEX actions_review on actions (namespace, tenant, fingerprint, id, finished_at) where status = 'review';

CREATE TABLE actions_done (
  position integer primary key autoincrement,
  id text not null,
  namespace text not null,
  tenant text not null,
  lane integer not null,
  execution text,
  source_kind text not null,
  source_id text not null,
  status text not null check (status in ('succeeded', 'cancelled', 'skipped', 'dead', 'review')),
  due_at integer not null,
  attempt integer not null,
  lost integer not null,
  reaps integer not null,
  token integer not null,
  worker text,
  size integer not null,
  dedup_key text,
  fingerprint text,
  created_at integer not null,
  started_at integer,
  finished_at integer not null,
  archived_at integer,
  error text,
  result text,
  plan text not null,
  seal text not null generated always as (
    concat_ws(' ', lane, source_kind, source_id, due_at, attempt, lost, reaps, token, worker, size, dedup_key,
      fingerprint, created_at, started_at, finished_at, archived_at)
  ) stored,
  unique (namespace, tenant, id)
) strict;

CREATE INDEX actions_done_execution on actions_done (namespace, tenant, execution, id) where execution is not null;

CREATE TABLE attempts (
  position integer primary key autoincrement,
  action text not null,
  number integer not null,
  namespace text not null,
  tenant text not null,
  outcome text not null check (outcome in ('succeeded', 'failed', 'timed_out', 'cancelled', 'lost')),
  reason text not null,
  started_at integer not null,
  ended_at integer not null,
  worker text not null,
  error text,
  seal text not null generated always as (
    concat_ws(' ', namespace, tenant, reason, started_at, ended_at, worker)
  ) stored
) strict;

CREATE INDEX attempts_action on attempts (action, number);

CREATE TABLE events (
  seq integer primary key autoincrement,
  namespace text not null,
  tenant text not null,
  execution text,
  number integer,
  type text not null,
  at integer not null,
  prev_hash text,
  hash text,
  data text not null
) strict;

CREATE INDEX events_tenant on events (namespace, tenant, seq);

CREATE UNIQUE INDEX events_history on events (namespace, tenant, execution, number) where number is not null;

CREATE TABLE inbox (
  seq integer primary key autoincrement,
  namespace text not null,
  tenant text not null,
  execution text not null,
  event_id text not null,
  definition text not null,
  held integer not null check (held in (0, 1)),
  received_at integer not null,
  applied_at integer,
  event text,
  seal text not null generated always as (concat_ws(' ', definition, held, received_at, applied_at)) stored,
  unique (namespace, tenant, execution, event_id)
) strict;

CREATE INDEX inbox_waiting on inbox (definition, seq) where applied_at is null and held = 0;

CREATE INDEX inbox_applied on inbox (applied_at) where applied_at is not null;

CREATE TABLE timers (
  namespace text not null,
  tenant text not null,
  execution text not null,
  key text not null,
  due_at integer not null,
  held integer not null check (held in (0, 1)),
  event text not null,
  seal text not null generated always as (concat_ws(' ', due_at, held)) stored,
  primary key (namespace, tenant, execution, key)
) strict;

CREATE INDEX timers_due on timers (due_at, execution, key) where held = 0;

CREATE TABLE dedup (
  namespace text not null,
  tenant text not null,
  key text not null,
  action text not null,
  until integer,
  seal text not null generated always as (concat_ws(' ', action, until)) stored,
  primary key (namespace, tenant, key)
) strict;

CREATE INDEX dedup_until on dedup (until) where until is not null;

CREATE TABLE pauses (
  namespace text not null,
  tenant text not null,
  scope text not null check (scope in ('execution', 'type', 'definition', 'tenant')),
  value text not null,
  reason text not null,
  at integer not null,
  seal text not null generated always as (concat_ws(' ', reason, at)) stored,
  primary key (namespace, tenant, scope, value)
) strict;

CREATE TABLE counters (
  namespace text not null,
  tenant text not null,
  name text not null,
  bucket integer not null,
  shard integer not null,
  value integer not null,
  seal text not null generated always as (concat_ws(' ', value)) stored,
  primary key (namespace, tenant, name, bucket, shard)
) strict;

CREATE TABLE chores (
  name text not null primary key,
  holder text not null,
  until integer not null,
  seal text not null generated always as (concat_ws(' ', holder, until)) stored
) strict;

CREATE TABLE checkpoints (
  number integer primary key autoincrement,
  at integer not null,
  heads integer not null,
  hash text not null,
  feed_position integer not null,
  seal text not null generated always as (concat_ws(' ', at, heads, hash, feed_position)) stored
) strict;

CREATE TABLE secrets (
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

CREATE TABLE workers (
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

CREATE INDEX workers_seen on workers (seen_at);

CREATE INDEX inbox_execution on inbox (namespace, tenant, execution, seq) where applied_at is null;
