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

CREATE TABLE limits (
  namespace text not null check (namespace <> ''),
  tenant text not null check (tenant <> ''),
  key text not null check (key <> ''),
  version integer not null check (version > 0),
  shut integer not null check (shut in (0, 1)),
  idle_at integer not null,
  state text not null,
  seal text not null generated always as (concat_ws(' ', version, shut, idle_at)) stored,
  primary key (namespace, tenant, key)
) strict;

CREATE INDEX limits_idle on limits (idle_at);

CREATE INDEX limits_shut on limits (idle_at) where shut = 1;

CREATE TABLE limit_places (
  namespace text not null check (namespace <> ''),
  tenant text not null check (tenant <> ''),
  key text not null check (key <> ''),
  action text not null check (action <> ''),
  owner_namespace text not null,
  owner_tenant text not null,
  token integer,
  since integer not null,
  called_at integer,
  touched_at integer not null,
  seal text not null generated always as (
    concat_ws(' ', owner_namespace, owner_tenant, token, since, called_at, touched_at)
  ) stored,
  primary key (namespace, tenant, key, action)
) strict;

CREATE INDEX limit_places_line on limit_places (namespace, tenant, key, since, action) where token is null;

CREATE INDEX limit_places_held on limit_places (namespace, tenant, key) where token is not null;

CREATE INDEX limit_places_called on limit_places (namespace, tenant, key, called_at) where called_at is not null;

CREATE INDEX limit_places_age on limit_places (touched_at);

CREATE TABLE bulk_operations (
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

CREATE INDEX bulk_operations_recent on bulk_operations (namespace, tenant, created_at, id);

CREATE INDEX bulk_operations_running on bulk_operations (created_at, id) where status = 'running';

CREATE INDEX bulk_operations_ended on bulk_operations (updated_at) where status in ('stopped', 'completed');

CREATE TABLE bulk_items (
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

CREATE INDEX bulk_items_sent on bulk_items (namespace, tenant, bulk, action) where status = 'sent';

CREATE INDEX bulk_items_failed on bulk_items (namespace, tenant, bulk, action) where status = 'failed';

CREATE TABLE alerts (
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

CREATE INDEX alerts_recent on alerts (namespace, tenant, first_at, id);

CREATE INDEX alerts_untold on alerts (first_at, id) where told_at is null;

CREATE INDEX alerts_age on alerts (last_at);

CREATE TABLE tasks (
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

CREATE INDEX tasks_recent on tasks (namespace, tenant, created_at, id);

CREATE INDEX tasks_status on tasks (namespace, tenant, status, created_at, id);

CREATE INDEX tasks_assignee on tasks (namespace, tenant, assignee, created_at, id) where assignee is not null;

CREATE INDEX tasks_execution on tasks (namespace, tenant, execution, created_at, id) where execution is not null;

CREATE INDEX tasks_done on tasks (completed_at) where status = 'done';

CREATE INDEX tasks_untold on tasks (completed_at) where status = 'done' and told = 0;

CREATE TABLE outbox (
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

CREATE INDEX outbox_recent on outbox (namespace, tenant, at, id);

CREATE INDEX outbox_age on outbox (at);

CREATE TABLE health (
  namespace text not null check (namespace <> ''),
  tenant text not null check (tenant <> ''),
  name text not null,
  type text not null,
  bucket integer not null,
  writer text not null,
  measured text not null,
  primary key (namespace, tenant, name, bucket, type, writer)
) strict;

CREATE INDEX health_recent on health (namespace, tenant, bucket);

CREATE INDEX health_age on health (bucket);

CREATE TABLE templates (
  namespace text not null check (namespace <> ''),
  tenant text not null check (tenant <> ''),
  name text not null check (name <> ''),
  updated_at integer not null,
  template text not null,
  primary key (namespace, tenant, name)
) strict;

CREATE TABLE keys (
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

CREATE UNIQUE INDEX keys_hash on keys (hash);

CREATE INDEX keys_tenant on keys (namespace, tenant, id);

CREATE TABLE audit (
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

CREATE TABLE idempotency (
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

CREATE INDEX idempotency_until on idempotency (until);

CREATE INDEX timers_tenant on timers (namespace, tenant, due_at, execution, key) where held = 0;

CREATE TABLE occurrences (
  namespace text not null check (namespace <> ''),
  tenant text not null check (tenant <> ''),
  recurrence text not null check (recurrence <> ''),
  at integer not null,
  fate text not null check (fate in ('fired', 'skipped', 'coalesced')),
  told_at integer not null,
  details text not null,
  seal text not null generated always as (concat_ws(' ', fate, told_at)) stored,
  primary key (namespace, tenant, recurrence, at)
) strict;

CREATE INDEX occurrences_told on occurrences (told_at);

CREATE INDEX alerts_open on alerts (namespace, tenant, (acknowledged_at is null), first_at, id);

CREATE TABLE actions (
  id text not null primary key check (id <> ''),
  namespace text not null check (namespace <> ''),
  tenant text not null check (tenant <> ''),
  lane integer not null check (lane <> 0),
  execution text,
  source_kind text not null,
  source_id text not null,
  status text not null check (status = 'queued' or status = 'running' or status = 'dead' or status = 'review'),
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

CREATE INDEX actions_dead_age on actions (finished_at, id) where status = 'dead';

CREATE TABLE executions (
  namespace text not null check (namespace <> ''),
  tenant text not null check (tenant <> ''),
  id text not null check (id <> ''),
  kind text not null check (
    kind = 'machine' or kind = 'journey' or kind = 'recurrence' or kind = 'stream' or kind = 'reconciler'
  ),
  definition text not null,
  definition_hash text not null,
  status text not null check (
    status = 'active' or status = 'waiting' or status = 'paused' or status = 'completed' or status = 'failed'
    or status = 'cancelled'
  ),
  paused_from text check (
    paused_from = 'active' or paused_from = 'waiting' or paused_from = 'paused' or paused_from = 'completed'
    or paused_from = 'failed' or paused_from = 'cancelled'
  ),
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
    concat_ws(' ', kind, definition_hash, state, input_hash, revision, chain_number, chain_hash, updated_at)
  ) stored,
  primary key (namespace, tenant, id)
) strict;

CREATE INDEX executions_recent on executions (namespace, tenant, created_at, id);

CREATE INDEX executions_definition on executions (namespace, tenant, definition, created_at, id);

CREATE INDEX executions_standing on executions (namespace, tenant, status, created_at, id)
  where status <> 'active' and status <> 'completed';

CREATE INDEX executions_recurrences on executions (namespace, tenant, created_at, id) where kind = 'recurrence';

CREATE TABLE begun (
  number integer primary key,
  revision integer not null check (revision > 0),
  content text not null,
  seal text not null generated always as (concat_ws(' ', number, revision)) stored
) strict;

CREATE TABLE tallies (
  number integer primary key,
  counts text not null,
  seal text not null generated always as (concat_ws(' ', number)) stored
) strict;
