-- The first schema. Times are milliseconds. Names and ids compare by bytes, so that lists are in the same order on every
-- server and in SQLite. JSON columns are json, not jsonb: the text is kept as it was written, because an effect is sent
-- with the same bytes on every attempt and jsonb changes the order of keys.
-- Every table of a tenant has row-level security for the reader role: it sees the tenant named by two settings, or nothing.
-- The engine connects as the owner, whom the policies do not concern.

create schema if not exists pawl;

create table pawl.migrations (
  number integer not null primary key,
  name text not null,
  checksum text not null,
  breaking boolean not null,
  applied_at bigint not null
);

-- Stable over the statement's start: as a volatile function it would turn the due condition from an index range into a
-- filter (144 ms against 0.03 ms at a million rows).
create function pawl.clock_ms() returns bigint language sql stable parallel safe
  return (extract(epoch from statement_timestamp()) * 1000)::bigint;

create table pawl.store_meta (
  key text collate "C" not null primary key,
  value text not null
);

-- Lane 0 is nobody's; the lane of a parked row is the negative of its own.
create table pawl.lanes (
  lane integer generated always as identity primary key,
  namespace text collate "C" not null check (namespace <> ''),
  tenant text collate "C" not null check (tenant <> ''),
  type text collate "C" not null check (type <> ''),
  priority integer not null,
  unique (namespace, tenant, type, priority)
);

create table pawl.definitions (
  namespace text collate "C" not null,
  tenant text collate "C" not null,
  kind text collate "C" not null,
  id text collate "C" not null check (id <> ''),
  version integer not null,
  hash text collate "C" not null,
  created_at bigint not null,
  content json not null,
  primary key (namespace, tenant, kind, id, hash),
  unique (namespace, tenant, kind, id, version)
);

create table pawl.executions (
  namespace text collate "C" not null check (namespace <> ''),
  tenant text collate "C" not null check (tenant <> ''),
  id text collate "C" not null check (id <> ''),
  kind text collate "C" not null check (kind in ('machine', 'journey', 'recurrence', 'stream', 'reconciler')),
  definition text collate "C" not null,
  definition_hash text collate "C" not null,
  status text collate "C" not null check (status in ('active', 'waiting', 'paused', 'completed', 'failed', 'cancelled')),
  paused_from text collate "C" check (paused_from in ('active', 'waiting', 'paused', 'completed', 'failed', 'cancelled')),
  state text collate "C",
  input_hash text collate "C",
  revision integer not null check (revision > 0),
  chain_number integer not null,
  chain_hash text collate "C" not null,
  created_at bigint not null,
  updated_at bigint not null,
  error json,
  visits json not null,
  pending json not null,
  variables json not null,
  primary key (namespace, tenant, id)
);

create index executions_recent on pawl.executions (namespace, tenant, created_at, id);
create index executions_definition on pawl.executions (namespace, tenant, definition, created_at, id);
create index executions_status on pawl.executions (namespace, tenant, status, created_at, id);
create index executions_state on pawl.executions (namespace, tenant, state, created_at, id);

-- Claimed and settled all day: vacuum by a fraction of what the defaults wait for, or the due index fills with the dead.
create table pawl.actions (
  id text collate "C" not null primary key check (id <> ''),
  namespace text collate "C" not null check (namespace <> ''),
  tenant text collate "C" not null check (tenant <> ''),
  lane integer not null check (lane <> 0),
  execution text collate "C",
  source_kind text collate "C" not null,
  source_id text collate "C" not null,
  status text collate "C" not null check (status in ('queued', 'running', 'dead', 'review')),
  due_at bigint not null,
  attempt integer not null,
  lost integer not null,
  reaps integer not null,
  token bigint not null,
  nonce text collate "C",
  worker text collate "C",
  lease_until bigint,
  size integer not null,
  -- The claim is the start marker (at_most_once): it must be on disk before it is told.
  marked boolean not null,
  hold text,
  cancel_requested boolean not null,
  dedup_key text collate "C",
  fingerprint text collate "C",
  created_at bigint not null,
  started_at bigint,
  finished_at bigint,
  archived_at bigint,
  error json,
  result text,
  plan json not null,
  check (status <> 'running' or (nonce is not null and lease_until is not null))
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);

create index actions_due on pawl.actions (lane, due_at, id) where status = 'queued';
create index actions_leases on pawl.actions (lease_until) where status = 'running';
create index actions_execution on pawl.actions (namespace, tenant, execution) where execution is not null;
create index actions_dead on pawl.actions (namespace, tenant, fingerprint, id, finished_at) where status = 'dead';
create index actions_review on pawl.actions (namespace, tenant, fingerprint, id, finished_at) where status = 'review';

-- Partitioned by the month its time runs from: the end, or for a dead letter the day it was archived.
create table pawl.actions_done (
  id text collate "C" not null,
  namespace text collate "C" not null,
  tenant text collate "C" not null,
  lane integer not null,
  execution text collate "C",
  source_kind text collate "C" not null,
  source_id text collate "C" not null,
  status text collate "C" not null check (status in ('succeeded', 'cancelled', 'skipped', 'dead', 'review')),
  due_at bigint not null,
  attempt integer not null,
  lost integer not null,
  reaps integer not null,
  token bigint not null,
  worker text collate "C",
  size integer not null,
  dedup_key text collate "C",
  fingerprint text collate "C",
  created_at bigint not null,
  started_at bigint,
  finished_at bigint not null,
  archived_at bigint,
  kept_from bigint not null,
  error json,
  result text,
  plan json not null,
  primary key (id, kept_from)
) partition by range (kept_from);

create index actions_done_tenant on pawl.actions_done (namespace, tenant, id);
create index actions_done_execution on pawl.actions_done (namespace, tenant, execution, id) where execution is not null;
create table pawl.actions_done_rest partition of pawl.actions_done default;
create index actions_done_rest_age on pawl.actions_done_rest (kept_from);

create table pawl.attempts (
  position bigint generated always as identity primary key,
  action text collate "C" not null,
  number integer not null,
  namespace text collate "C" not null,
  tenant text collate "C" not null,
  outcome text collate "C" not null check (outcome in ('succeeded', 'failed', 'timed_out', 'cancelled', 'lost')),
  reason text collate "C" not null,
  started_at bigint not null,
  ended_at bigint not null,
  worker text collate "C" not null,
  error json
);

create index attempts_action on pawl.attempts (action, number);

-- The transaction is in the row: a reader takes what is below the oldest one still open, and so misses nothing.
create table pawl.events (
  seq bigint generated always as identity,
  xid xid8 not null default pg_current_xact_id(),
  namespace text collate "C" not null,
  tenant text collate "C" not null,
  execution text collate "C",
  number integer,
  type text collate "C" not null,
  at bigint not null,
  prev_hash text collate "C",
  hash text collate "C",
  data json not null,
  primary key (seq, at)
) partition by range (at);

create index events_tenant on pawl.events (namespace, tenant, xid, seq);
create index events_feed on pawl.events (xid, seq);
create unique index events_history on pawl.events (namespace, tenant, execution, number, at) where number is not null;
create table pawl.events_rest partition of pawl.events default;
create index events_rest_age on pawl.events_rest (at);

create table pawl.inbox (
  seq bigint generated always as identity,
  namespace text collate "C" not null,
  tenant text collate "C" not null,
  execution text collate "C" not null,
  event_id text collate "C" not null,
  definition text collate "C" not null,
  held boolean not null,
  received_at bigint not null,
  applied_at bigint,
  event json,
  primary key (namespace, tenant, execution, event_id)
);

create index inbox_waiting on pawl.inbox (definition, seq) where applied_at is null and not held;
create index inbox_applied on pawl.inbox (applied_at) where applied_at is not null;

create table pawl.timers (
  namespace text collate "C" not null,
  tenant text collate "C" not null,
  execution text collate "C" not null,
  key text collate "C" not null,
  due_at bigint not null,
  held boolean not null,
  event json not null,
  primary key (namespace, tenant, execution, key)
);

create index timers_due on pawl.timers (due_at, execution, key) where not held;

create table pawl.dedup (
  namespace text collate "C" not null,
  tenant text collate "C" not null,
  key text collate "C" not null,
  action text collate "C" not null,
  until bigint,
  primary key (namespace, tenant, key)
);

create index dedup_until on pawl.dedup (until) where until is not null;

create table pawl.pauses (
  namespace text collate "C" not null,
  tenant text collate "C" not null,
  scope text collate "C" not null check (scope in ('execution', 'type', 'definition', 'tenant')),
  value text collate "C" not null,
  reason text not null,
  at bigint not null,
  primary key (namespace, tenant, scope, value)
);

create table pawl.counters (
  namespace text collate "C" not null,
  tenant text collate "C" not null,
  name text collate "C" not null,
  bucket bigint not null,
  shard integer not null,
  value bigint not null,
  primary key (namespace, tenant, name, bucket, shard)
) with (fillfactor = 50);

create table pawl.chores (
  name text collate "C" not null primary key,
  holder text collate "C" not null,
  until bigint not null
);

create table pawl.checkpoints (
  number integer generated always as identity primary key,
  at bigint not null,
  heads integer not null,
  hash text not null,
  feed_position text not null
);

alter table pawl.lanes enable row level security;
create policy reader on pawl.lanes for select
  using (namespace = current_setting('pawl.namespace', true) and tenant = current_setting('pawl.tenant', true));
alter table pawl.definitions enable row level security;
create policy reader on pawl.definitions for select
  using (namespace = current_setting('pawl.namespace', true) and tenant = current_setting('pawl.tenant', true));
alter table pawl.executions enable row level security;
create policy reader on pawl.executions for select
  using (namespace = current_setting('pawl.namespace', true) and tenant = current_setting('pawl.tenant', true));
alter table pawl.actions enable row level security;
create policy reader on pawl.actions for select
  using (namespace = current_setting('pawl.namespace', true) and tenant = current_setting('pawl.tenant', true));
alter table pawl.actions_done enable row level security;
create policy reader on pawl.actions_done for select
  using (namespace = current_setting('pawl.namespace', true) and tenant = current_setting('pawl.tenant', true));
alter table pawl.attempts enable row level security;
create policy reader on pawl.attempts for select
  using (namespace = current_setting('pawl.namespace', true) and tenant = current_setting('pawl.tenant', true));
alter table pawl.events enable row level security;
create policy reader on pawl.events for select
  using (namespace = current_setting('pawl.namespace', true) and tenant = current_setting('pawl.tenant', true));
alter table pawl.inbox enable row level security;
create policy reader on pawl.inbox for select
  using (namespace = current_setting('pawl.namespace', true) and tenant = current_setting('pawl.tenant', true));
alter table pawl.timers enable row level security;
create policy reader on pawl.timers for select
  using (namespace = current_setting('pawl.namespace', true) and tenant = current_setting('pawl.tenant', true));
alter table pawl.dedup enable row level security;
create policy reader on pawl.dedup for select
  using (namespace = current_setting('pawl.namespace', true) and tenant = current_setting('pawl.tenant', true));
alter table pawl.pauses enable row level security;
create policy reader on pawl.pauses for select
  using (namespace = current_setting('pawl.namespace', true) and tenant = current_setting('pawl.tenant', true));
alter table pawl.counters enable row level security;
create policy reader on pawl.counters for select
  using (namespace = current_setting('pawl.namespace', true) and tenant = current_setting('pawl.tenant', true));
